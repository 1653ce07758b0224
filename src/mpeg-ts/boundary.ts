import { u8 } from "./bytes.ts";
import { PACKET_BYTES, SYNC } from "./packets.ts";

/** A boundary is believed when this many sync bytes stand a packet apart (ETSI TR 101 290 §5.2.1 asks for five). */
const LOCK_SYNCS = 5;
/** From the first of them to the last. */
export const LOCK_REACH = (LOCK_SYNCS - 1) * PACKET_BYTES;
/** The end of the bytes may cut their number down to this. */
const LOCK_SYNCS_AT_END = 3;
/** A boundary that was believed before is kept when so many of the next four sync bytes are there. */
const KEEP_SYNCS = 2;

/** Sync bytes from here on, a packet apart, at most five; 0 if another byte is in the place of one. */
export function syncsFrom(bytes: Uint8Array, at: number): number {
  let count = 0;
  for (let place = at; place <= at + LOCK_REACH && place < bytes.length; place += PACKET_BYTES) {
    if (u8(bytes, place) !== SYNC) return 0;
    count += 1;
  }
  return count;
}

/** Fewer than five sync bytes suffice only where the bytes end: a caller that waits for more bytes must see as far as the fifth. */
export function locksAt(bytes: Uint8Array, at: number): boolean {
  return syncsFrom(bytes, at) >= LOCK_SYNCS_AT_END;
}

/** Where another boundary begins within the packet at `at`. */
export function lockWithin(bytes: Uint8Array, at: number): number | undefined {
  for (let inside = at + 1; inside < at + PACKET_BYTES; inside += 1) {
    if (locksAt(bytes, inside)) return inside;
  }
  return undefined;
}

/** Whether the sync bytes of both packets after the one at `at` are there. */
export function goesOnAfter(bytes: Uint8Array, at: number): boolean {
  return u8(bytes, at + PACKET_BYTES) === SYNC && u8(bytes, at + 2 * PACKET_BYTES) === SYNC;
}

/** Whether enough sync bytes after the place `at` are there to go on in the same places. */
export function keepsPlaces(bytes: Uint8Array, at: number): boolean {
  let there = 0;
  let seen = 0;
  for (
    let place = at + PACKET_BYTES;
    place <= at + LOCK_REACH && place < bytes.length;
    place += PACKET_BYTES
  ) {
    seen += 1;
    if (u8(bytes, place) === SYNC) there += 1;
  }
  return there >= KEEP_SYNCS || (there > 0 && there === seen);
}
