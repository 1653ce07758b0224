import type { Evidence } from "../model/recording.ts";
import type { DurationMs } from "../model/time.ts";
import { coveredMs, lengthMs, merged, uncovered, type Window } from "../model/window.ts";
import { type InspectedSegment, onTimeLine } from "./time-line.ts";

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
 * What the segments of one recording prove. Not dated, and so covering nothing, is a segment without a clock or without a single
 * clear packet of the service.
 */
export function evidenceOf({ segments, event, window }: EvidenceQuestion): Omit<Evidence, "file"> {
  const spans = spansOf(segments);
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
    damagedPackets: sum(({ inspection }) => inspection.damagedPackets),
    junkBytes: sum(({ inspection }) => inspection.junkBytes),
    gaps: [...missingIn(window, segments)]
      .sort((a, b) => lengthMs(b) - lengthMs(a) || a.start - b.start)
      .slice(0, GAPS_MAX),
  };
}

/** The parts of the window for which no segment has clear payload, in order. */
export function missingIn(window: Window, segments: readonly InspectedSegment[]): readonly Window[] {
  return uncovered(window, reachingEnds(window, spansOf(segments)));
}

/** When there was clear payload, by the wall clock. */
function spansOf(segments: readonly InspectedSegment[]): readonly Window[] {
  const placed = onTimeLine(segments);
  return merged(
    segments.flatMap(({ inspection: { payloadPackets, spans }, goesOn = false }, index) => {
      const { start: startedAt = 0, stop: endedAt = 0 } = placed[index] ?? {};
      if (payloadPackets === 0) return [];
      const own = spans.map(({ start, stop }) => ({ start: startedAt + start, stop: startedAt + stop }));
      const next = placed[index + 1];
      return goesOn && next !== undefined ? [...own, { start: endedAt, stop: next.start }] : own;
    }),
  );
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
