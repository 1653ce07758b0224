import { SpareBuffers } from "../kit/spare-buffers.ts";
import { u8, u16 } from "./bytes.ts";

/** ISO/IEC 13818-1 §2.4.3.2. */
export const PACKET_BYTES = 188;
export const NULL_PID = 0x1fff;
export const PID_COUNT = 0x2000;

export const SYNC = 0x47;
/** A boundary is believed when this many sync bytes stand a packet apart (ETSI TR 101 290 §5.2.1 asks for five). */
const LOCK_SYNCS = 5;
const LOCK_REACH = (LOCK_SYNCS - 1) * PACKET_BYTES;
/** Bytes are read from one buffer that is filled again and again; far more than any decision needs to see ahead. */
const WORK_BYTES = 128 * 1024;
const buffers = new SpareBuffers({ bytes: WORK_BYTES, keep: 1 });

/** Where whole packets go. Both calls happen within `push` and `settle`. */
export interface PacketSink {
  /**
   * One packet, at `bytes[at]` to `bytes[at + 187]`. The bytes stay as they are until `release`.
   *
   * @param header its first four bytes as one number
   */
  packet(bytes: Uint8Array, at: number, header: number): void;
  /** The bytes of all packets so far are about to be overwritten. */
  release(bytes: Uint8Array): void;
}

/**
 * Finds packets in bytes that may begin anywhere and be damaged anywhere.
 *
 * A packet counts when the next one's sync byte confirms it. So a single damaged sync byte costs one packet, a packet that
 * lost bytes costs itself and not its successor, and bytes pushed in any portions give the same packets.
 */
export class PacketReader {
  readonly #sink: PacketSink;
  /** As long as WORK_BYTES within `push`, and no longer than what is left over otherwise: many streams are followed at once. */
  #work = new Uint8Array(0);
  /** The same bytes. */
  #view = new DataView(this.#work.buffer);
  #at = 0;
  #end = 0;
  #locked = false;
  #passedOver = 0;
  #packets = 0;

  constructor(sink: PacketSink) {
    this.#sink = sink;
  }

  get packets(): number {
    return this.#packets;
  }

  /** Bytes that belong to no packet. The rest of a packet that is not whole yet is not among them. */
  get junkBytes(): number {
    return this.#passedOver + (this.#locked ? 0 : this.#end - this.#at);
  }

  push(chunk: Uint8Array): void {
    this.#widen();
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + WORK_BYTES - this.#end);
      this.#work.set(part, this.#end);
      this.#end += part.length;
      from += part.length;
      this.#read();
      this.#makeRoom();
    }
    const work = this.#work;
    this.#setWork(work.slice(0, this.#end));
    buffers.giveBack(work);
  }

  /** No more bytes are there for now: takes the last whole packet, although no successor confirms it. */
  settle(): void {
    if (this.#locked) this.#takeRest();
  }

  #takeRest(): void {
    for (; this.#at + PACKET_BYTES <= this.#end; this.#at += PACKET_BYTES) {
      if (u8(this.#work, this.#at) === SYNC) this.#take(this.#at);
      else this.#passedOver += PACKET_BYTES;
    }
    this.#makeRoom();
  }

  #widen(): void {
    const left = this.#work;
    this.#setWork(buffers.lend());
    this.#work.set(left);
  }

  #setWork(work: Uint8Array<ArrayBuffer>): void {
    this.#work = work;
    this.#view = new DataView(work.buffer);
  }

  #makeRoom(): void {
    this.#sink.release(this.#work);
    this.#work.copyWithin(0, this.#at, this.#end);
    this.#end -= this.#at;
    this.#at = 0;
  }

  /** Ends when a decision would need bytes that are not there yet. */
  #read(): void {
    while (this.#locked ? this.#follow() : this.#search()) {
      // Each round takes or passes over at least one byte, or changes from following to searching.
    }
  }

  #follow(): boolean {
    const work = this.#work;
    const end = this.#end;
    let at = this.#at;
    if (at < end && u8(work, at) !== SYNC) {
      this.#locked = false;
      return true;
    }
    while (at + PACKET_BYTES < end && work[at + PACKET_BYTES] === SYNC) {
      this.#take(at);
      at += PACKET_BYTES;
    }
    this.#at = at;
    return at + PACKET_BYTES < end && this.#stumble();
  }

  /** At a whole packet whose successor has no sync byte. */
  #stumble(): boolean {
    const at = this.#at;
    const seen = this.#end - at;
    if (seen <= 3 * PACKET_BYTES) return false;
    if (this.#syncAt(at + 2 * PACKET_BYTES) && this.#syncAt(at + 3 * PACKET_BYTES)) {
      this.#take(at);
      this.#passedOver += PACKET_BYTES;
      this.#at = at + 2 * PACKET_BYTES;
      return true;
    }
    if (seen < PACKET_BYTES + LOCK_REACH) return false;
    for (let inside = at + 1; inside < at + PACKET_BYTES; inside += 1) {
      if (!this.#locksAt(inside)) continue;
      // The next packet begins inside this one: this one lost bytes.
      this.#passedOver += inside - at;
      this.#at = inside;
      return true;
    }
    this.#take(at);
    this.#at = at + PACKET_BYTES;
    this.#locked = false;
    return true;
  }

  #search(): boolean {
    const work = this.#work.subarray(0, this.#end);
    let at = work.indexOf(SYNC, this.#at);
    while (at >= 0 && at + LOCK_REACH < this.#end && !this.#locksAt(at)) at = work.indexOf(SYNC, at + 1);
    const found = at >= 0 ? at : this.#end;
    this.#passedOver += found - this.#at;
    this.#at = found;
    this.#locked = found + LOCK_REACH < this.#end;
    return this.#locked;
  }

  #locksAt(at: number): boolean {
    for (let step = 0; step <= LOCK_REACH; step += PACKET_BYTES) {
      if (!this.#syncAt(at + step)) return false;
    }
    return true;
  }

  #syncAt(at: number): boolean {
    return u8(this.#work, at) === SYNC;
  }

  #take(at: number): void {
    this.#packets += 1;
    this.#sink.packet(this.#work, at, this.#view.getInt32(at));
  }
}

export function pidAt(packet: Uint8Array, at: number): number {
  return u16(packet, at + 1) & 0x1fff;
}

/** adaptation_field_length, 0 when there is no adaptation field. */
function adaptationLength(packet: Uint8Array, at: number): number {
  return (u8(packet, at + 3) & 0x20) === 0 ? 0 : u8(packet, at + 4);
}

/** The flags of the adaptation field, 0 when there is none. ISO/IEC 13818-1 §2.4.3.4. */
function adaptationFlags(packet: Uint8Array, at: number): number {
  return adaptationLength(packet, at) === 0 ? 0 : u8(packet, at + 5);
}

export function signalsDiscontinuity(packet: Uint8Array, at: number): boolean {
  return (adaptationFlags(packet, at) & 0x80) !== 0;
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

/** Offset of the first payload byte within the buffer, at most `at + 188`. Only for a packet with payload. */
export function payloadAt(packet: Uint8Array, at: number): number {
  const adaptation = (u8(packet, at + 3) & 0x20) === 0 ? 0 : 1 + u8(packet, at + 4);
  return at + Math.min(PACKET_BYTES, 4 + adaptation);
}
