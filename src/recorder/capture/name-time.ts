import { type EpochMs, MINUTE, SET_BACK_MS } from "../../model/time.ts";
import { offsetAt } from "../../model/zone.ts";

/** `2026-11-20T2030+1100`, or `2026-11-20T0930Z` in UTC: minute precision, without the colons that NTFS and SMB refuse. */
export function stampOf(at: EpochMs, timeZone: string): string {
  return `${dateOf(at, timeZone)}T${clockText(at, timeZone)}${offsetOf(at, timeZone)}`;
}

/** `2026-11-20` */
export function dateOf(at: EpochMs, timeZone: string): string {
  return localIso(at, timeZone).slice(0, 10);
}

/** `2030`; in an hour that occurs twice `0230+1100`, so that it is still unique. */
export function timeOf(at: EpochMs, timeZone: string): string {
  return happensTwice(at, timeZone)
    ? `${clockText(at, timeZone)}${offsetOf(at, timeZone)}`
    : clockText(at, timeZone);
}

/** `+1100`, or `Z` in UTC. */
export function offsetOf(at: EpochMs, timeZone: string): string {
  const ms = offsetAt(at, timeZone);
  if (ms === 0 && isUtc(timeZone)) return "Z";
  const minutes = Math.round(Math.abs(ms) / MINUTE);
  const digits = (number: number) => String(Math.floor(number)).padStart(2, "0");
  return `${ms < 0 ? "-" : "+"}${digits(minutes / 60)}${digits(minutes % 60)}`;
}

function clockText(at: EpochMs, timeZone: string): string {
  return localIso(at, timeZone).slice(11, 16).replace(":", "");
}

function happensTwice(at: EpochMs, timeZone: string): boolean {
  const now = offsetAt(at, timeZone);
  return SET_BACK_MS.some(
    (ms) => offsetAt(at + ms, timeZone) === now - ms || offsetAt(at - ms, timeZone) === now + ms,
  );
}

function localIso(at: EpochMs, timeZone: string): string {
  return new Date(at + offsetAt(at, timeZone)).toISOString();
}

function isUtc(timeZone: string): boolean {
  return /^(etc\/)?(utc|uct|zulu|universal)$/i.test(timeZone);
}
