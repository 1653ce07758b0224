import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";
import { u8, u16 } from "../bytes.ts";

/** 1970-01-01 as Modified Julian Date. */
const MJD_OF_EPOCH = 40_587;

/**
 * UTC_time and start_time: MJD in 16 bits, then hours, minutes and seconds in BCD.
 *
 * @returns `undefined` for a time that is not defined (all bits 1) or impossible
 * @see EN 300 468 annex C
 */
export function readUtc(bytes: Uint8Array, at: number): EpochMs | undefined {
  const timeOfDay = readDuration(bytes, at + 2);
  if (timeOfDay === undefined || timeOfDay >= DAY) return undefined;
  return (u16(bytes, at) - MJD_OF_EPOCH) * DAY + timeOfDay;
}

/** Hours, minutes and seconds in BCD; `undefined` as above. A duration may have up to 99 hours. */
export function readDuration(bytes: Uint8Array, at: number): DurationMs | undefined {
  const hours = readBcd(u8(bytes, at));
  const minutes = readBcd(u8(bytes, at + 1));
  const seconds = readBcd(u8(bytes, at + 2));
  if (hours > 99 || minutes > 59 || seconds > 59) return undefined;
  return hours * HOUR + minutes * MINUTE + seconds * SECOND;
}

/** 100 if one of the digits is invalid. */
function readBcd(byte: number): number {
  const tens = byte >> 4;
  const ones = byte & 0x0f;
  return tens > 9 || ones > 9 ? 100 : tens * 10 + ones;
}
