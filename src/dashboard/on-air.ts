import type { EpochMs } from "../model/time.ts";
import type { Window } from "../model/window.ts";

/** The show that a channel broadcasts at a time, and those that follow. */
export interface OnAir<T> {
  readonly now?: T | undefined;
  readonly later: readonly T[];
}

/** @param shows of one channel, in the order of their starts */
export function onAirAt<T extends Window>(shows: readonly T[], at: EpochMs): OnAir<T> {
  return {
    now: shows.findLast(({ start, stop }) => start <= at && at < stop),
    later: shows.filter(({ start }) => start > at),
  };
}
