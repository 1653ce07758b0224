import type { DurationMs } from "../../model/time.ts";
import { u8, u16 } from "../bytes.ts";
import { PACKET_BYTES, payloadAt } from "../packets.ts";

/** One tick of a PES timestamp in ticks of 27 MHz. ISO/IEC 13818-1 §2.4.3.7. */
const TICKS_PER_STAMP = 300;
const STAMP_BYTES = 5;
const FIXED_HEADER_BYTES = 9;
const PADDING_STREAM = 0xbe;

/** The PES packet that begins in a transport packet. */
export interface UnitStart {
  /** DTS, or PTS where there is no DTS, in ticks of 27 MHz; absent where the header has neither. */
  readonly stamp?: number;
}

/**
 * Reads the header of the PES packet that begins in this transport packet (ISO/IEC 13818-1 §2.4.3.6).
 *
 * A header that its transport packet cuts off is accepted.
 *
 * @returns `undefined` for a packet without content: no start code, PES scrambling, padding, or an empty PES packet
 */
export function unitStart(bytes: Uint8Array, at: number): UnitStart | undefined {
  const from = payloadAt(bytes, at);
  const room = at + PACKET_BYTES - from;
  if (room < FIXED_HEADER_BYTES) return {};
  const hasStartCode = u8(bytes, from) === 0 && u8(bytes, from + 1) === 0 && u8(bytes, from + 2) === 1;
  if (!hasStartCode || u8(bytes, from + 3) === PADDING_STREAM) return undefined;
  const flags = u8(bytes, from + 6);
  const hasOptionalHeader = (flags & 0xc0) === 0x80;
  if (!hasOptionalHeader) return {};
  const isScrambled = (flags & 0x30) !== 0;
  if (isScrambled || isEmpty(bytes, from)) return undefined;
  return stampOf(bytes, { headerAt: from, endAt: at + PACKET_BYTES });
}

/** The first byte after the PES header that begins in this transport packet, at most the packet's end. */
export function pesPayloadAt(bytes: Uint8Array, at: number): number {
  const from = payloadAt(bytes, at);
  const isWhole = from + FIXED_HEADER_BYTES <= at + PACKET_BYTES && (u8(bytes, from + 6) & 0xc0) === 0x80;
  return isWhole ? Math.min(at + PACKET_BYTES, from + FIXED_HEADER_BYTES + u8(bytes, from + 8)) : from;
}

function isEmpty(bytes: Uint8Array, from: number): boolean {
  const length = u16(bytes, from + 4);
  // PES_packet_length counts from the flags on; 0 means unspecified.
  return length !== 0 && length <= 3 + u8(bytes, from + 8);
}

function stampOf(
  bytes: Uint8Array,
  { headerAt, endAt }: { readonly headerAt: number; readonly endAt: number },
): UnitStart {
  const present = u8(bytes, headerAt + 7) >> 6;
  const at = headerAt + FIXED_HEADER_BYTES + (present === 3 ? STAMP_BYTES : 0);
  const isThere = present >= 2 && at + STAMP_BYTES <= endAt;
  return isThere ? { stamp: readStamp(bytes, at) * TICKS_PER_STAMP } : {};
}

/** 33 bits in ticks of 90 kHz, a marker bit after the 3rd, the 18th and the last. */
export function readStamp(bytes: Uint8Array, at: number): number {
  const high = (u8(bytes, at) >> 1) & 0x07;
  const middle = u16(bytes, at + 1) >> 1;
  const low = u16(bytes, at + 3) >> 1;
  return high * 2 ** 30 + middle * 2 ** 15 + low;
}

/** The PTS of a PES header, in ticks of 90 kHz. ISO/IEC 13818-1 §2.4.3.7. */
export function ptsOf(header: Uint8Array): number | undefined {
  const hasPts = header.length >= 14 && (u8(header, 7) & 0x80) !== 0;
  return hasPts ? readStamp(header, 9) : undefined;
}

/** The range of a PTS. ISO/IEC 13818-1 §2.4.3.7. */
export const STAMP_WRAP = 2 ** 33;
export const STAMPS_PER_MS = 90;

/** Ticks from one PTS to another, across the wrap: negative if the second one is earlier. */
export function stampStep(from: number, to: number): number {
  const step = (((to - from) % STAMP_WRAP) + STAMP_WRAP) % STAMP_WRAP;
  return step >= STAMP_WRAP / 2 ? step - STAMP_WRAP : step;
}

/** The same in milliseconds. */
export function stampStepMs(from: number, to: number): DurationMs {
  return stampStep(from, to) / STAMPS_PER_MS;
}
