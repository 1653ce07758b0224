import { DAY, type EpochMs, MINUTE } from "../../model/time.ts";
import { offsetAt } from "../../model/zone.ts";

/** The calendar and wall clock of one time zone. Days count from 1970-01-01. */
export class Zone {
  readonly #name: string;

  /** @param name of the tz database */
  constructor(name: string) {
    this.#name = name;
  }

  dayOf(at: EpochMs): number {
    return Math.floor((at + offsetAt(at, this.#name)) / DAY);
  }

  /**
   * The instant at which the wall clock shows this day and minute; the later of two, and one an hour off if there is
   * none.
   */
  instant(day: number, minuteOfDay: number): EpochMs {
    const wall = day * DAY + minuteOfDay * MINUTE;
    const guess = wall - offsetAt(wall, this.#name);
    return wall - offsetAt(guess, this.#name);
  }
}
