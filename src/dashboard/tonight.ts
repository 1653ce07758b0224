import type { LibraryEntry } from "../model/library.ts";
import { inMotion, isBefore, isLost, plannedSpan, type Recording } from "../model/recording.ts";
import { DAY, type EpochMs, HOUR, SECOND } from "../model/time.ts";
import { lengthMs, type Window } from "../model/window.ts";
import { offsetAt } from "../model/zone.ts";
import { outcomeOf } from "./parts/verdict.ts";

/** Rows of each list on the start page; the others are behind a link. */
export const TONIGHT_ROWS = 8;
/** Those that lie below each other on a phone. */
export const PHONE_ROWS = 5;
/** Tonight ends at this hour of the morning. */
const MORNING_HOUR = 6;
/** A lost recording is on the start page for so long. */
const LOST_SHOWN_MS = DAY;

/** The facts of the first sentence. */
export type Lead =
  | { readonly kind: "nothing" }
  /** Some are recorded now, and no others follow. */
  | { readonly kind: "only-running"; readonly count: number }
  | { readonly kind: "all"; readonly count: number }
  /** `planned` of `count` have a tuner for the whole event. */
  | { readonly kind: "some"; readonly planned: number; readonly count: number };

/** The morning of the next day in the zone (IANA name), at six. */
export function morningAfter(now: EpochMs, zone: string): EpochMs {
  const day = Math.floor((now + offsetAt(now, zone)) / DAY) + 1;
  const local = day * DAY + MORNING_HOUR * HOUR;
  // Clocks change in the night: the morning's own offset counts.
  return local - offsetAt(local - offsetAt(now, zone), zone);
}

/** Recordings that run, the first to end first. */
export function runningOf(recordings: readonly Recording[]): readonly Recording[] {
  return recordings.filter(({ state }) => inMotion(state)).sort((a, b) => a.event.stop - b.event.stop);
}

/** Recordings that begin before `until`, the soonest first. */
export function nextOf(recordings: readonly Recording[], until: EpochMs): readonly Recording[] {
  return recordings
    .filter((recording) => isBefore(recording) && recording.event.start < until)
    .sort((a, b) => a.event.start - b.event.start || (a.id < b.id ? -1 : 1));
}

/** Planned recordings of which nothing is on disk, the latest first. */
export function lostOf(recordings: readonly Recording[], now: EpochMs): readonly Recording[] {
  return recordings
    .filter((one) => isLost(one) && one.state !== "partial" && (one.endedAt ?? 0) > now - LOST_SHOWN_MS)
    .sort((a, b) => b.event.start - a.event.start);
}

export function leadOf({
  running,
  next,
}: {
  readonly running: readonly Recording[];
  readonly next: readonly Recording[];
}): Lead {
  const count = running.length + next.length;
  if (count === 0) return { kind: "nothing" };
  if (next.length === 0) return { kind: "only-running", count };
  const planned = count - next.filter((one) => outcomeOf(one) !== "planned").length;
  return planned === count ? { kind: "all", count } : { kind: "some", planned, count };
}

/** Recordings that are there to be watched and were not seen yet, the latest first. */
export function newOf(
  entries: readonly LibraryEntry[],
  isSeen: (recordingId: string) => boolean,
): readonly LibraryEntry[] {
  return entries
    .filter(
      ({ recordingId, deleted, goneSince, watched }) =>
        deleted === undefined && goneSince === undefined && !watched && !isSeen(recordingId),
    )
    .sort((a, b) => b.endedAt - a.endedAt || (a.recordingId < b.recordingId ? 1 : -1));
}

/** The share of a window that is over, from 0 to 1. */
export function shareOver(window: Window, now: EpochMs): number {
  return Math.min(1, Math.max(0, (now - window.start) / Math.max(SECOND, lengthMs(window))));
}

/** When a recording ends: with its event, or with its padding once the event is over. */
export function endShown(recording: Recording, now: EpochMs): EpochMs {
  return now < recording.event.stop ? recording.event.stop : plannedSpan(recording).stop;
}

/** Whether all of its attempts are as they should be. */
export function isUndisturbed({ attempts, trouble }: Recording): boolean {
  return trouble === undefined && attempts.every(({ cause }) => cause === undefined || cause === "asked");
}

/** A colour for a channel, always the same: its hue in degrees. */
export function hueOf(channelName: string): number {
  let sum = 7;
  for (const letter of channelName) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return sum;
}
