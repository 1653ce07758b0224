import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { runFfmpeg } from "../../src/kit/process/ffmpeg.ts";

export const PACKET_BYTES = 188;
const BITS_PER_SECOND = 8_000_000;
/** At 8 Mbit/s a packet lasts 188 µs: 5076 ticks of 27 MHz exactly. */
export const PCR_TICKS_PER_PACKET = 5076;
export const PACKETS_PER_SECOND = BITS_PER_SECOND / (8 * PACKET_BYTES);
/** A multiple of 25 packets is a whole number of ticks of 90 kHz. Ten seconds. */
const LOOP_PACKETS = 53_175;
const LOOP_PTS_TICKS = (LOOP_PACKETS * PCR_TICKS_PER_PACKET) / 300;
const CLOCK_WRAP = 2n ** 33n;

export const PAT_PID = 0x00;
export const SDT_PID = 0x11;
export const PMT_PID = 0x1000;
export const NULL_PID = 0x1fff;
export const ONID = 0x1010;
export const TSID = 0x0221;

/** One service at 8 Mbit/s as broadcasters send it: constant rate, H.264 and AAC. About as long to make as it plays. */
export async function makeLoopFile(file: string, signal: AbortSignal): Promise<void> {
  await runFfmpeg(
    (command) =>
      command
        .input("testsrc2=size=720x576:rate=25:duration=12")
        .inputFormat("lavfi")
        .input("sine=frequency=440:sample_rate=48000:duration=12")
        .inputFormat("lavfi")
        .output(file)
        .outputOptions([
          ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-bf", "0", "-g", "25"],
          ...["-b:v", "7M", "-minrate", "7M", "-maxrate", "7M", "-bufsize", "1M"],
          ...["-x264-params", "nal-hrd=cbr:force-cfr=1", "-c:a", "aac", "-b:a", "128k"],
          ...["-muxrate", String(BITS_PER_SECOND), "-mpegts_pmt_start_pid", String(PMT_PID), "-f", "mpegts"],
        ]),
    { signal },
  );
}

/** Fields of a packet that change every round: its PID's counter, and clocks at these offsets. */
interface Mark {
  readonly pid: number;
  readonly counts: boolean;
  readonly pcrAt: number;
  readonly ptsAt: number;
  readonly dtsAt: number;
}

/** An endless stream made of a file: goes on from its end to its begin without a seam in counters and clocks. */
export class Loop {
  readonly #bytes: Buffer;
  readonly #marks: readonly Mark[];
  readonly #perLoop = new Map<number, number>();
  /** How many of the loop's packets before each are not stuffing; last, of all. */
  readonly #carried: readonly number[];

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#marks = Array.from({ length: LOOP_PACKETS }, (_, index) => markOf(bytes, index * PACKET_BYTES));
    for (const { pid, counts } of this.#marks) {
      if (counts) this.#perLoop.set(pid, (this.#perLoop.get(pid) ?? 0) + 1);
    }
    const carried = [0];
    for (const { pid } of this.#marks) carried.push((carried.at(-1) ?? 0) + (pid === NULL_PID ? 0 : 1));
    this.#carried = carried;
  }

  static async read(file: string): Promise<Loop> {
    const bytes = await readFile(file);
    assert(bytes.length >= LOOP_PACKETS * PACKET_BYTES, "the stream is shorter than its loop");
    return new Loop(bytes.subarray(0, LOOP_PACKETS * PACKET_BYTES));
  }

