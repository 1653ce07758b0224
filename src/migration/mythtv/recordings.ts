import { basename, join } from "node:path";
import type { Collector } from "../collector.ts";
import type { FoundFile, FoundRecording, ReadOptions } from "../found.ts";
import { MIGRATION_LIMITS } from "../limits.ts";
import { descriptionOf, titleOf } from "../names.ts";
import type { OriginFolders } from "../origin-folders.ts";
import type { MythChannels } from "./channels.ts";
import { type Database, type Marks, recordingKey } from "./database.ts";
import type { Row } from "./dump.ts";
import { instantIn, zoneOf } from "./times.ts";

export interface RecordingsContext {
  readonly database: Database;
  readonly channels: MythChannels;
  readonly folders: OriginFolders;
  readonly options: ReadOptions;
  readonly file: string;
  readonly into: Collector;
}

/** Groups whose recordings nobody keeps. */
const PASSING: Readonly<Record<string, string>> = {
  Deleted: "It is deleted in MythTV.",
  LiveTV: "It is a buffer of live television.",
};

export async function readRecordings(context: RecordingsContext): Promise<void> {
  const directories = directoriesOf(context.database.storageGroups);
  for (const row of context.database.recorded) {
    context.options.signal.throwIfAborted();
    await readRecording(row, directories, context);
  }
}

async function readRecording(
  row: Row,
  directories: ReadonlyMap<string, readonly string[]>,
  { database, channels, folders, options, file, into }: RecordingsContext,
): Promise<void> {
  const title = titleOf(row["title"]) ?? "Untitled";
  const passing = row["deletepending"] === "1" ? PASSING["Deleted"] : PASSING[row["recgroup"] ?? ""];
  const zone = zoneOf(database, options.timeZone);
  const start = instantIn(row["progstart"], zone) ?? instantIn(row["starttime"], zone);
  const stop = instantIn(row["progend"], zone) ?? instantIn(row["endtime"], zone);
  if (passing !== undefined) return into.leaveOut("recording", title, passing);
  if (start === undefined || stop === undefined || stop <= start)
    return into.problem({ file, what: `The recording "${title}" has no usable times.` });
  const found = await into.attempt(file, () => fileOf(row, directories, folders));
  if (found === undefined) return;
  if (typeof found === "string") return into.leaveOut("recording", title, found);
  const subtitle = titleOf(row["subtitle"]);
  const description = descriptionOf(row["description"]);
  into.recording({
    id: recordingKey(row),
    title,
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(description === undefined ? {} : { description }),
    channel: channels.byId(row["chanid"]),
    event: { start, stop },
    files: [found],
    outcome: outcomeOf(recordingKey(row), database),
    ...viewedOf(row, database.marks.get(recordingKey(row)) ?? {}),
  });
}

/** The folders of each storage group, by host and group. */
function directoriesOf(rows: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  const directories = new Map<string, string[]>();
  for (const { hostname, groupname, dirname = "" } of rows) {
    const key = `${hostname} ${groupname}`;
    directories.set(key, [...(directories.get(key) ?? []), dirname]);
  }
  return directories;
}

/** @returns a sentence where the recording cannot come */
async function fileOf(
  { basename: named = "", hostname, storagegroup }: Row,
  directories: ReadonlyMap<string, readonly string[]>,
  folders: OriginFolders,
): Promise<FoundFile | string> {
  const name = basename(named);
  if (name === "") return "MythTV names no file of it.";
  // A file that was moved by hand stays in its group for MythTV, which looks in the default group as well.
  const group = directories.get(`${hostname} ${storagegroup}`) ?? [];
  const others = directories.get(`${hostname} Default`) ?? [];
  let trouble = "is missing";
  for (const place of [
    ...group.map((each) => join(each, name)),
    ...others.map((each) => join(each, name)),
    name,
  ]) {
    const found = await folders.recorded(place);
    if (typeof found === "string") trouble = trouble === "is missing" ? found : trouble;
    else return found.bytes === 0 ? "Its file is empty." : found;
  }
  return `Its file ${name} ${trouble}.`;
}

/** MythTV marks recordings with lost packets. */
function outcomeOf(key: string, { damaged, judged }: Database): FoundRecording["outcome"] {
  if (damaged.has(key)) return "damaged";
  return judged.has(key) ? "ok" : "unknown";
}

/** A bookmark that a viewer set is worth more than the place where the last one stopped. */
function viewedOf(row: Row, marks: Marks): Pick<FoundRecording, "isWatched" | "resumeSeconds"> {
  if (row["watched"] === "1") return { isWatched: true };
  const frame = marks.bookmark ?? marks.lastPlayed;
  const { total, durationMs, rate } = marks;
  const framesPerSecond =
    total !== undefined && durationMs !== undefined ? (total * 1000) / durationMs : (rate ?? 0) / 1000;
  if (frame === undefined || framesPerSecond === 0) return { isWatched: false };
  if (total !== undefined && frame >= total * (1 - MIGRATION_LIMITS.endShare)) return { isWatched: true };
  return { isWatched: false, resumeSeconds: Math.floor(frame / framesPerSecond) };
}
