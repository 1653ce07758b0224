import { DAY, type DurationMs, type EpochMs, MINUTE } from "../model/time.ts";
import { offsetAt } from "../model/zone.ts";

/** A moment as the wall clock of a zone shows it. */
export interface LocalTime {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

/** Offsets at midnights in UTC, by zone and day: asking the system takes a hundred times as long, and a list has thousands of times. */
const OFFSETS = new Map<string, DurationMs>();
const OFFSETS_KEPT = 20_000;

/** No zone changes its offset twice a day. */
function quickOffsetAt(at: EpochMs, timeZone: string): DurationMs {
  const day = Math.floor(at / DAY);
  const [before, after] = [midnightOffset(day, timeZone), midnightOffset(day + 1, timeZone)];
  return before === after ? before : offsetAt(at, timeZone);
}

function midnightOffset(day: number, timeZone: string): DurationMs {
  const key = `${timeZone} ${day}`;
  const known = OFFSETS.get(key);
  if (known !== undefined) return known;
  if (OFFSETS.size >= OFFSETS_KEPT) OFFSETS.clear();
  const offset = offsetAt(day * DAY, timeZone);
  OFFSETS.set(key, offset);
  return offset;
}

/** The later one of two such instants, and one an hour off if there is none. */
export function instantAt({ day, minute }: LocalTime, timeZone: string): EpochMs {
  const wall = day * DAY + minute * MINUTE;
  const guess = wall - quickOffsetAt(wall, timeZone);
  return wall - quickOffsetAt(guess, timeZone);
}

export function localTimeAt(at: EpochMs, timeZone: string): LocalTime {
  const wall = at + quickOffsetAt(at, timeZone);
  return { day: Math.floor(wall / DAY), minute: Math.floor((wall % DAY) / MINUTE) };
}

/** 1 (Monday) to 7 (Sunday); 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Days since 1970-01-01 of a date such as `2026-12-24`; `undefined` for anything else. */
export function dayOf(date: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined;
  const at = Date.parse(`${date}T00:00:00Z`);
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
  return isReal ? at / DAY : undefined;
}

/** Minutes since midnight of `2015`; `undefined` for anything else. */
export function minuteOf(digits: string): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}?)(\d\d)$/.exec(digits) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return Number(hours) * 60 + Number(minutes);
}
