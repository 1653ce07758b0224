import { type DurationMs, type EpochMs, HOUR, instantOf, MINUTE } from "../../model/time.ts";
import { offsetAt } from "../../model/zone.ts";

const XMLTV_TIME = /^(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:\s*([+-]\d\d:?\d\d|UTC|GMT|Z))?$/i;

/** How to interpret the times of a listing. */
export interface TimeRules {
  /** IANA name of the zone for times without one. */
  readonly zone: string;
  /** Use this zone for all times, even those with their own. */
  readonly isForAll: boolean;
}

export interface ReadTime {
  readonly at: EpochMs;
  /** The time has no zone. */
  readonly isLocal: boolean;
}

/**
 * Reads an XMLTV time: `20261121193000 +1100`, or a prefix, which means its earliest instant. UTC is the only
 * accepted zone name, since others are ambiguous.
 *
 * @returns `undefined` for anything else, including impossible dates
 */
export function parseXmltvTime(text: string, { zone, isForAll }: TimeRules): ReadTime | undefined {
  const parts = XMLTV_TIME.exec(text.trim());
  if (parts === null) return undefined;
  const [, year = "", month = "01", day = "01", hour = "00", minute = "00", second = "00", written] = parts;
  const isLocal = written === undefined;
  const fields = { date: [year, month, day], time: [hour, minute, second] } as const;
  const isMeant = isLocal || isForAll;
  const at = instantOf({ ...fields, zone: isMeant ? "Z" : written });
  if (at === undefined) return undefined;
  return { at: isMeant ? instantIn(at, zone) : at, isLocal };
}

/**
 * The instant at which clocks of the zone show `face`, given as if it were UTC; the first of two in a repeated hour,
 * and the following hour for a skipped one.
 */
function instantIn(face: EpochMs, zone: string): EpochMs {
  // Within a day around it, clocks change at most once.
  const before = offsetNear(face - 24 * HOUR, zone);
  const after = offsetNear(face + 24 * HOUR, zone);
  if (before === after) return face - before;
  const first = face - before;
  return offsetNear(first, zone) === before ? first : face - after;
}

/** Cached by zone and quarter of an hour: listings repeat the same times. */
const OFFSETS = new Map<string, DurationMs>();
const OFFSETS_KEPT = 20_000;
const QUARTER = 15 * MINUTE;

/** Zones change at full quarters of an hour. */
function offsetNear(at: EpochMs, zone: string): DurationMs {
  const quarter = Math.floor(at / QUARTER) * QUARTER;
  const key = `${quarter} ${zone}`;
  const known = OFFSETS.get(key);
  if (known !== undefined) return known;
  const offset = offsetAt(quarter, zone);
  if (OFFSETS.size >= OFFSETS_KEPT) OFFSETS.clear();
  OFFSETS.set(key, offset);
  return offset;
}
