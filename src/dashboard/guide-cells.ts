import type { Window } from "../model/window.ts";

/** One place in a row of the grid: a show, or several that are too short for places of their own. */
export interface GuideCell<T> {
  /** At least one; in order. */
  readonly shows: readonly T[];
  readonly leftPx: number;
  readonly widthPx: number;
}

/** The gap after a cell, within its width. */
export const GAP_PX = 2;
/** The least width that a finger or a pointer can hit is 24 px (WCAG 2.2, 2.5.8). */
const WIDTH_PX_MIN = 24 + GAP_PX;
/** A short show may begin so much after its time; beyond that the grid would tell wrong times. */
const SHIFT_PX_MAX = WIDTH_PX_MIN;

/**
 * The cells of one row, left to right, none over another. A short show takes room from the next one. Where that is not
 * enough, it shares the place of the one before.
 *
 * @param shows in the order of their starts
 */
export function cellsOf<T extends Window>(
  shows: readonly T[],
  { range, xOf }: { readonly range: Window; readonly xOf: (at: number) => number },
): readonly GuideCell<T>[] {
  const cells: GuideCell<T>[] = [];
  let edgePx = xOf(range.start);
  for (const show of shows) {
    if (show.stop <= range.start || show.start >= range.stop) continue;
    const startPx = xOf(Math.max(show.start, range.start));
    const stopPx = xOf(Math.min(show.stop, range.stop));
    const last = cells.at(-1);
    const isShort = stopPx < edgePx + WIDTH_PX_MIN;
    if (last !== undefined && isShort && edgePx - startPx > SHIFT_PX_MAX) {
      edgePx = Math.max(edgePx, stopPx);
      cells[cells.length - 1] = {
        shows: [...last.shows, show],
        leftPx: last.leftPx,
        widthPx: edgePx - last.leftPx,
      };
      continue;
    }
    const leftPx = Math.max(startPx, edgePx);
    edgePx = Math.max(stopPx, leftPx + WIDTH_PX_MIN);
    cells.push({ shows: [show], leftPx, widthPx: edgePx - leftPx });
  }
  return cells;
}
