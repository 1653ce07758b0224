import { u8, u16 } from "./bytes.ts";

/** ISO/IEC 13818-1 §2.4.3.2. */
export const PACKET_BYTES = 188;
export const NULL_PID = 0x1fff;
export const PID_COUNT = 0x2000;

export const SYNC = 0x47;

export function pidAt(packet: Uint8Array, at: number): number {
  return u16(packet, at + 1) & 0x1fff;
}

/** adaptation_field_length, 0 when there is no adaptation field. */
function adaptationLength(packet: Uint8Array, at: number): number {
  return (u8(packet, at + 3) & 0x20) === 0 ? 0 : u8(packet, at + 4);
}

/**
 * Whether a packet has payload or an adaptation field that fits into it. adaptation_field_control 0 is reserved, and nobody can read
 * what follows a field that does not fit: such a packet must be discarded. ISO/IEC 13818-1 §2.4.3.3, §2.4.3.5.
 */
export function isReadable(packet: Uint8Array, at: number): boolean {
  return (u8(packet, at + 3) & 0x30) !== 0 && adaptationLength(packet, at) < PACKET_BYTES - 4;
}

/** The flags of the adaptation field, 0 when there is none. ISO/IEC 13818-1 §2.4.3.4. */
function adaptationFlags(packet: Uint8Array, at: number): number {
  return adaptationLength(packet, at) === 0 ? 0 : u8(packet, at + 5);
}

export function signalsDiscontinuity(packet: Uint8Array, at: number): boolean {
  return (adaptationFlags(packet, at) & 0x80) !== 0;
}

/** random_access_indicator. ISO/IEC 13818-1 §2.4.3.5. */
export function allowsRandomAccess(packet: Uint8Array, at: number): boolean {
  return (adaptationFlags(packet, at) & 0x40) !== 0;
}

/** Whether bytes 6 to 11 of the packet are a PCR. */
export function hasPcr(packet: Uint8Array, at: number): boolean {
  const length = adaptationLength(packet, at);
  return length >= 7 && length < PACKET_BYTES - 4 && (u8(packet, at + 5) & 0x10) !== 0;
}

/** The PCR in ticks of 27 MHz, 0 to 2^33 · 300 − 1. Only for a packet with `hasPcr`. */
export function pcrAt(packet: Uint8Array, at: number): number {
  const high = u16(packet, at + 6) * 0x10000 + u16(packet, at + 8);
  const low = u16(packet, at + 10);
  return (high * 2 + (low >> 15)) * 300 + (low & 0x1ff);
}

/** Whether the adaptation field is longer than its content: the packet ends a unit that does not fill it. */
export function isStuffed(packet: Uint8Array, at: number): boolean {
  if ((u8(packet, at + 3) & 0x20) === 0) return false;
  const flags = adaptationFlags(packet, at);
  if ((flags & 0xdf) === 0) return true;
  let needed = 1;
  for (const { mask, bytes } of ADAPTATION_PARTS) if ((flags & mask) !== 0) needed += bytes;
  // Private data, then the extension: each says its own length.
  for (const mask of [0x02, 0x01]) if ((flags & mask) !== 0) needed += 1 + u8(packet, at + 5 + needed);
  return adaptationLength(packet, at) > needed;
}

/** PCR, OPCR and splice_countdown, in the order of the adaptation field. */
const ADAPTATION_PARTS = [
  { mask: 0x10, bytes: 6 },
  { mask: 0x08, bytes: 6 },
  { mask: 0x04, bytes: 1 },
];

/** Offset of the first payload byte in the buffer, at most `at + 188`. Only for a packet with payload. */
export function payloadAt(packet: Uint8Array, at: number): number {
  const adaptation = (u8(packet, at + 3) & 0x20) === 0 ? 0 : 1 + u8(packet, at + 4);
  return at + Math.min(PACKET_BYTES, 4 + adaptation);
}