  /** The first clock of the stream, and how many packets come before it. */
  get firstClock(): { readonly pcr: number; readonly index: number } {
    const index = this.#marks.findIndex(({ pcrAt: at }) => at > 0);
    const pcr = pcrAt(this.#bytes, index * PACKET_BYTES);
    assert(pcr !== undefined, "the stream has no clock");
    return { pcr, index };
  }

  /** Packets `from` (inclusive) to `to` (exclusive), counted without end. */
  packets(from: number, to: number): Buffer {
    const out = Buffer.allocUnsafe((to - from) * PACKET_BYTES);
    for (let index = from; index < to; index += 1) this.#write(out, (index - from) * PACKET_BYTES, index);
    return out;
  }

  #write(out: Buffer, at: number, index: number): void {
    const inLoop = index % LOOP_PACKETS;
    const round = (index - inLoop) / LOOP_PACKETS;
    this.#bytes.copy(out, at, inLoop * PACKET_BYTES, (inLoop + 1) * PACKET_BYTES);
    const mark = this.#marks[inLoop];
    if (mark === undefined || mark.pid === NULL_PID) return;
    const first = out[at + 3] ?? 0;
    const counter = first + round * (this.#perLoop.get(mark.pid) ?? 0);
    out[at + 3] = (first & 0xf0) | (counter & 0x0f);
    const ticks = BigInt(round * LOOP_PTS_TICKS);
    if (mark.pcrAt > 0) addToPcr(out, at + mark.pcrAt, ticks);
    if (mark.ptsAt > 0) addToStamp(out, at + mark.ptsAt, ticks);
    if (mark.dtsAt > 0) addToStamp(out, at + mark.dtsAt, ticks);
  }

  /** How many packets of a stretch are not stuffing. */
  carried(from: number, to: number): number {
    const upTo = (index: number) => {
      const inLoop = index % LOOP_PACKETS;
      const each = this.#carried.at(-1) ?? 0;
      return ((index - inLoop) / LOOP_PACKETS) * each + (this.#carried[inLoop] ?? 0);
    };
    return upTo(to) - upTo(from);
  }

  /** Which packets of a stretch carry tables, as offsets in it. */
  tablesIn(from: number, to: number): readonly { readonly at: number; readonly pid: number }[] {
    const found: { readonly at: number; readonly pid: number }[] = [];
    for (let index = from; index < to; index += 1) {
      const pid = this.#marks[index % LOOP_PACKETS]?.pid ?? NULL_PID;
      if (isTable(pid)) found.push({ at: (index - from) * PACKET_BYTES, pid });
    }
    return found;
  }

  /** The tables of the file as those of another service: by PID, a packet whose counter is still to be written. */
  tablesOf(sid: number): ReadonlyMap<number, Buffer> {
    return new Map(
      [PAT_PID, SDT_PID, PMT_PID].map((pid) => {
        const index = this.#marks.findIndex((mark) => mark.pid === pid);
        const packet = Buffer.from(this.#bytes.subarray(index * PACKET_BYTES, (index + 1) * PACKET_BYTES));
        rename(packet, pid, sid);
        return [pid, packet] as const;
      }),
    );
  }
}

/** The stretch with the tables of one service in place of those of the file. */
export function withTables(
  stretch: Buffer,
  places: readonly { readonly at: number; readonly pid: number }[],
  tables: ReadonlyMap<number, Buffer>,
): Buffer {
  if (places.length === 0) return stretch;
  const own = Buffer.from(stretch);
  for (const { at, pid } of places) {
    const counter = own[at + 3] ?? 0;
    tables.get(pid)?.copy(own, at);
    own[at + 3] = counter;
  }
  return own;
}

function isTable(pid: number): boolean {
  return pid === PAT_PID || pid === SDT_PID || pid === PMT_PID;
}

/** ISO/IEC 13818-1 §2.4.3. */
function markOf(bytes: Buffer, at: number): Mark {
  assert.equal(bytes[at], 0x47, "the stream is not whole packets");
  const pid = bytes.readUInt16BE(at + 1) & 0x1fff;
  const control = bytes[at + 3] ?? 0;
  const hasAdaptation = (control & 0x20) !== 0;
  const counts = (control & 0x10) !== 0;
  const adaptationBytes = hasAdaptation ? 1 + (bytes[at + 4] ?? 0) : 0;
  const hasPcr = adaptationBytes > 6 && ((bytes[at + 5] ?? 0) & 0x10) !== 0;
  const pes = 4 + adaptationBytes;
  const starts = ((bytes[at + 1] ?? 0) & 0x40) !== 0 && counts && !isTable(pid);
  const isPes = starts && bytes.readUIntBE(at + pes, 3) === 1;
  const stamps = isPes ? (bytes[at + pes + 7] ?? 0) >> 6 : 0;
  return {
    pid,
    counts,
    pcrAt: hasPcr ? 6 : 0,
    ptsAt: stamps >= 2 ? pes + 9 : 0,
    dtsAt: stamps === 3 ? pes + 14 : 0,
  };
}

/** The clock of the packet there, in ticks of 27 MHz; of most there is none. ISO/IEC 13818-1 §2.4.3.5. */
export function pcrAt(bytes: Buffer, at: number): number | undefined {
  const hasAdaptation = ((bytes[at + 3] ?? 0) & 0x20) !== 0;
  if (!hasAdaptation || (bytes[at + 4] ?? 0) < 7 || ((bytes[at + 5] ?? 0) & 0x10) === 0) return undefined;
  const value = BigInt(bytes.readUIntBE(at + 6, 6));
  return Number((value >> 15n) * 300n + (value & 0x1ffn));
}

function addToPcr(out: Buffer, at: number, ticks: bigint): void {
  const value = BigInt(out.readUIntBE(at, 6));
  const base = ((value >> 15n) + ticks) % CLOCK_WRAP;
  out.writeUIntBE(Number((base << 15n) | (value & 0x7fffn)), at, 6);
}

/** PTS or DTS, 33 bits in five bytes with marker bits between. ISO/IEC 13818-1 §2.4.3.7. */
function addToStamp(out: Buffer, at: number, ticks: bigint): void {
  const value = BigInt(out.readUIntBE(at, 5));
  const stamp =
    ((value >> 3n) & (0x7n << 30n)) | ((value >> 2n) & (0x7fffn << 15n)) | ((value >> 1n) & 0x7fffn);
  const next = (stamp + ticks) % CLOCK_WRAP;
  const prefix = value & (0xfn << 36n);
  const parts = ((next >> 30n) << 33n) | (((next >> 15n) & 0x7fffn) << 17n) | ((next & 0x7fffn) << 1n);
  out.writeUIntBE(Number(prefix | parts | (1n << 32n) | (1n << 16n) | 1n), at, 5);
}

/** Gives a table of one packet other ids, and the checksum that goes with them. */
function rename(packet: Buffer, pid: number, sid: number): void {
  const section = 5 + (packet[4] ?? 0);
  const end = section + 3 + (packet.readUInt16BE(section + 1) & 0xfff);
  packet.writeUInt16BE(pid === PMT_PID ? sid : TSID, section + 3);
  if (pid === PAT_PID) packet.writeUInt16BE(sid, section + 8);
  if (pid === SDT_PID) {
    packet.writeUInt16BE(ONID, section + 8);
    packet.writeUInt16BE(sid, section + 11);
  }
  packet.writeUInt32BE(crc32(packet.subarray(section, end - 4)), end - 4);
}

/** CRC-32 of ISO/IEC 13818-1 annex A. */
export function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
  }
  return crc >>> 0;
}

/** The service of the nth stream, from 0. */
export function tripletOf(nth: number): {
  readonly onid: number;
  readonly tsid: number;
  readonly sid: number;
} {
  return { onid: ONID, tsid: TSID, sid: 0x0300 + nth };
}
