import { type EpochMs, MINUTE, SECOND } from "../../model/time.ts";
import { dayOf, instantAt } from "../local-time.ts";
import type { Database } from "./database.ts";

/** Since this schema (0.26), MythTV stores times in UTC; before it, local times. */
const FIRST_IN_UTC = 1304;

/** The zone of the times in a database. */
export function zoneOf({ schema = FIRST_IN_UTC }: Database, timeZone: string): string {
  return schema < FIRST_IN_UTC ? timeZone : "UTC";
}

/** The instant of `2026-10-01 08:58:00`; `undefined` for anything else, such as a date of zeros. */
export function instantIn(text: string | undefined, zone: string): EpochMs | undefined {
  const [, date = "", hours, minutes, seconds] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d):(\d\d):(\d\d)$/.exec(text ?? "") ?? [];
  const day = dayOf(date);
  if (day === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return undefined;
  return instantAt({ day, minute: Number(hours) * 60 + Number(minutes) }, zone) + Number(seconds) * SECOND;
}

const MINUTES_OF_DAY = 24 * 60;

/** A minute of the day, also for a number beyond it. */
export function minuteOfDay(minute: number): number {
  return ((minute % MINUTES_OF_DAY) + MINUTES_OF_DAY) % MINUTES_OF_DAY;
}

export function minutesBetween(start: EpochMs, stop: EpochMs): number {
  return Math.round((stop - start) / MINUTE);
}
