/** An instant: UTC milliseconds since 1970-01-01, from the injected clock. */
export type EpochMs = number;

/** A length of time in milliseconds. Measured ones come from the monotonic clock. */
export type DurationMs = number;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** With its separators (extended format) or without them (basic format). */
const ISO_INSTANT =
  /^(\d{4})(-?)(\d\d)\2(\d\d)[T ](\d\d)(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d{1,9}))?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * Reads an ISO 8601 instant. Seconds and their fraction may be missing. The zone may be `Z` or any offset, but is required.
 *
 * @returns `undefined` for anything else, also for impossible dates such as 30 February
 */
export function parseInstant(text: string): EpochMs | undefined {
  const parts = ISO_INSTANT.exec(text.trim());
  if (parts === null) return undefined;
  const [, year = "", , month = "", day = ""] = parts;
  const [hour = "", , minute = "", second = "0", fraction = "", zone = "Z"] = parts.slice(5);
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const at = instantOf({ date: [year, month, day], time: [hour, minute, second], zone });
  return at === undefined ? undefined : at + ms;
}

/**
 * The same for a field of the guide service, in which a time without a zone is UTC and a plain number is seconds or milliseconds
 * since 1970.
 */
export function parseWireInstant(text: string): EpochMs | undefined {
  if (/^\s*1\d{9}(\d{3})?\s*$/.test(text)) return Number(text.trim().padEnd(13, "0"));
  return parseInstant(text) ?? parseInstant(`${text.trim()}Z`);
}

/**
 * The instant of a date, a time of day and a zone: an offset such as `+11:00` or `-0330`, or a name of UTC.
 *
 * @returns `undefined` if there is no such date or time
 */
export function instantOf({
  date,
  time,
  zone,
}: {
  readonly date: readonly [year: string, month: string, day: string];
  readonly time: readonly [hour: string, minute: string, second: string];
  readonly zone: string;
}): EpochMs | undefined {
  const [year, month, day] = date.map(Number) as [number, number, number];
  const [hour, minute, second] = time.map(Number) as [number, number, number];
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC rolls impossible fields over: 30 February becomes 1 March. What does not read back was not a date.
  const back = new Date(local);
  const same =
    back.getUTCFullYear() === year && back.getUTCMonth() === month - 1 && back.getUTCDate() === day;
  const offset = offsetMs(zone);
  const isTime = hour <= 23 && minute <= 59 && second <= 59 && Math.abs(offset) <= OFFSET_MS_MAX;
  return same && isTime ? local - offset : undefined;
}

/** No zone has a larger offset. */
const OFFSET_MS_MAX = 14 * HOUR;

/** The offset from UTC: of `+01:00` or `+0100`, and 0 of `Z`. */
export function offsetMs(zone: string): DurationMs {
  if (!/^[+-]/.test(zone)) return 0;
  const digits = zone.replace(":", "");
  const size = Number(digits.slice(1, 3)) * HOUR + Number(digits.slice(3, 5)) * MINUTE;
  return digits.startsWith("-") ? -size : size;
}

/** The pause after a number of failures in a row: each pause is twice as long as the one before, up to a limit. */
export function doublingPauseMs(
  failures: number,
  { firstMs, maxMs }: { readonly firstMs: DurationMs; readonly maxMs: DurationMs },
): DurationMs {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20));
}

/** Whether a Date can hold the value. Damaged files have others. */
export function isInstant(at: unknown): at is EpochMs {
  return typeof at === "number" && Math.abs(at) <= 8.64e15;
}

/** Writes an instant in the form of the guide service: `2026-11-20T09:30:00+00:00`. Fractions of a second are cut. */
export function formatInstant(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}

/** Clocks are set back by an hour nearly everywhere, by half an hour on Lord Howe Island, by two hours at Troll. */
export const SET_BACK_MS: readonly DurationMs[] = [HOUR / 2, HOUR, 2 * HOUR];

/** `20:28`, or `20:28:05` between full minutes, in an IANA zone; `02:30 (UTC+02:00)` in an hour that occurs twice. */
export function formatTimeOfDay(at: EpochMs, timeZone: string): string {
  const key = `${at} ${timeZone}`;
  const known = TIMES_OF_DAY.get(key);
  if (known !== undefined) return known;
  const text = newTimeOfDay(at, timeZone);
  if (TIMES_OF_DAY.size >= TIMES_KEPT) TIMES_OF_DAY.clear();
  TIMES_OF_DAY.set(key, text);
  return text;
}

/** A cache: each decision makes the texts of all conflicts again, nearly always with the same times. */
const TIMES_OF_DAY = new Map<string, string>();
const TIMES_KEPT = 20_000;

function newTimeOfDay(at: EpochMs, timeZone: string): string {
  const face = clockFace(timeZone);
  const text = face.format(at);
  const short = text.endsWith(":00") ? text.slice(0, -3) : text;
  const isTwice = SET_BACK_MS.some((ms) => face.format(at + ms) === text || face.format(at - ms) === text);
  return isTwice ? `${short} (${offsetText(at, timeZone)})` : short;
}

/** `UTC+02:00` */
function offsetText(at: EpochMs, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: "longOffset" }).formatToParts(at);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return name === "GMT" ? "UTC+00:00" : name.replace("GMT", "UTC");
}

/** A cache: a format costs a hundred times as much to make as to use. */
const CLOCK_FACES = new Map<string, Intl.DateTimeFormat>();

function clockFace(timeZone: string): Intl.DateTimeFormat {
  const known = CLOCK_FACES.get(timeZone);
  if (known !== undefined) return known;
  const face = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  CLOCK_FACES.set(timeZone, face);
  return face;
}

export interface DurationPart {
  readonly unit: "days" | "hours" | "minutes" | "seconds";
  readonly value: number;
}

/** The parts of a length for people, the largest unit first: days and hours from two days on, otherwise to the second. */
export function durationParts(ms: DurationMs): readonly DurationPart[] {
  const exact = Math.round(Math.abs(ms) / SECOND) * SECOND;
  const isLong = exact >= 2 * DAY;
  const whole = isLong ? Math.round(exact / HOUR) * HOUR : exact;
  const hours = Math.floor(whole / HOUR);
  const parts: readonly DurationPart[] = [
    { unit: "days", value: isLong ? Math.floor(hours / 24) : 0 },
    { unit: "hours", value: isLong ? hours % 24 : hours },
    { unit: "minutes", value: Math.floor((whole % HOUR) / MINUTE) },
    { unit: "seconds", value: (whole % MINUTE) / SECOND },
  ];
  const said = parts.filter(({ value }) => value > 0);
  return said.length > 0 ? said : [{ unit: "seconds", value: 0 }];
}

const SHORT_UNITS = { days: "days", hours: "h", minutes: "min", seconds: "s" } as const;

/** A length for people: `1 min 30 s`. */
export function formatDuration(ms: DurationMs): string {
  return durationParts(ms)
    .map(({ unit, value }) => `${value} ${SHORT_UNITS[unit]}`)
    .join(" ");
}
