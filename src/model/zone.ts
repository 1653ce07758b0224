import { DAY, type DurationMs, type EpochMs, HOUR, SECOND } from "./time.ts";

/** A cache: a format costs a hundred times as much to make as to use. */
const FACES = new Map<string, Intl.DateTimeFormat>();

/** The offset of a zone (IANA name) from UTC. @throws RangeError if the system does not know the zone */
export function offsetAt(at: EpochMs, zone: string): DurationMs {
  const parts = Object.fromEntries(
    faceOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / SECOND) * SECOND;
}

/** Longer than any step of a clock change, and shorter than the time between two changes. */
const AROUND_MS = 3 * HOUR;

/** By zone and day. A cache: nearly all times are of days without a change. */
const DAYS_SET_BACK = new Map<string, boolean>();
const DAYS_KEPT = 1000;

/** Whether clocks in the zone show this time twice, because they are set back. */
export function isShownTwice(at: EpochMs, zone: string): boolean {
  if (!isSetBackNear(at, zone)) return false;
  const offset = offsetAt(at, zone);
  const laterBackMs = offset - offsetAt(at + AROUND_MS, zone);
  if (laterBackMs > 0 && offsetAt(at + laterBackMs, zone) === offset - laterBackMs) return true;
  const earlierBackMs = offsetAt(at - AROUND_MS, zone) - offset;
  return earlierBackMs > 0 && offsetAt(at - earlierBackMs, zone) === offset + earlierBackMs;
}

/** Whether clocks are set back on the day of UTC, or a little before or after it. */
function isSetBackNear(at: EpochMs, zone: string): boolean {
  const day = Math.floor(at / DAY);
  const key = `${zone} ${day}`;
  const known = DAYS_SET_BACK.get(key);
  if (known !== undefined) return known;
  const found = offsetAt(day * DAY - AROUND_MS, zone) > offsetAt((day + 1) * DAY + AROUND_MS, zone);
  if (DAYS_SET_BACK.size >= DAYS_KEPT) DAYS_SET_BACK.clear();
  DAYS_SET_BACK.set(key, found);
  return found;
}

/** Whether the system knows the zone. */
export function isZone(zone: string): boolean {
  try {
    faceOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** @throws RangeError */
function faceOf(timeZone: string): Intl.DateTimeFormat {
  const known = FACES.get(timeZone);
  if (known !== undefined) return known;
  const face = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  FACES.set(timeZone, face);
  return face;
}
