import type { Findings, Gap, IncompleteTrack } from "../../model/evidence.ts";
import { type ClockSource, type Hollow, type Lack, tableErrorsIn } from "../../model/inspection.ts";
import type { DurationMs } from "../../model/time.ts";
import { coveredMs, lengthMs, longest, merged, shared, uncovered, type Window } from "../../model/window.ts";
import { type InspectedSegment, onTimeLine, shifted } from "../../mpeg-ts/streams/time-line.ts";
import { tracksOf } from "../../mpeg-ts/streams/tracks.ts";
import { withSharedMains } from "./shared-mains.ts";
import { withoutUndatableSpans } from "./undatable.ts";

export interface EvidenceQuestion {
  readonly segments: readonly InspectedSegment[];
  readonly event: Window;
  /** The padded window. */
  readonly window: Window;
}

/**
 * Tolerance at the ends of a window: packets before the first and after the last PCR have no date, and two PCRs may be this far
 * apart (ISO/IEC 13818-1 §2.7.2).
 */
const EDGE_SLACK_MS = 100;

const GAPS_MAX = 20;
const TRACKS_MAX = 16;
/** A shorter part of a gap is not reported separately: picture and sound never end at the same instant. */
const SPLIT_MS_MIN = 500;

/**
 * Evaluates the segments of one recording. A segment without a clock or a clear packet of the service, or faster than a broadcast,
 * has no date, so it covers nothing. If no segment has a clock, nothing counts as missing.
 */
export function evidenceOf(question: EvidenceQuestion): Findings {
  const { event, window } = question;
  const segments = withSharedMains(withoutUndatableSpans(question.segments));
  const spans = spansOf(segments);
  const onDisk = onTimeLine(segments).filter((_, index) => isDated(segments[index]));
  const firstAt = Math.min(...onDisk.map(({ start }) => start));
  const lastAt = Math.max(...onDisk.map(({ stop }) => stop));
  const sum = (of: (segment: InspectedSegment) => number) =>
    segments.reduce((total, segment) => total + of(segment), 0);
  const clock = clockOf(segments);
  const ofTables = segments.map(({ inspection }) => tableErrorsIn(inspection));
  const lostInTables = ofTables.reduce((total, { continuityErrors }) => total + continuityErrors, 0);
  const damagedInTables = ofTables.reduce((total, { transportErrors }) => total + transportErrors, 0);
  const tableErrors = lostInTables + damagedInTables;
  const gaps = clock === "none" ? [] : missingIn(window, segments);
  const hollow = hollowOf(segments);
  const incompleteTracks = incompleteOf(segments, { event, window, gaps });
  return {
    bytes: sum(({ bytes }) => bytes),
    segments: segments.length,
    eventMs: lengthMs(event),
    eventCoveredMs: coveredMs(event, reachingEnds(event, spans)),
    windowMs: lengthMs(window),
    windowCoveredMs: coveredMs(window, reachingEnds(window, spans)),
    ...(onDisk.length === 0 ? {} : { firstAt, lastAt }),
    continuityErrors: sum(({ inspection }) => inspection.continuityErrors) - lostInTables,
    ...(tableErrors === 0 ? {} : { tableErrors }),
    transportErrors: sum(({ inspection }) => inspection.transportErrors) - damagedInTables,
    scrambledPackets: sum(({ inspection }) => inspection.scrambledPackets),
    clockBreaks: sum(({ inspection }) => inspection.clockBreaks.length),
    damagedPackets: sum(({ inspection }) => inspection.damagedPackets),
    junkBytes: sum(({ inspection }) => inspection.junkBytes),
    flawedMs: coveredMs(event, shared(spans, flawedOf(segments))),
    gaps: longest(gaps, GAPS_MAX),
    ...(hollow.length === 0 ? {} : { hollow }),
    ...(incompleteTracks.length === 0 ? {} : { incompleteTracks }),
    ...(clock === "pcr" ? {} : { clock }),
  };
}

function isDated(segment: InspectedSegment | undefined): boolean {
  if (segment === undefined || segment.undatable === true) return false;
  return segment.inspection.payloadPackets > 0 && segment.inspection.streamMs > 0;
}

/** The parts of the window in which no segment has picture and sound, in order, each with the missing one. */
export function missingIn(window: Window, segments: readonly InspectedSegment[]): readonly Gap[] {
  const lacks = lacksOf(segments);
  const of = (kind: Lack["kind"]) => merged(lacks.filter((lack) => lack.kind === kind));
  const [picture, sound] = [of("picture"), of("sound")];
  return uncovered(window, reachingEnds(window, spansOf(segments))).flatMap((gap) =>
    splitByLack(gap, { picture, sound }),
  );
}

