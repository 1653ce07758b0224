import type { ForeignPacketBytes } from "../model/inspection.ts";
import { u8 } from "./bytes.ts";
import { foreignContentOf } from "./foreign-content.ts";
import { SYNC } from "./packets.ts";

const SIZES: readonly ForeignPacketBytes[] = [192, 204];
/** This many sync bytes at one distance confirm it, as with packets of 188 bytes. */
const SYNCS = 5;
/** A short file may have fewer if all of them agree. */
const SYNCS_MIN = 3;
/** Junk before the first packet, and five packets of the longest kind. */
const BEGINNING_BYTES = 4096;

/** Without a packet in so many bytes from its beginning, a file is no transport stream, however long it is. */
export const HOPELESS_BYTES = 1024 ** 3;

/** Keeps a stream's first bytes, to identify its format if it has no packets of 188 bytes. */
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

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** The kind of content; `undefined` if it is unknown. */
  get content(): string | undefined {
    return foreignContentOf(this.#bytes);
  }

  /** The packet size; `undefined` if it is neither 192 nor 204 bytes. */
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

/** At most five; 0 if one is missing. */
function syncsFrom(bytes: Uint8Array, { at, size }: { readonly at: number; readonly size: number }): number {
  let count = 0;
  for (let place = at; count < SYNCS && place < bytes.length; place += size) {
    if (u8(bytes, place) !== SYNC) return 0;
    count += 1;
  }
  return count;
}
