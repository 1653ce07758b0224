import { u8 } from "./bytes.ts";
import { PACKET_BYTES, SYNC } from "./packets.ts";

/** A boundary needs this many sync bytes a packet apart (ETSI TR 101 290 §5.2.1 asks for five). */
const LOCK_SYNCS = 5;
/** Bytes from the first of them to the last. */
export const LOCK_REACH = (LOCK_SYNCS - 1) * PACKET_BYTES;
/** The end of the bytes may reduce their number to this. */
const LOCK_SYNCS_AT_END = 3;
/** A known boundary is kept if this many of the next four sync bytes are present. */
const KEEP_SYNCS = 2;

/** Counts sync bytes a packet apart from `at` on, at most five; 0 if one is missing within the bytes. */
export function syncsFrom(bytes: Uint8Array, at: number): number {
  let count = 0;
  for (let place = at; place <= at + LOCK_REACH && place < bytes.length; place += PACKET_BYTES) {
    if (u8(bytes, place) !== SYNC) return 0;
    count += 1;
  }
  return count;
}

/**
 * Fewer than five sync bytes suffice only at the end of the bytes: a caller that expects more bytes must look as far as the
 * fifth.
 */
export function locksAt(bytes: Uint8Array, at: number): boolean {
  return syncsFrom(bytes, at) >= LOCK_SYNCS_AT_END;
}

/** The start of another boundary within the packet at `at`. */
export function lockWithin(bytes: Uint8Array, at: number): number | undefined {
  for (let inside = at + 1; inside < at + PACKET_BYTES; inside += 1) {
    if (locksAt(bytes, inside)) return inside;
  }
  return undefined;
}

/** Whether both packets after the one at `at` begin with a sync byte. */
export function isFollowedByPackets(bytes: Uint8Array, at: number): boolean {
  return u8(bytes, at + PACKET_BYTES) === SYNC && u8(bytes, at + 2 * PACKET_BYTES) === SYNC;
}

/** Whether enough sync bytes follow `at` to keep the packet positions. */
export function keepsPacketGrid(bytes: Uint8Array, at: number): boolean {
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
