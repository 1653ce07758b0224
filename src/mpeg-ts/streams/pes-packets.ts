import { u8, u16 } from "../bytes.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { PACKET_BYTES, payloadAt, SYNC } from "../packets.ts";
import { readStamp } from "./pes.ts";

const FIXED_HEADER_BYTES = 9;
/** Bytes up to PES_packet_length, which counts what follows. */
const LENGTH_END = 6;
const COUNTER = 0x0f;

/** A whole PES packet. */
export interface PesPacket {
  /** 33 bits, in ticks of 90 kHz; absent where the header has none. */
  readonly pts?: number;
  /** The bytes after its header. */
  readonly data: Uint8Array;
  /** A packet before it is missing, or a part of one. */
  readonly isAfterLoss?: true;
}

/**
 * The PES packets of one PID that say how long they are, as those of subtitles do (EN 300 472 §4.2, EN 300 743 §6). A packet with a
 * lost or damaged part is left out. ISO/IEC 13818-1 §2.4.3.6.
 */
export class PesPackets {
  readonly #pid: number;
  readonly #bytes = new Uint8Array(MPEG_TS_LIMITS.pesPacketBytes);
  /** Bytes of the current packet so far. */
  #length = 0;
  /** Bytes that it has; 0: none is open. */
  #whole = 0;
  #counter: number | undefined;
  /** Something is missing since the last packet. */
  #isLoss = false;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** @param packets whole transport packets of any PIDs, which follow those before */
  push(packets: Uint8Array): readonly PesPacket[] {
    const found: PesPacket[] = [];
    const high = this.#pid >> 8;
    const low = this.#pid & 0xff;
    for (let at = 0; at + PACKET_BYTES <= packets.length; at += PACKET_BYTES) {
      // Few packets belong to it: the common case costs two comparisons.
      if (packets[at + 2] !== low || (u8(packets, at + 1) & 0x1f) !== high) continue;
      const packet = this.#take(packets, at);
      if (packet !== undefined) found.push(packet);
    }
    return found;
  }

  #take(packets: Uint8Array, at: number): PesPacket | undefined {
    const control = u8(packets, at + 3);
    const isDamaged = packets[at] !== SYNC || (u8(packets, at + 1) & 0x80) !== 0;
    if (isDamaged || (control & 0x10) === 0) return undefined;
    const isScrambled = (control & 0xc0) !== 0;
    const counter = control & COUNTER;
    const steps = this.#counter === undefined ? 1 : (counter - this.#counter) & COUNTER;
    this.#counter = counter;
    // A packet may be sent twice.
    if (steps === 0) return undefined;
    if (steps !== 1 || isScrambled) this.#lose();
    if (isScrambled) return undefined;
    const payload = packets.subarray(payloadAt(packets, at), at + PACKET_BYTES);
    const begins = (u8(packets, at + 1) & 0x40) !== 0;
    if (begins && !this.#begin(payload)) return undefined;
    return this.#whole === 0 ? undefined : this.#add(payload);
  }

  #lose(): void {
    this.#whole = 0;
    this.#isLoss = true;
  }

  #begin(payload: Uint8Array): boolean {
    if (this.#whole > 0) this.#lose();
    const hasStartCode = u16(payload, 0) === 0 && u8(payload, 2) === 1;
    const length = LENGTH_END + u16(payload, 4);
    this.#length = 0;
    this.#whole = hasStartCode && length > FIXED_HEADER_BYTES ? length : 0;
    return this.#whole > 0;
  }

  #add(payload: Uint8Array): PesPacket | undefined {
    const part = payload.subarray(0, this.#whole - this.#length);
    this.#bytes.set(part, this.#length);
    this.#length += part.length;
    if (this.#length < this.#whole) return undefined;
    const whole = this.#bytes.slice(0, this.#whole);
    this.#whole = 0;
    const packet = packetOf(whole);
    if (packet === undefined || !this.#isLoss) return packet;
    this.#isLoss = false;
    return { ...packet, isAfterLoss: true };
  }
}

function packetOf(bytes: Uint8Array): PesPacket | undefined {
  const flags = u8(bytes, 6);
  const isPlain = (flags & 0xf0) === 0x80;
  if (!isPlain) return undefined;
  const data = bytes.subarray(FIXED_HEADER_BYTES + u8(bytes, 8));
  const hasPts = (u8(bytes, 7) & 0x80) !== 0 && u8(bytes, 8) >= 5;
  return hasPts ? { pts: readStamp(bytes, FIXED_HEADER_BYTES), data } : { data };
}
