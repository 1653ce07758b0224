import { type DurationMs, type EpochMs, MINUTE, SET_BACK_MS } from "../model/time.ts";

/** `2026-11-20T2030+1100`, or `2026-11-20T0930Z` in UTC: to the minute, without the colons that NTFS and SMB refuse. */
export function stampOf(at: EpochMs, timeZone: string): string {
  return `${dateOf(at, timeZone)}T${clockText(at, timeZone)}${offsetOf(at, timeZone)}`;
}

/** `2026-11-20` */
export function dateOf(at: EpochMs, timeZone: string): string {
  return localIso(at, timeZone).slice(0, 10);
}

/** `2030`; with its offset, `0230+1100`, in an hour that happens twice, so that it still names one instant. */
export function timeOf(at: EpochMs, timeZone: string): string {
  return happensTwice(at, timeZone)
    ? `${clockText(at, timeZone)}${offsetOf(at, timeZone)}`
    : clockText(at, timeZone);
}

/** `+1100`, or `Z` in UTC. */
export function offsetOf(at: EpochMs, timeZone: string): string {
  const ms = offsetMs(at, timeZone);
  if (ms === 0 && isUtc(timeZone)) return "Z";
  const minutes = Math.round(Math.abs(ms) / MINUTE);
  const digits = (number: number) => String(Math.floor(number)).padStart(2, "0");
  return `${ms < 0 ? "-" : "+"}${digits(minutes / 60)}${digits(minutes % 60)}`;
}

function clockText(at: EpochMs, timeZone: string): string {
  return localIso(at, timeZone).slice(11, 16).replace(":", "");
}

function happensTwice(at: EpochMs, timeZone: string): boolean {
  const now = offsetMs(at, timeZone);
  return SET_BACK_MS.some(
    (ms) => offsetMs(at + ms, timeZone) === now - ms || offsetMs(at - ms, timeZone) === now + ms,
  );
}

function localIso(at: EpochMs, timeZone: string): string {
  return new Date(at + offsetMs(at, timeZone)).toISOString();
}

function isUtc(timeZone: string): boolean {
  return /^(etc\/)?(utc|uct|zulu|universal)$/i.test(timeZone);
}

/** What the zone's clocks show, less what UTC's do. */
function offsetMs(at: EpochMs, timeZone: string): DurationMs {
  const parts = Object.fromEntries(
    clockFace(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** Making one costs a hundred times as much as using it; there are no more of them than zones. */
const CLOCK_FACES = new Map<string, Intl.DateTimeFormat>();

function clockFace(timeZone: string): Intl.DateTimeFormat {
  const known = CLOCK_FACES.get(timeZone);
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
  CLOCK_FACES.set(timeZone, face);
  return face;
}
