import type { DurationMs } from "../../../model/time.ts";

/** A part of a file, by its position in it. */
export interface FilePart {
  readonly startMs: DurationMs;
  readonly stopMs: DurationMs;
}

/** Actions of an edit decision list (Kodi wiki, "Edit decision list"). Action 0 would cut the part out. */
const SCENE_MARKER = 2;
const COMMERCIAL_BREAK = 3;

/**
 * An edit decision list in MPlayer's format, as Kodi reads it: start, end and action, in seconds. Kodi takes the end for the place
 * of a scene marker.
 */
export function edlText(breaks: readonly FilePart[], marksMs: readonly DurationMs[]): string {
  const marks = marksMs.map((at) => ({ startMs: at, stopMs: at, action: SCENE_MARKER }));
  const parts = breaks.map((part) => ({ ...part, action: COMMERCIAL_BREAK }));
  const lines = [...parts, ...marks]
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ startMs, stopMs, action }) => `${seconds(startMs)}\t${seconds(stopMs)}\t${action}\n`);
  return lines.join("");
}

/** The parts of a list, whatever their action. */
export function partsIn(edl: string): readonly FilePart[] {
  return edl.split("\n").flatMap((line) => {
    const [start = Number.NaN, stop = Number.NaN] = line.trim().split(/\s+/).map(Number);
    return stop > start ? [{ startMs: start * 1000, stopMs: stop * 1000 }] : [];
  });
}

function seconds(ms: DurationMs): string {
  return (ms / 1000).toFixed(3);
}
