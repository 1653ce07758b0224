import type { Inspection } from "../../model/inspection.ts";
import { type DurationMs, type EpochMs, SECOND } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { betweenMs } from "./stream-clock.ts";

/** One segment of a recording, as inspected on disk. */
export interface InspectedSegment {
  readonly inspection: Inspection;
  /** The instant its last byte was written: the file's mtime. */
  readonly writtenAt: EpochMs;
  readonly bytes: number;
  /** The next segment continues after its last packet: nothing is missing between them. */
  readonly goesOn?: boolean;
  /** Its packets came much faster than a broadcast, so its write time does not date them: it covers nothing. */
  readonly undatable?: true;
}

/**
 * The largest accepted difference between the stream's clock and the write times. A source that restarted its clock stays
 * within it in one of 1600 cases, and a slow connection delays less.
 */
export const CLOCK_SLACK_MS = 30 * SECOND;

/**
 * The broadcast time of each segment, from its first PCR to its last, in segment order.
 *
 * Segments that share a clock are placed by it to the millisecond, however late each was written. The chain is aligned with the
 * wall clock by the segment with the least write delay: a last PCR was on disk at `writtenAt` or before.
 */
export function onTimeLine(segments: readonly InspectedSegment[]): readonly Window[] {
  return chainsOf(segments).flatMap((chain) => {
    const startedAt = Math.round(Math.min(...chain.map(({ segment, stopMs }) => segment.writtenAt - stopMs)));
    return chain.map(({ segment: { undatable, writtenAt }, startMs, stopMs }) =>
      undatable === true
        ? { start: writtenAt, stop: writtenAt }
        : { start: startedAt + startMs, stop: startedAt + stopMs },
    );
  });
}

/** Moves a span of a segment's stream time to the shared timeline. */
export function shifted({ start, stop }: Window, startedAt: EpochMs): Window {
  return { start: startedAt + start, stop: startedAt + stop };
}

/** A segment on the clock of its chain's first segment, in ms since that began. */
interface Link {
  readonly segment: InspectedSegment;
  readonly startMs: DurationMs;
  readonly stopMs: DurationMs;
}

/** Groups consecutive segments that share a clock. */
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

/** Time from the end of one segment to the start of the next on their shared clock; negative if they overlap. */
export function clockApartMs(before: InspectedSegment, after: InspectedSegment): DurationMs | undefined {
  const from = before.inspection.clockEnds?.last;
  const to = after.inspection.clockEnds?.first;
  if (before.undatable === true || after.undatable === true) return undefined;
  // Timestamps run ahead of PCRs by the receiver's buffer.
  const isOneKind = (before.inspection.clock === "timestamps") === (after.inspection.clock === "timestamps");
  if (from === undefined || to === undefined || !isOneKind) return undefined;
  const apartMs = betweenMs(from, to);
  const writtenMs = after.writtenAt - after.inspection.streamMs - before.writtenAt;
  if (Math.abs(apartMs - writtenMs) > CLOCK_SLACK_MS || isRestarted(before, after)) return undefined;
  return apartMs;
}

/** Two beginnings of one clock that are this near to each other by its readings, and farther by the wall clock, are two clocks. */
const SAME_BEGINNING_MS = SECOND;

/**
 * Whether the clock began again where it had begun before. Programs that encode for each connection do that: ffmpeg begins at about
 * 1.4 s every time. A source that sends its buffer again sends it faster than live, so the wall clock agrees.
 */
function isRestarted(before: InspectedSegment, after: InspectedSegment): boolean {
  const [was, is] = [before.inspection.clockEnds?.first ?? 0, after.inspection.clockEnds?.first ?? 0];
  const beganAt = ({ writtenAt, inspection }: InspectedSegment) => writtenAt - inspection.streamMs;
  const byClock = Math.abs(betweenMs(was, is));
  const byWall = beganAt(after) - beganAt(before);
  return byClock <= SAME_BEGINNING_MS && byWall - byClock > 2 * SAME_BEGINNING_MS;
}
