import { SpareBuffers } from "../kit/files/spare-buffers.ts";
import {
  isFollowedByPackets,
  keepsPacketGrid,
  LOCK_REACH,
  locksAt,
  lockWithin,
  syncsFrom,
} from "./boundary.ts";
import { u8 } from "./bytes.ts";
import { PACKET_BYTES, SYNC } from "./packets.ts";

/** The size of the reused read buffer; no decision needs to look this far ahead. */
const WORK_BYTES = 256 * 1024;
const buffers = new SpareBuffers({ bytes: WORK_BYTES, keep: 1 });

/** Receives whole packets. Both calls happen within `push` and `settle`. */
export interface PacketSink {
  /**
   * One packet, at `bytes[at]` to `bytes[at + 187]`. The bytes stay valid until `release`.
   *
   * @param header its first four bytes as one number
   */
  packet(bytes: Uint8Array, at: number, header: number): void;
  /** Damaged packets or junk came after the last packet. */
  damage?(): void;
  /** The bytes of all packets so far are about to be overwritten. */
  release(bytes: Uint8Array): void;
}

/** The bytes of a stream that belong to no whole packet. */
interface Remainder {
  /** The rest of a packet before the first whole one, 0 to 187 bytes. */
  readonly headBytes: number;
  /** Packets whose sync byte is wrong, and packets that lost bytes. */
  readonly damagedPackets: number;
  /** All other bytes. */
  readonly junkBytes: number;
  /** Bytes of an incomplete packet at the end, 0 to 187. */
  readonly tailBytes: number;
}

/**
 * Finds packets in bytes that may begin anywhere and be damaged anywhere. The rules:
 *
 * 1. Five sync bytes a packet apart are a boundary, and the reader locks there.
 * 2. A locked reader takes each packet that begins with a sync byte. A packet in which another boundary begins lost bytes: it is
 *    damaged, and the reader goes on at that boundary.
 * 3. A wrong sync byte damages its packet alone if the next two sync bytes are there. Two of the next four suffice if no other
 *    boundary begins in the packet. Otherwise the lock is lost, and rule 1 applies.
 * 4. The bytes from there to the next lock are damaged packets if they are a multiple of 188, since the packets then go on in
 *    their old places. Otherwise they are junk. Up to 187 bytes before the first lock are the rest of a packet.
 * 5. Where the bytes end, the sync bytes up to the end decide if none of them is wrong: three for a boundary, two for one in the old
 *    places, one at the very beginning.
 *
 * Bytes pushed in any portions give the same packets.
 */
export class PacketReader {
  readonly #sink: PacketSink;
  /** WORK_BYTES during `push`, otherwise only as long as the remaining bytes: many streams are read at once. */
  #work = new Uint8Array(0);
  /** A view of the same bytes. */
  #view = new DataView(this.#work.buffer);
  #at = 0;
  #end = 0;
  /** Whether `#at` is a packet boundary. */
  #locked = false;
  /** Absent until the first lock. */
  #headBytes: number | undefined;
  /** Whether the present bytes must suffice for decisions. */
  #isEnd = false;
  /** Bytes before those of `#work`. */
  #gone = 0;
  #packets = 0;
  #damaged = 0;
  #junk = 0;
  /** Bytes skipped since the lock was lost, or since the beginning. */
  #passed = 0;

  constructor(sink: PacketSink) {
    this.#sink = sink;
  }

  get packets(): number {
    return this.#packets;
  }

  /** Position among all bytes pushed of a place in the sink's bytes; during `packet` only. */
  offsetOf(at: number): number {
    return this.#gone + at;
  }

  /** Undecided bytes after `settle` count by rule 4, as if another boundary followed. */
  get remainder(): Remainder {
    const left = this.#end - this.#at;
    const isPacket = this.#locked && (left === 0 || u8(this.#work, this.#at) === SYNC);
    return isPacket
      ? { ...this.#withPassed(0), tailBytes: left }
      : { ...this.#withPassed(this.#passed + left), tailBytes: 0 };
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
    buffers.release(work);
  }

  /** No more bytes come for now: decides by rule 5. */
  settle(): void {
    this.#isEnd = true;
    this.#read();
    this.#makeRoom();
    this.#isEnd = false;
  }

  #widen(): void {
    const left = this.#work.subarray(0, this.#end);
    this.#setWork(buffers.acquire());
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
    this.#gone += this.#at;
    this.#at = 0;
  }

  /** Stops when a decision needs bytes that have not arrived. */
  #read(): void {
    while (this.#locked ? this.#follow() : this.#search()) {
      // Each round takes or skips at least one byte, or changes from following to searching.
    }
  }

