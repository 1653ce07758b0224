import { PACKET_BYTES } from "./packets.ts";

/** Makes whole packets of portions of any size. The first portion begins with a packet. */
export class WholePackets {
  #rest: Buffer = Buffer.alloc(0);

  /** The beginning of a packet whose end is still to come. */
  get rest(): Buffer {
    return this.#rest;
  }

  /** @returns the packets that are whole now; they may share memory with the portion */
  push(portion: Buffer): Buffer {
    const joined = this.#rest.length === 0 ? portion : Buffer.concat([this.#rest, portion]);
    const end = joined.length - (joined.length % PACKET_BYTES);
    this.#rest = joined.subarray(end);
    return joined.subarray(0, end);
  }
}
