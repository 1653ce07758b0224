import { basename, dirname, join, relative, sep } from "node:path";
import { MINUTE, SECOND } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import type { Collector } from "../collector.ts";
import type { FoundChannel, FoundFile, ReadOptions } from "../found.ts";
import { MIGRATION_LIMITS } from "../limits.ts";
import { titleOf } from "../names.ts";
import type { OriginFolders } from "../origin-folders.ts";
import type { ChannelBook } from "./channel-book.ts";
import { decodedName, startIn } from "./folder-names.ts";
import { type Info, parseInfo } from "./info.ts";

/*
 * A recording of VDR is a folder `NAME/START.CHANNEL-INSTANCE.rec`, NAME in folders of folders, with 00001.ts, 00002.ts, … (up to
 * version 1.6: 001.vdr, …, not transport streams), info, index (8 bytes per frame), resume, marks.
 */

export interface RecordingsContext {
  readonly folders: OriginFolders;
  readonly channels: ChannelBook;
  readonly options: ReadOptions;
  readonly into: Collector;
}

const RECORDING = /\.rec$/;
const TS_PART = /^\d{5}\.ts$/;
const PES_PART = /^\d{3}\.vdr$/;
const INDEX_ENTRY_BYTES = 8;
/** VDR writes a running recording every few seconds. */
const RUNNING_MS = 2 * MINUTE;

/** @returns how many folders of recordings there are */
export async function readRecordings(context: RecordingsContext): Promise<number> {
  const { folders, into } = context;
  /** A linked folder may lead to one of those around it. */
  const seen = new Set<string>();
  const waiting = [...folders.all];
  let count = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    context.options.signal.throwIfAborted();
    const named = path;
    const folder = await into.attempt(named, () => folders.folder(named));
    if (folder === undefined || seen.has(folder)) continue;
    seen.add(folder);
    if (RECORDING.test(folder)) {
      count += 1;
      await into.attempt(folder, () => readRecording(folder, context));
      continue;
    }
    for (const name of (await into.attempt(folder, () => folders.names(folder))) ?? []) {
      if (name.includes("\ufffd"))
        into.problem({
          file: join(folder, name),
          what: "Its name is not UTF-8: rename it, for example with convmv.",
        });
      else if (!/^\.|\.del$/.test(name)) waiting.push(join(folder, name));
    }
  }
  return count;
}

async function readRecording(folder: string, context: RecordingsContext): Promise<void> {
  const { folders, channels, options, into } = context;
  const names = await folders.names(folder);
  const info = parseInfo((await folders.text(join(folder, "info"))) ?? "");
  const title = info.title ?? nameOf(folder, folders);
  const files = await partsIn(folder, names, context);
  const last = typeof files === "string" ? undefined : files.at(-1);
  if (typeof files === "string" || last === undefined) {
    into.leaveOut("recording", title, typeof files === "string" ? files : "It has no files.");
    return;
  }
  const viewed = await viewedIn(folder, names, { info, folders });
  const start = startIn(basename(folder), options.timeZone) ?? last.modifiedAt;
  const lengthMs = (viewed.lengthSeconds ?? 0) * SECOND || Math.max(last.modifiedAt - start, MINUTE);
  const { channelId, channelName, subtitle, description, event, outcome } = info;
  into.recording({
    id: idOf(folder, folders),
    title,
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(description === undefined ? {} : { description }),
    channel:
      channelId === undefined ? channelIn(basename(folder), channels) : channels.byId(channelId, channelName),
    event: event ?? ({ start, stop: start + lengthMs } satisfies Window),
    files,
    outcome: isGapless(names) ? outcome : "damaged",
    isWatched: viewed.isWatched,
    ...(viewed.resumeSeconds === undefined ? {} : { resumeSeconds: viewed.resumeSeconds }),
  });
}

/** The path below the named folder; a recorder with one of them moved has the same ids. */
function idOf(folder: string, { all }: OriginFolders): string {
  const root = all.findLast((each) => folder.startsWith(each + sep)) ?? "";
  return relative(root, folder);
}

/** The last name that is not blank; `%` marks a recording that was cut. */
function nameOf(folder: string, folders: OriginFolders): string {
  const levels = dirname(idOf(folder, folders)).split(sep);
  const names = levels.map((level) => titleOf(decodedName(level).replace(/^%/, "")));
  return names.findLast((name) => name !== undefined && name !== ".") ?? basename(folder);
}

/** Only the folder's name tells the channel, by its number at that time. */
function channelIn(folder: string, channels: ChannelBook): FoundChannel {
  const number = /\.(\d{1,5})-\d+\.rec$/.exec(folder)?.[1];
  return (
    channels.byNumber(Number(number)) ?? { name: number === undefined ? "unknown" : `channel ${number}` }
  );
}

/** @returns a sentence where the recording cannot come */
async function partsIn(
  folder: string,
  names: readonly string[],
  { folders, options }: RecordingsContext,
): Promise<readonly FoundFile[] | string> {
  const parts = names.filter((name) => TS_PART.test(name));
  if (parts.length === 0)
    return names.some((name) => PES_PART.test(name))
      ? "It is from VDR before 1.7: its files are not transport streams."
      : "It has no files.";
  const files: FoundFile[] = [];
  for (const name of parts.slice(0, MIGRATION_LIMITS.parts + 1)) {
    const file = await folders.recorded(join(folder, name));
    if (typeof file === "string") return `Its file ${name} ${file}.`;
    files.push(file);
  }
  if (files.every(({ bytes }) => bytes === 0)) return "Its files are empty.";
  const changedAt = Math.max(...files.map(({ modifiedAt }) => modifiedAt));
  if (names.includes(".timer") && options.now - changedAt < RUNNING_MS) return "It is being recorded.";
  return files;
}

/** VDR plays up to the first missing part. */
function isGapless(names: readonly string[]): boolean {
  return names.filter((name) => TS_PART.test(name)).every((name, at) => Number.parseInt(name, 10) === at + 1);
}

interface Viewed {
  readonly lengthSeconds?: number;
  readonly resumeSeconds?: number;
  readonly isWatched: boolean;
}

/** VDR stores the frame at which a viewer stopped, in `resume`, or `resume.N` for each of several VDRs. */
async function viewedIn(
  folder: string,
  names: readonly string[],
  { info, folders }: { readonly info: Info; readonly folders: OriginFolders },
): Promise<Viewed> {
  const index = names.includes("index") ? await folders.recorded(join(folder, "index")) : "is missing";
  const frames = typeof index === "string" ? 0 : Math.floor(index.bytes / INDEX_ENTRY_BYTES);
  const length = frames === 0 ? {} : { lengthSeconds: frames / info.framesPerSecond };
  const name = names.find((each) => /^resume(\.\d+)?$/.test(each));
  const text = name === undefined ? undefined : await folders.text(join(folder, name));
  const frame = Number(/^I (\d{1,9})\s*$/m.exec(text ?? "")?.[1] ?? 0);
  if (frame === 0) return { ...length, isWatched: false };
  if (frames > 0 && frame >= frames * (1 - MIGRATION_LIMITS.endShare)) return { ...length, isWatched: true };
  return { ...length, isWatched: false, resumeSeconds: Math.floor(frame / info.framesPerSecond) };
}
