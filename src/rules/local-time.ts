import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE } from "../model/time.ts";
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
/** Offsets kept of one zone: those of more than a year. */
const OFFSETS_KEPT = 1000;

/** Offsets cost more than rules: searches share them. There are no more of them than zones. */
const ZONES = new Map<string, LocalTimeOf>();

/** The local time in a zone of the tz database. Any other zone counts as UTC. */
export function localTimeIn(zone = "UTC"): LocalTimeOf {
  const name = isZone(zone) ? zone : "UTC";
  const known = ZONES.get(name);
  if (known !== undefined) return known;
  const offsets = new Offsets(name);
  const timeOf: LocalTimeOf = (at) => {
    const local = at + offsets.at(at);
    const day = Math.floor(local / DAY);
    // The epoch was a Thursday.
    return { weekday: ((((day + 3) % 7) + 7) % 7) + 1, minute: Math.floor((local - day * DAY) / MINUTE) };
  };
  ZONES.set(name, timeOf);
  return timeOf;
}

class Offsets {
  readonly #zone: string;
  /** By day, and by quarter of an hour on a day with a change. */
  readonly #days = new Map<number, DurationMs | undefined>();
  readonly #quarters = new Map<number, DurationMs>();

  constructor(zone: string) {
    this.#zone = zone;
  }

  at(at: EpochMs): DurationMs {
    return this.#ofDay(Math.floor(at / DAY)) ?? this.#ofQuarter(Math.floor(at / QUARTER));
  }

  /** `undefined` if it changes: no zone changes it twice within a day. */
  #ofDay(day: number): DurationMs | undefined {
    if (this.#days.has(day)) return this.#days.get(day);
    const [first, last] = [offsetAt(day * DAY, this.#zone), offsetAt((day + 1) * DAY, this.#zone)];
    if (this.#days.size >= OFFSETS_KEPT) this.#days.clear();
    this.#days.set(day, first === last ? first : undefined);
    return first === last ? first : undefined;
  }

  #ofQuarter(quarter: number): DurationMs {
    const known = this.#quarters.get(quarter);
    if (known !== undefined) return known;
    const offset = offsetAt(quarter * QUARTER, this.#zone);
    if (this.#quarters.size >= OFFSETS_KEPT) this.#quarters.clear();
    this.#quarters.set(quarter, offset);
    return offset;
  }
}
