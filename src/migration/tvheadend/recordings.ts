import { type EpochMs, MINUTE, SECOND } from "../../model/time.ts";
import { lengthMs, padded, type Window } from "../../model/window.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Collector } from "../collector.ts";
import type { FoundChannel, FoundFile } from "../found.ts";
import type { OriginFolders } from "../origin-folders.ts";
import type { Channels } from "./channels.ts";
import type { Value, Values } from "./packed.ts";
import {
  flagOf,
  listOf,
  mapOf,
  numberOf,
  paddingOf,
  positiveOf,
  type Setting,
  settingsIn,
  textOf,
  wordedOf,
} from "./settings.ts";

interface Context {
  readonly folders: OriginFolders;
  readonly channels: Channels;
  readonly collector: Collector;
  readonly now: EpochMs;
}

/** Codes with which Tvheadend calls a recording completed: fine, and declared fine by a person. */
const FINE = [0, 10];

/** Reads its log: ended recordings, and those to come. */
export async function readLog(context: Context): Promise<void> {
  for (const setting of await settingsIn(context.folders, "dvr/log", context.collector)) {
    const entry = entryOf(setting, context.channels);
    if (entry === undefined)
      context.collector.problem({ file: setting.file, what: "It has no start and stop." });
    else if (entry.paths.length > 0) await takeRecording(setting, entry, context);
    else if (entry.window.stop > context.now) takeTimer(setting, entry, context.collector);
    else leaveOutWithoutFile(setting, entry, context.collector);
  }
}

interface Entry {
  readonly title: string;
  readonly channel: FoundChannel;
  readonly event: Window;
  readonly window: Window;
  readonly paths: readonly string[];
}

function entryOf({ values }: Setting, { byId }: Channels): Entry | undefined {
  const [start, stop] = [numberOf(values.start), numberOf(values.stop)];
  if (start === undefined || stop === undefined || stop <= start) return undefined;
  const event = { start: start * SECOND, stop: stop * SECOND };
  const { beforeMinutes = 0, afterMinutes = 0 } = paddingOf(values);
  const padding = { beforeMs: beforeMinutes * MINUTE, afterMs: afterMinutes * MINUTE };
  const name = textOf(values.channelname) ?? "";
  return {
    title: wordedOf(values.title) ?? name,
    channel: byId.get(textOf(values.channel) ?? "") ?? { name },
    event,
    window: padded(event, padding),
    paths: pathsOf(values),
  };
}

/** Earlier versions of Tvheadend stored one path. */
function pathsOf({ files, filename }: Values): readonly string[] {
  return [...listOf(files).map((file) => mapOf(file).filename), filename]
    .map(textOf)
    .filter((path) => path !== undefined);
}

async function takeRecording(
  { id, values }: Setting,
  { title, channel, event, window, paths }: Entry,
  { folders, collector, now }: Context,
): Promise<void> {
  // One that ended early has a code that says why.
  if (window.stop > now && count(values.errorcode) === 0)
    return collector.leaveOut("recording", title, "It is being recorded: import it when it has ended.");
  const files: FoundFile[] = [];
  for (const path of new Set(paths)) {
    const file = await folders.recorded(path);
    if (typeof file === "string") return collector.leaveOut("recording", title, `${path} ${file}.`);
    files.push(file);
  }
  collector.recording({
    id,
    title,
    ...withoutUndefined({
      subtitle: wordedOf(values.subtitle),
      description: wordedOf(values.description) ?? wordedOf(values.summary),
      resumeSeconds: positiveOf(values.playposition),
    }),
    channel,
    event,
    files,
    outcome: outcomeOf(values, event),
    isWatched: positiveOf(values.playcount) !== undefined,
  });
}

/** A flaw a minute is borne, as for our own recordings. */
function outcomeOf({ errorcode, errors, data_errors: dataErrors }: Values, event: Window): "ok" | "damaged" {
  const flaws = count(errors) + count(dataErrors);
  return FINE.includes(count(errorcode)) && flaws <= Math.ceil(lengthMs(event) / MINUTE) ? "ok" : "damaged";
}

function count(value: Value | undefined): number {
  return numberOf(value) ?? 0;
}

function takeTimer({ id, values }: Setting, { title, channel, event }: Entry, collector: Collector): void {
  if (flagOf(values.enabled) === false) return collector.leaveOut("timer", title, "It is switched off.");
  if (textOf(values.autorec) !== undefined || textOf(values.timerec) !== undefined)
    return collector.leaveOut("timer", title, "It belongs to a rule, which orders it again.");
  collector.timer({
    id,
    title,
    channel,
    event,
    ...paddingOf(values),
    notes: [],
  });
}

function leaveOutWithoutFile({ values }: Setting, { title }: Entry, collector: Collector): void {
  const isRemoved = positiveOf(values.fileremoved) !== undefined;
  collector.leaveOut("recording", title, isRemoved ? "Its file was deleted." : "It was not recorded.");
}
