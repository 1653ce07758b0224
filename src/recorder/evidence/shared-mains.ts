import { type Inspection, lackOf, MAIN_KINDS, type MainKind, type Track } from "../../model/inspection.ts";
import { coveredMs, intersection, lengthMs, merged, type Window } from "../../model/window.ts";
import type { InspectedSegment } from "../../mpeg-ts/streams/time-line.ts";
import { withLacks } from "./lacking.ts";

/**
 * Makes segments agree on the main picture and the main sound.
 *
 * Each segment takes the first stream of its PMT that it received. If the main sound fails and a new attempt starts, the next
 * sound of the PMT would pass for it. A track that is the main one in any segment remains so in all segments that list it first.
 * And a service with picture and sound in one segment has them in all.
 */
export function withSharedMains<T extends InspectedSegment>(segments: readonly T[]): readonly T[] {
  if (segments.length < 2) return segments;
  const known = new Set(
    segments.flatMap(({ inspection }) => inspection.tracks.filter(isSentMain).map(keyOf)),
  );
  const mains = segments.flatMap(({ inspection }) => inspection.tracks.filter(isRequired));
  return segments.map((segment) => ({
    ...segment,
    inspection: withKinds(withMains(segment.inspection, known), mains),
  }));
}

/**
 * A segment whose PMT lists no picture lacks it if another segment has one, and likewise the sound. Audio description and the like
 * replace nothing that another segment has.
 *
 * @param mains of all segments
 */
function withKinds(inspection: Inspection, mains: readonly Track[]): Inspection {
  const of = (tracks: readonly Track[], kind: MainKind) => tracks.filter((track) => track.kind === kind);
  const isWhole = ({ isSupplement }: Track) => isSupplement !== true;
  if (!MAIN_KINDS.some((kind) => of(inspection.tracks, kind).length > 0)) return inspection;
  const missing = MAIN_KINDS.filter((kind) => {
    const [had, has] = [of(mains, kind), of(inspection.tracks, kind)];
    return had.some(isWhole) ? !has.some(isWhole) : had.length > 0 && has.length === 0;
  });
  return missing.reduce((rest, kind) => withLacks(rest, lackOf(kind), inspection.spans), inspection);
}

/** Radio may show a still picture now and then. */
function isRequired(track: Track): boolean {
  return isSentMain(track) && track.mayStill !== true;
}

function withMains(inspection: Inspection, known: ReadonlySet<string>): Inspection {
  const { tracks } = inspection;
  const missed = tracks.filter(
    (track, index) =>
      track.spans.length === 0 &&
      known.has(keyOf(track)) &&
      tracks.slice(index).some((other) => other.kind === track.kind && isSentMain(other)),
  );
  return missed.reduce(withLack, inspection);
}

/** A substitute for a stream that was announced lacks that stream. */
function withLack(inspection: Inspection, missed: Track): Inspection {
  const { spans, tracks } = inspection;
  const kind = lackOf(missed.kind);
  const passed = merged(
    spans.flatMap((span) => missed.announced.map((announced) => intersection(span, announced))),
  );
  return {
    ...withLacks(inspection, kind, passed),
    tracks: tracks.map((track) => {
      if (track === missed) return { ...track, isMain: true };
      return isReplacedBy(track, missed) ? { ...track, isMain: false } : track;
    }),
  };
}

/** Whether a track was the main one only because another did not arrive. */
function isReplacedBy(track: Track, missed: Track): boolean {
  const isCovered = (span: Window) => coveredMs(span, missed.announced) === lengthMs(span);
  return track.isMain && track.kind === missed.kind && track.announced.every(isCovered);
}

function isSentMain({ kind, isMain, spans }: Track): boolean {
  return (kind === "video" || kind === "audio") && isMain && spans.length > 0;
}

function keyOf({ pid, kind, language = "" }: Track): string {
  return `${pid} ${kind} ${language}`;
}
