import { DAY, type EpochMs, HOUR, MINUTE } from "../model/time.ts";
import { isZone, offsetAt } from "../model/zone.ts";

/** A wall clock's time. */
export interface LocalTime {
  /** 1 (Monday) to 7. */
  readonly weekday: number;
  /** 0 to 1439. */
  readonly minute: number;
}

export type LocalTimeOf = (at: EpochMs) => LocalTime;

/** No zone changes its offset within a quarter of an hour of the clock. */
const QUARTER = HOUR / 4;
/** Two months of quarters; there is no need for more at once. */
const OFFSETS_KEPT = 6000;

/** The local time in a zone of the tz database. Any other zone counts as UTC. */
export function localTimeIn(zone = "UTC"): LocalTimeOf {
  const known = isZone(zone) ? zone : "UTC";
  const offsets = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = offsetAt(quarter * QUARTER, known);
      if (offsets.size >= OFFSETS_KEPT) offsets.clear();
      offsets.set(quarter, offset);
    }
    const local = at + offset;
    const day = Math.floor(local / DAY);
    // The epoch was a Thursday.
    return { weekday: ((((day + 3) % 7) + 7) % 7) + 1, minute: Math.floor((local - day * DAY) / MINUTE) };
  };
}