  #follow(): boolean {
    const work = this.#work;
    const end = this.#end;
    let at = this.#at;
    if (at < end && u8(work, at) !== SYNC) return this.#missSync();
    while (at + PACKET_BYTES < end && work[at + PACKET_BYTES] === SYNC) {
      this.#take(at);
      at += PACKET_BYTES;
    }
    this.#at = at;
    if (at + PACKET_BYTES < end) return this.#stumble();
    if (this.#isEnd && at + PACKET_BYTES === end) {
      this.#take(at);
      this.#at = end;
    }
    return false;
  }

  /** Handles a packet whose successor has no sync byte. */
  #stumble(): boolean {
    const at = this.#at;
    const seen = this.#seen();
    if (!isFollowedByPackets(seen, at + PACKET_BYTES)) {
      if (!this.#canDecide()) return false;
      const inside = lockWithin(seen, at);
      if (inside !== undefined) return this.#damage(inside);
    }
    this.#take(at);
    this.#at = at + PACKET_BYTES;
    return true;
  }

  /** Handles a missing sync byte at a packet position. */
  #missSync(): boolean {
    const at = this.#at;
    const seen = this.#seen();
    if (isFollowedByPackets(seen, at)) return this.#damage(at + PACKET_BYTES);
    if (!this.#canDecide()) return false;
    const isElsewhere = lockWithin(seen, at) !== undefined;
    if (!isElsewhere && keepsPacketGrid(seen, at)) return this.#damage(at + PACKET_BYTES);
    // The missing bytes may confirm the packet positions.
    if (!isElsewhere && at + LOCK_REACH >= this.#end) return false;
    this.#locked = false;
    return true;
  }

  #damage(next: number): true {
    this.#damaged += 1;
    this.#at = next;
    this.#sink.damage?.();
    return true;
  }

  #search(): boolean {
    const seen = this.#seen();
    let at = seen.indexOf(SYNC, this.#at);
    while (at >= 0 && at + LOCK_REACH < this.#end && !locksAt(seen, at)) at = seen.indexOf(SYNC, at + 1);
    this.#pass(at >= 0 ? at : this.#end);
    if (this.#at + LOCK_REACH < this.#end) return this.#lock();
    const last = this.#isEnd ? this.#lockAtEnd(seen) : undefined;
    if (last === undefined) return false;
    this.#pass(last);
    return this.#lock();
  }

  /** The boundary that rule 5 allows, with at least one whole packet before it. */
  #lockAtEnd(seen: Uint8Array): number | undefined {
    for (let at = this.#at; at + PACKET_BYTES <= this.#end; at += 1) {
      if (locksAt(seen, at) || syncsFrom(seen, at) >= this.#syncsInOldPlaces(at)) return at;
    }
    return undefined;
  }

  #syncsInOldPlaces(at: number): number {
    const passed = this.#passed + at - this.#at;
    if (this.#headBytes === undefined) return passed === 0 ? 1 : Number.POSITIVE_INFINITY;
    return passed % PACKET_BYTES === 0 ? 2 : Number.POSITIVE_INFINITY;
  }

  #pass(to: number): void {
    this.#passed += to - this.#at;
    this.#at = to;
  }

  #lock(): true {
    const { headBytes, damagedPackets, junkBytes } = this.#withPassed(this.#passed);
    if (damagedPackets > this.#damaged || junkBytes > this.#junk) this.#sink.damage?.();
    this.#headBytes = headBytes;
    this.#damaged = damagedPackets;
    this.#junk = junkBytes;
    this.#passed = 0;
    this.#locked = true;
    return true;
  }

  /** Applies rule 4. */
  #withPassed(passed: number): Omit<Remainder, "tailBytes"> {
    const counted = { headBytes: this.#headBytes ?? 0, damagedPackets: this.#damaged, junkBytes: this.#junk };
    if (this.#headBytes === undefined && passed < PACKET_BYTES) return { ...counted, headBytes: passed };
    if (this.#headBytes === undefined || passed % PACKET_BYTES !== 0) {
      return { ...counted, junkBytes: this.#junk + passed };
    }
    return { ...counted, damagedPackets: this.#damaged + passed / PACKET_BYTES };
  }

  /** Whether enough bytes are present for any decision about the packet at `#at`. */
  #canDecide(): boolean {
    return this.#isEnd || this.#end - this.#at >= PACKET_BYTES + LOCK_REACH;
  }

  #seen(): Uint8Array {
    return this.#work.subarray(0, this.#end);
  }

  #take(at: number): void {
    this.#packets += 1;
    this.#sink.packet(this.#work, at, this.#view.getInt32(at));
  }
}