function splitByLack(
  gap: Window,
  { picture, sound }: { readonly picture: readonly Window[]; readonly sound: readonly Window[] },
): readonly Gap[] {
  const cuts = [...picture, ...sound].flatMap(({ start, stop }) => [start, stop]);
  const inside = [...new Set(cuts)].filter((at) => at > gap.start && at < gap.stop).sort((a, b) => a - b);
  const edges = [gap.start, ...inside, gap.stop];
  const found: Gap[] = [];
  for (const [index, stop] of edges.slice(1).entries()) {
    const start = edges[index] ?? gap.start;
    const isIn = (spans: readonly Window[]) => coveredMs({ start, stop }, spans) > 0;
    const kind = isIn(picture) === isIn(sound) ? undefined : isIn(picture) ? "picture" : "sound";
    const before = found.at(-1);
    if (before !== undefined && (before.lacks === kind || stop - start < SPLIT_MS_MIN)) {
      found[found.length - 1] = { ...before, stop };
    } else if (before !== undefined && lengthMs(before) < SPLIT_MS_MIN) {
      found[found.length - 1] = { start: before.start, stop, ...(kind === undefined ? {} : { lacks: kind }) };
    } else {
      found.push({ start, stop, ...(kind === undefined ? {} : { lacks: kind }) });
    }
  }
  return found;
}

/** The spans with picture and sound, by the wall clock. */
function spansOf(segments: readonly InspectedSegment[]): readonly Window[] {
  const placed = onTimeLine(segments);
  return merged(
    segments.flatMap(({ inspection: { payloadPackets, spans }, goesOn = false }, index) => {
      const { start: startedAt = 0, stop: endedAt = 0 } = placed[index] ?? {};
      if (payloadPackets === 0) return [];
      const own = spans.map((span) => shifted(span, startedAt));
      const next = placed[index + 1];
      return goesOn && next !== undefined ? [...own, { start: endedAt, stop: next.start }] : own;
    }),
  );
}

/** The flawed seconds of all segments, by the wall clock. */
function flawedOf(segments: readonly InspectedSegment[]): readonly Window[] {
  const placed = onTimeLine(segments);
  return merged(
    segments.flatMap(({ inspection: { flawed } }, index) =>
      flawed.map((second) => shifted(second, placed[index]?.start ?? 0)),
    ),
  );
}

function lacksOf(segments: readonly InspectedSegment[]): readonly Lack[] {
  const placed = onTimeLine(segments);
  return segments.flatMap(({ inspection: { lacks } }, index) =>
    lacks.map((lack) => ({ ...lack, ...shifted(lack, placed[index]?.start ?? 0) })),
  );
}

/** The least precise clock of the segments with payload. */
export function clockOf(segments: readonly InspectedSegment[]): ClockSource {
  const clocks = segments
    .filter(({ inspection }) => inspection.payloadPackets > 0)
    .map(({ inspection }) => inspection.clock);
  const known = clocks.filter((clock) => clock !== "none");
  if (clocks.length > 0 && known.length === 0) return "none";
  return (["timestamps", "other-pcr"] as const).find((clock) => known.includes(clock)) ?? "pcr";
}

/** At most one for picture and one for sound, preferably one that a decoder judged. */
function hollowOf(segments: readonly InspectedSegment[]): readonly Hollow[] {
  const all = segments.flatMap(({ inspection }) => inspection.hollow ?? []);
  return (["picture", "sound"] as const).flatMap((kind) => {
    const alike = all.filter((hollow) => hollow.kind === kind);
    const judged = alike.find(({ isUnchecked }) => isUnchecked !== true);
    return judged === undefined ? alike.slice(0, 1) : [judged];
  });
}

function incompleteOf(
  segments: readonly InspectedSegment[],
  { event, window, gaps }: { readonly event: Window; readonly window: Window; readonly gaps: readonly Gap[] },
): readonly IncompleteTrack[] {
  const nothing = gaps.filter(({ lacks }) => lacks === undefined);
  // A scrambled stream was sent.
  const sent = new Set(segments.flatMap(({ inspection }) => inspection.pids.map(({ pid }) => pid)));
  const incomplete = tracksOf(segments, { window, nothing })
    .filter(({ kind, missing }) => (kind === "video" || kind === "audio") && missing.length > 0)
    .map(({ announcedMs: _announced, presentMs, spans, missing, ...track }) => ({
      ...track,
      eventCoveredMs: coveredMs(event, spans),
      missing: longest(missing, GAPS_MAX),
      ...(presentMs === 0 && !sent.has(track.pid) ? ({ neverSent: true } as const) : {}),
    }));
  if (incomplete.length <= TRACKS_MAX) return incomplete;
  // A track that never came says the least.
  const kept = new Set([...incomplete].sort((a, b) => worth(b) - worth(a)).slice(0, TRACKS_MAX));
  return incomplete.filter((track) => kept.has(track));
}

function worth({ isMain, neverSent }: IncompleteTrack): number {
  if (isMain) return 2;
  return neverSent === true ? 0 : 1;
}

/** The spans that touch the window, extended to its ends within the tolerance. */
function reachingEnds(window: Window, spans: readonly Window[]): readonly Window[] {
  const near = (missedMs: DurationMs) => missedMs > 0 && missedMs <= EDGE_SLACK_MS;
  return spans
    .filter((span) => span.start < window.stop && span.stop > window.start)
    .map((span) => ({
      start: near(span.start - window.start) ? window.start : span.start,
      stop: near(window.stop - span.stop) ? window.stop : span.stop,
    }));
}
