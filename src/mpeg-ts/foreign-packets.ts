import type { ForeignPacketBytes } from "../model/inspection.ts";
import { u8 } from "./bytes.ts";
import { SYNC } from "./packets.ts";

const SIZES: readonly ForeignPacketBytes[] = [192, 204];
/** So many sync bytes at that distance are believed, as with packets of 188 bytes. */
const SYNCS = 5;
/** A short file may have fewer, if all that there are agree. */
const SYNCS_MIN = 3;
/** Junk before the first packet, and five packets of the longest kind. */
const BEGINNING_BYTES = 4096;

/** Keeps the first bytes of a stream, to tell what they are if no packet of 188 bytes is found. */
export class StreamBeginning {
  #bytes = new Uint8Array(0);

  push(chunk: Uint8Array): void {
    const room = BEGINNING_BYTES - this.#bytes.length;
    if (room === 0) return;
    const more = chunk.subarray(0, room);
    const bytes = new Uint8Array(this.#bytes.length + more.length);
    bytes.set(this.#bytes);
    bytes.set(more, this.#bytes.length);
    this.#bytes = bytes;
  }

  /** The size of the packets; `undefined` if they are neither of 192 nor of 204 bytes. */
  get packetBytes(): ForeignPacketBytes | undefined {
    return SIZES.find((size) => hasPacketsOf(size, this.#bytes));
  }
}

function hasPacketsOf(size: number, bytes: Uint8Array): boolean {
  for (let at = 0; at + (SYNCS_MIN - 1) * size < bytes.length; at += 1) {
    if (syncsFrom(bytes, { at, size }) >= SYNCS_MIN) return true;
  }
  return false;
}

/** At most five; 0 if another byte is in the place of one. */
function syncsFrom(bytes: Uint8Array, { at, size }: { readonly at: number; readonly size: number }): number {
  let count = 0;
  for (let place = at; count < SYNCS && place < bytes.length; place += size) {
    if (u8(bytes, place) !== SYNC) return 0;
    count += 1;
  }
  return count;
}
