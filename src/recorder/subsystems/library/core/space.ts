import { inMotion, type Recording, type RecordingId } from "../../../../model/recording.ts";
import type { Triplet } from "../../../../model/service.ts";
import type { SpaceFacts } from "../../../../model/space.ts";
import { DAY, type EpochMs, SECOND } from "../../../../model/time.ts";
import { lengthMs, type Window } from "../../../../model/window.ts";

/** Data to be written at a steady rate. */
interface Load {
  readonly span: Window;
  readonly bytesPerMs: number;
}

export interface SpaceQuestion {
  /** Absent: the folder is not there. */
  readonly disk?: { readonly freeBytes: number; readonly totalBytes: number };
  readonly marks: { readonly lowBytes: number; readonly stopBytes: number };
  readonly recordings: readonly Recording[];
  /** The learnt size of one second of a service; without a service, of any. */
  readonly bytesPerSecond: (service?: Triplet) => number;
  readonly now: EpochMs;
}

/** Compares the disk with the plan: the reserved bytes, and the time at which the stop mark is reached. */
export function spaceFacts({ disk, marks, recordings, bytesPerSecond, now }: SpaceQuestion): SpaceFacts {
  const loads = loadsOf(recordings, bytesPerSecond, now);
  const reservedBytes = Math.round(loads.reduce((sum, load) => sum + bytesOf(load), 0));
  const rest = { ...marks, reservedBytes, bytesPerSecond: Math.round(bytesPerSecond()) };
  if (disk === undefined) return { level: "offline", freeBytes: 0, totalBytes: 0, ...rest };
  const fills = forecast(loads, disk.freeBytes - marks.stopBytes, now);
  return {
    level: levelOf(disk.freeBytes, marks),
    ...disk,
    ...rest,
    ...(fills === undefined ? {} : { fills }),
  };
}

export function levelOf(
  freeBytes: number,
  { lowBytes, stopBytes }: SpaceQuestion["marks"],
): SpaceFacts["level"] {
  if (freeBytes < stopBytes) return "full";
  return freeBytes < lowBytes ? "low" : "enough";
}

/** Planned or running recordings that would not be over when the disk is full, the first first. */
export function withoutRoom(
  recordings: readonly Recording[],
  { level, fills }: SpaceFacts,
): readonly RecordingId[] {
  const fullAt = level === "offline" ? Number.NEGATIVE_INFINITY : fills?.by === "plan" ? fills.at : Infinity;
  return recordings
    .filter((recording) => isWriting(recording) && recording.window.stop > fullAt)
    .toSorted((a, b) => a.window.start - b.window.start || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

/** Whether a recording has a tuner, or runs. */
function isWriting({ state }: Recording): boolean {
  return state === "planned" || (inMotion(state) && state !== "closing");
}

/** The rest of each window. */
function loadsOf(
  recordings: readonly Recording[],
  bytesPerSecond: (service: Triplet) => number,
  now: EpochMs,
): readonly Load[] {
  return recordings.flatMap((recording) => {
    const { service, window } = recording;
    const span = { start: Math.max(now, window.start), stop: window.stop };
    if (!isWriting(recording) || service === undefined || lengthMs(span) === 0) return [];
    return [{ span, bytesPerMs: bytesPerSecond(service) / SECOND }];
  });
}

function bytesOf({ span, bytesPerMs }: Load): number {
  return lengthMs(span) * bytesPerMs;
}

/** The instant at which that many bytes are written, by the plan or by its average rate. */
function forecast(loads: readonly Load[], roomBytes: number, now: EpochMs): SpaceFacts["fills"] {
  if (roomBytes <= 0) return { at: now, by: "plan" };
  if (loads.length === 0) return undefined;
  const turns = loads
    .flatMap(({ span, bytesPerMs }) => [
      { at: span.start, by: bytesPerMs },
      { at: span.stop, by: -bytesPerMs },
    ])
    .sort((a, b) => a.at - b.at);
  let left = roomBytes;
  let pace = 0;
  let since = now;
  for (const { at, by } of turns) {
    const bytes = pace * (at - since);
    if (bytes > 0 && bytes >= left) return { at: Math.ceil(since + left / pace), by: "plan" };
    left -= bytes;
    since = at;
    pace += by;
  }
  // One evening's plan says little about the week: it counts as a day's.
  const spanMs = Math.max(since - now, DAY);
  const at = since + (left / (roomBytes - left)) * spanMs;
  return at > FAR_AHEAD_MS + now ? undefined : { at: Math.ceil(at), by: "pace" };
}

/** Forecasts end here. */
const FAR_AHEAD_MS = 3650 * DAY;
