import { type DurationMs, type EpochMs, SECOND } from "./time.ts";

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
