import { type DurationMs, type EpochMs, MINUTE } from "./time.ts";

/** Making one costs a hundred times as much as using it. */
const FACES = new Map<string, Intl.DateTimeFormat>();
/** By zone and quarter of an hour: listings name the same ones again and again. */
const OFFSETS = new Map<string, DurationMs>();
const OFFSETS_KEPT = 20_000;
const QUARTER = 15 * MINUTE;

/** By how much clocks of the zone (IANA name) are ahead of UTC then. Zones change at full quarters of an hour. */
export function offsetAt(at: EpochMs, zone: string): DurationMs {
  const quarter = Math.floor(at / QUARTER) * QUARTER;
  const key = `${quarter} ${zone}`;
  const known = OFFSETS.get(key);
  if (known !== undefined) return known;
  const face = Object.fromEntries(
    faceOf(zone)
      .formatToParts(quarter)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = face;
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter;
  if (OFFSETS.size >= OFFSETS_KEPT) OFFSETS.clear();
  OFFSETS.set(key, offset);
  return offset;
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
  const face = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  });
  FACES.set(timeZone, face);
  return face;
}
