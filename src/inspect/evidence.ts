import type { Inspection } from "../model/inspection.ts";
import type { Evidence } from "../model/recording.ts";
import type { DurationMs, EpochMs } from "../model/time.ts";
import { coveredMs, lengthMs, merged, uncovered, type Window } from "../model/window.ts";
import { PACKET_BYTES } from "./packets.ts";

/** One file part of a recording, as found on disk. */
export interface InspectedSegment {
  readonly inspection: Inspection;
  /** The instant its last byte was written: the file's mtime. */
  readonly writtenAt: EpochMs;
  readonly bytes: number;
}

export interface EvidenceQuestion {
  readonly segments: readonly InspectedSegment[];
  readonly event: Window;
  /** The padded window. */
  readonly window: Window;
}

/**
 * A window counts as covered to its ends when they are missed by no more than this: packets before the first and after the last
 * PCR are there but not dated, and two PCRs may lie this far apart (ISO/IEC 13818-1 §2.7.2).
 */
const EDGE_SLACK_MS = 100;

const GAPS_MAX = 20;

/**
 * What the segments of one recording prove. Stream time is set against the wall clock by the last PCR of each segment, which was
 * on disk at `writtenAt`; the error is the delay of writing, some tens of ms. Not dated, and so covering nothing, is a
 * segment without a clock or without a single clear packet of the service.
 */
export function evidenceOf({ segments, event, window }: EvidenceQuestion): Omit<Evidence, "file"> {
  const spans = merged(segments.flatMap(onWallClock));
  const first = spans.at(0);
  const last = spans.at(-1);
  const sum = (of: (segment: InspectedSegment) => number) =>
    segments.reduce((total, segment) => total + of(segment), 0);
  return {
    bytes: sum(({ bytes }) => bytes),
    segments: segments.length,
    eventMs: lengthMs(event),
    eventCoveredMs: coveredMs(event, reachingEnds(event, spans)),
    windowMs: lengthMs(window),
    windowCoveredMs: coveredMs(window, reachingEnds(window, spans)),
    ...(first === undefined || last === undefined ? {} : { firstAt: first.start, lastAt: last.stop }),
    continuityErrors: sum(({ inspection }) => inspection.continuityErrors),
    transportErrors: sum(({ inspection }) => inspection.transportErrors),
    scrambledPackets: sum(({ inspection }) => inspection.scrambledPackets),
    clockBreaks: sum(({ inspection }) => inspection.clockBreaks.length),
    junkPackets: sum(({ inspection }) => Math.ceil(inspection.junkBytes / PACKET_BYTES)),
    gaps: [...missingIn(window, segments)]
      .sort((a, b) => lengthMs(b) - lengthMs(a) || a.start - b.start)
      .slice(0, GAPS_MAX),
  };
}

/** The parts of the window for which no segment has clear payload, in order. */
export function missingIn(window: Window, segments: readonly InspectedSegment[]): readonly Window[] {
  return uncovered(window, reachingEnds(window, merged(segments.flatMap(onWallClock))));
}

function onWallClock({ inspection, writtenAt }: InspectedSegment): readonly Window[] {
  if (inspection.payloadPackets === 0) return [];
  const startedAt = writtenAt - inspection.streamMs;
  return inspection.spans.map(({ start, stop }) => ({ start: startedAt + start, stop: startedAt + stop }));
}

/** The spans that touch the window, drawn to its ends where they miss them by no more than the slack. */
function reachingEnds(window: Window, spans: readonly Window[]): readonly Window[] {
  const near = (missedMs: DurationMs) => missedMs > 0 && missedMs <= EDGE_SLACK_MS;
  return spans
    .filter((span) => span.start < window.stop && span.stop > window.start)
    .map((span) => ({
      start: near(span.start - window.start) ? window.start : span.start,
      stop: near(window.stop - span.stop) ? window.stop : span.stop,
    }));
}
