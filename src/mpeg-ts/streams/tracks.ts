import type { StreamFacts, Track } from "../../model/inspection.ts";
import type { TrackIntegrity } from "../../model/integrity.ts";
import { SECOND } from "../../model/time.ts";
import {
  coveredMs,
  intersection,
  lengthMs,
  merged,
  totalMs,
  uncovered,
  type Window,
} from "../../model/window.ts";
import { type InspectedSegment, onTimeLine, shifted } from "./time-line.ts";

/** Streams begin and end with their own units: less than this is no gap. */
const MISSING_MS_MIN = SECOND;

/** One elementary stream of all segments, on the wall clock. */
export interface PlacedTrack extends TrackIntegrity {
  readonly spans: readonly Window[];
}

/**
 * The elementary streams of a recording. PID, kind and language identify a stream across segments.
 *
 * @param nothing spans without any packet of the service: they are no gap of a single stream
 */
export function tracksOf(
  segments: readonly InspectedSegment[],
  { window, nothing }: { readonly window: Window; readonly nothing: readonly Window[] },
): readonly PlacedTrack[] {
  const placed = onTimeLine(segments);
  const byKey = new Map<string, readonly Track[]>();
  for (const [index, { inspection }] of segments.entries()) {
    const startedAt = placed[index]?.start ?? 0;
    for (const track of inspection.tracks) {
      const { pid, kind, language = "" } = track;
      const key = `${pid} ${kind} ${language}`;
      byKey.set(key, [...(byKey.get(key) ?? []), at(track, startedAt)]);
    }
  }
  return [...byKey.values()].flatMap((parts) => {
    const [first] = parts;
    return first === undefined ? [] : [together(first, { parts, window, nothing })];
  });
}

function at(track: Track, startedAt: number): Track {
  const place = (spans: readonly Window[]) => spans.map((span) => shifted(span, startedAt));
  return { ...track, announced: place(track.announced), spans: place(track.spans) };
}

function together(
  first: Track,
  {
    parts,
    window,
    nothing,
  }: { readonly parts: readonly Track[]; readonly window: Window; readonly nothing: readonly Window[] },
): PlacedTrack {
  const { isMain: _main, announced: _announced, spans: _spans, ...facts } = first;
  const announced = merged(parts.flatMap((part) => part.announced));
  const spans = merged(parts.flatMap((part) => part.spans));
  const wanted = announced.map((span) => intersection(span, window));
  const missing = wanted
    .flatMap((span) => uncovered(span, [...spans, ...nothing]))
    .filter((span) => lengthMs(span) >= MISSING_MS_MIN);
  return {
    ...(facts satisfies StreamFacts),
    isMain: parts.some(({ isMain }) => isMain),
    announcedMs: totalMs(announced),
    presentMs: announced.reduce((sum, span) => sum + coveredMs(span, spans), 0),
    missing,
    spans,
  };
}
