import type { Inspection } from "../../model/inspection.ts";
import type { InspectedSegment } from "../../mpeg-ts/streams/time-line.ts";

/** Removes the spans of undatable segments, so that these cover nothing and lack nothing. */
export function withoutUndatableSpans<T extends InspectedSegment>(segments: readonly T[]): readonly T[] {
  return segments.map((segment) =>
    segment.undatable === true ? { ...segment, inspection: withoutSpans(segment.inspection) } : segment,
  );
}

function withoutSpans(inspection: Inspection): Inspection {
  const tracks = inspection.tracks.map((track) => ({ ...track, announced: [], spans: [] }));
  return { ...inspection, spans: [], lacks: [], tracks };
}
