import type { Inspection } from "../../model/inspection.ts";
import { type DurationMs, type EpochMs, SECOND } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { betweenMs } from "./stream-clock.ts";

/** One file part of a recording, as found on disk. */
export interface InspectedSegment {
  readonly inspection: Inspection;
  /** The instant its last byte was written: the file's mtime. */
  readonly writtenAt: EpochMs;
  readonly bytes: number;
  /** What comes after its last packet is what the next segment begins with: nothing is missing between. */
  readonly goesOn?: boolean;
}

/**
 * What the stream's clock says may differ by so much from what the times of writing say. A source that began its clock anew is
 * within it in one of 1600 cases, and what comes over a slow way is not as late as that.
 */
const CLOCK_SLACK_MS = 30 * SECOND;

/**
 * When each segment was on the air, from its first PCR to its last, in the order of the segments.
 *
 * Segments whose clocks are one clock are as far apart as that says, to the millisecond, however late each was written. Together
 * they are set against the wall clock by the one that was written with the least delay: a last PCR was on disk at `writtenAt`
 * or before.
 */
export function onTimeLine(segments: readonly InspectedSegment[]): readonly Window[] {
  return chainsOf(segments).flatMap((chain) => {
    const startedAt = Math.round(Math.min(...chain.map(({ segment, stopMs }) => segment.writtenAt - stopMs)));
    return chain.map(({ startMs, stopMs }) => ({ start: startedAt + startMs, stop: startedAt + stopMs }));
  });
}

/** A span of a segment's stream time, on the time line that all segments share. */
export function shifted({ start, stop }: Window, startedAt: EpochMs): Window {
  return { start: startedAt + start, stop: startedAt + stop };
}

/** A segment by the clock of the first segment of its chain, in ms since that began. */
interface Link {
  readonly segment: InspectedSegment;
  readonly startMs: DurationMs;
  readonly stopMs: DurationMs;
}

/** Segments in a row with one clock. */
function chainsOf(segments: readonly InspectedSegment[]): readonly (readonly Link[])[] {
  const chains: Link[][] = [];
  for (const segment of segments) {
    const chain = chains.at(-1);
    const before = chain?.at(-1);
    const apartMs = before === undefined ? undefined : clockApartMs(before.segment, segment);
    const startMs = before === undefined || apartMs === undefined ? 0 : before.stopMs + apartMs;
    const link = { segment, startMs, stopMs: startMs + segment.inspection.streamMs };
    if (chain === undefined || apartMs === undefined) chains.push([link]);
    else chain.push(link);
  }
  return chains;
}

/** From the end of one segment to the start of the next by the clock that both share; below 0 where they overlap. */
function clockApartMs(before: InspectedSegment, after: InspectedSegment): DurationMs | undefined {
  const from = before.inspection.clockEnds?.last;
  const to = after.inspection.clockEnds?.first;
  // Timestamps run ahead of the PCRs by as much as a receiver buffers.
  const isOneKind = (before.inspection.clock === "timestamps") === (after.inspection.clock === "timestamps");
  if (from === undefined || to === undefined || !isOneKind) return undefined;
  const apartMs = betweenMs(from, to);
  const writtenMs = after.writtenAt - after.inspection.streamMs - before.writtenAt;
  return Math.abs(apartMs - writtenMs) <= CLOCK_SLACK_MS ? apartMs : undefined;
}
