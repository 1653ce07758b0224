import {
  type DurationMs,
  type EpochMs,
  HOUR,
  instantOf,
  MINUTE,
  offsetMs,
  SECOND,
} from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { offsetAt } from "../../model/zone.ts";
import { asXmltvTime } from "./time-spellings.ts";
import { readZone } from "./zones.ts";

const ZONE = "(?:\\s*([+\\u2212-]{1,2}[\\d:]+|Z|z|[A-Za-z]{2}[\\w+:/-]*))?$";
const XMLTV_TIME = new RegExp(`^(\\d{4})(\\d\\d)?(\\d\\d)?(\\d\\d)?(\\d\\d)?(\\d\\d)?${ZONE}`);
/** ISO 8601, which some programs write instead. */
const ISO_TIME = new RegExp(
  `^(\\d{4})-(\\d\\d)-(\\d\\d)(?:T|\\s+)(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d+)?)?${ZONE}`,
);

/** Other spellings of programs, as one of the above. */
const SPELLINGS: readonly (readonly [written: RegExp, meant: string])[] = [
  // ISO 8601 without separators.
  [/^(\d{8})[T\s]\s*(\d{4}(?:\d\d)?)(?!\d)/, "$1$2"],
  [/^(\d{4})\/(\d\d)\/(\d\d)/, "$1-$2-$3"],
  // In an address, `+` means a space.
  [/^(\d{12}(?:\d\d)?)\s+(\d{4})$/, "$1 +$2"],
];
/** Seconds or milliseconds since 1970, from 2017 to 2033; as a date, the year would be 1500 to 1999. */
const EPOCH = /^(1[5-9]\d{8})(?:\d{3}|[.,]\d{1,9})?$/;

/** How to interpret the times of a listing. */
export interface TimeRules {
  /** IANA name of the zone for times without one. */
  readonly zone: string;
  /** Use this zone for all times, even those with their own. */
  readonly isForAll: boolean;
}

export interface ReadTime {
  readonly at: EpochMs;
  /** In a repeated hour, the second instant at which clocks show the time; `at` is the first. */
  readonly again?: EpochMs;
  /** The time has no zone. */
  readonly isLocal: boolean;
  /** An abbreviation that names its zone; several zones may share it. */
  readonly zoneName?: string;
}

/**
 * Reads an XMLTV time: `20261121193000 +1100`, or a prefix, which means its earliest instant. Hour 24 is the end of the day, and a
 * leap second is its last one.
 *
 * @returns `undefined` for anything else, including impossible dates
 */
export function parseXmltvTime(text: string, { zone, isForAll }: TimeRules): ReadTime | undefined {
  const trimmed = text.trim();
  const epoch = EPOCH.exec(trimmed);
  if (epoch !== null) return { at: Number(epoch[1]) * SECOND, isLocal: false };
  const parts =
    partsOf(trimmed) ??
    partsOf(SPELLINGS.reduce((all, [from, to]) => all.replace(from, to), trimmed)) ??
    partsOf(asXmltvTime(trimmed) ?? "");
  if (parts === null) return undefined;
  const [, year = "", month = "01", day = "01", hour = "00", minute = "00", second = "00", written] = parts;
  const isLocal = written === undefined;
  const found = isLocal ? undefined : readZone(written);
  if (!isLocal && found === undefined && !isForAll) return undefined;
  const isEnd = hour === "24" && Number(minute) + Number(second) === 0;
  const face = instantOf({
    date: [year, month, day],
    time: [isEnd ? "00" : hour, minute, second === "60" ? "59" : second],
    zone: "Z",
  });
  if (face === undefined) return undefined;
  const shown = isEnd ? face + 24 * HOUR : face;
  if (found === undefined || isForAll) return { ...instantsIn(shown, zone), isLocal };
  if ("name" in found) return { ...instantsIn(shown, found.name), isLocal };
  const at = shown - offsetMs(found.offset);
  return { at, isLocal, ...(found.isName ? { zoneName: `${written}: read as ${found.offset}` } : {}) };
}

function partsOf(text: string): RegExpExecArray | null {
  return XMLTV_TIME.exec(text) ?? ISO_TIME.exec(text);
}

type Instants = Pick<ReadTime, "at" | "again">;

/** The start of a programme behind the previous one of its channel, in a repeated hour too. */
export function startAfter({ at, again = at }: Instants, previous: Window | undefined): EpochMs {
  if (previous === undefined) return at;
  const isNext = at < previous.start && again >= previous.start;
  return isNext || again === previous.stop ? again : at;
}

export function stopAfter({ at, again = at }: Instants, start: EpochMs): EpochMs {
  return at > start ? at : again;
}

/**
 * The instants at which clocks of the zone show `face`, given as if it were UTC; for a skipped hour, the following one.
 */
function instantsIn(face: EpochMs, zone: string): Instants {
  // Within a day around it, clocks change at most once.
  const before = offsetNear(face - 24 * HOUR, zone);
  const after = offsetNear(face + 24 * HOUR, zone);
  if (before === after) return { at: face - before };
  const [first, second] = [face - before, face - after];
  if (offsetNear(first, zone) !== before) return { at: second };
  return offsetNear(second, zone) === after ? { at: first, again: second } : { at: first };
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
