import { type DurationMs, type EpochMs, HOUR, instantOf, MINUTE } from "../../model/time.ts";
import { offsetAt } from "../../model/zone.ts";

const XMLTV_TIME = /^(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:\s*([+-]\d\d:?\d\d|UTC|GMT|Z))?$/i;

/** How the times of a listing are meant. */
export interface TimeRules {
  /** IANA name of the zone of times that name none. */
  readonly zone: string;
  /** All times are of that zone, whatever they say. */
  readonly isForAll: boolean;
}

export interface ReadTime {
  readonly at: EpochMs;
  /** It names no zone. */
  readonly isLocal: boolean;
}

/**
 * Reads a time of XMLTV: `20261121193000 +1100`, or its beginning, which means the first instant that it could be. Of zones that
 * have names only UTC is known, since the others mean several.
 *
 * @returns `undefined` for anything else, impossible dates included
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
 * The instant at which clocks of the zone show what those of UTC show at `face`; the first of two in an hour that comes twice, and
 * the one after it in an hour that is left out.
 */
function instantIn(face: EpochMs, zone: string): EpochMs {
  // A day around it they are set at most once.
  const before = offsetNear(face - 24 * HOUR, zone);
  const after = offsetNear(face + 24 * HOUR, zone);
  if (before === after) return face - before;
  const first = face - before;
  return offsetNear(first, zone) === before ? first : face - after;
}

/** By zone and quarter of an hour: listings name the same ones again and again. */
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
