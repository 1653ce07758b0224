import { HOUR, MINUTE } from "../model/time.ts";
import type { Window } from "../model/window.ts";

/** Pixels per hour, from far to near. */
export const ZOOMS = [6, 12, 24, 60, 120, 240, 480] as const;
export const ZOOM_AT_FIRST = 4;

const STEPS_MS = [
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];
const TICK_PX = 84;

export interface Tick {
  readonly at: number;
  readonly isMidnight: boolean;
}

/** Ticks at round times of the viewer's clock, also on days with 23 or 25 hours. */
export function ticksOf({ start, stop }: Window, pxPerHour: number): readonly Tick[] {
  const stepMs = STEPS_MS.find((ms) => (ms / HOUR) * pxPerHour >= TICK_PX) ?? 24 * HOUR;
  const ticks: Tick[] = [];
  const first = new Date(start);
  for (let day = first.getDate(); ; day += 1) {
    const midnight = new Date(first.getFullYear(), first.getMonth(), day).getTime();
    if (midnight > stop) return ticks;
    for (let minutes = 0; minutes < 24 * 60; minutes += stepMs / MINUTE) {
      const at = new Date(first.getFullYear(), first.getMonth(), day, 0, minutes).getTime();
      // A skipped hour equals the one after it.
      const isTold = at === ticks.at(-1)?.at;
      if (at >= start && at <= stop && !isTold) ticks.push({ at, isMidnight: minutes === 0 });
    }
  }
}
