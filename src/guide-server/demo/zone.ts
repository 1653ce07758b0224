import { DAY, type EpochMs, MINUTE } from "../../model/time.ts";

/** The calendar and clock on the wall of one time zone. Days are counted from 1970-01-01. */
export class Zone {
  readonly #format: Intl.DateTimeFormat;

  /** @param name of the tz database */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat("en-GB", {
      timeZone: name,
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      hourCycle: "h23",
    });
  }

  dayOf(at: EpochMs): number {
    return Math.floor(this.#wall(at) / DAY);
  }

  /** The instant at which the wall shows that day and minute; of two the later, of none the one an hour off. */
  instant(day: number, minuteOfDay: number): EpochMs {
    const wall = day * DAY + minuteOfDay * MINUTE;
    const guess = wall - this.#offset(wall);
    return wall - this.#offset(guess);
  }

  #offset(at: EpochMs): number {
    return this.#wall(at) - Math.floor(at / 1000) * 1000;
  }

  /** What the wall shows, as if it were UTC. */
  #wall(at: EpochMs): EpochMs {
    const parts = new Map(this.#format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(
      part("year"),
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
      part("second"),
    );
  }
}
