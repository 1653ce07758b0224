import { RecorderdError } from "../../model/errors.ts";
import type { DurationMs } from "../../model/time.ts";
import { PACKET_BYTES } from "../packets.ts";
import type { FoundPoint } from "../streams/access-points.ts";

/**
 * The file that holds the access points of a transport stream, `News.index` of `News.ts`: a header, then entries, all of the same
 * size. Numbers are big-endian; positions and times are 64-bit floating-point numbers with whole values. An entry begins with its
 * kind:
 *
 * - point: at byte 1, whether data is missing before it (1), as between two attempts; CRC-32 of its transport packet at byte 4, then offset, PTS and stream time at bytes 8, 16 and 24
 * - tables: the number of packets of PAT and PMT at byte 4; the packets follow, filled up with zeros to whole entries
 * - end: at bytes 8 and 24, the size of the part of the file that was read so far, and its length in ms
 */
export const INDEX_ENDING = ".index";
const MAGIC = "rcrd-idx";
const VERSION = 1;
const ENTRY_BYTES = 32;
const POINT = 1;
const TABLES = 2;
const END = 3;

export interface StoredPoint extends FoundPoint {
  /** Position in `StoredIndex.tables`. */
  readonly tables: number;
  /** Another part begins with it, after a time without data. Files of earlier recorders do not say so. */
  readonly isAfterGap?: true;
}

/** The part of a file that an index describes. */
export interface IndexEnd {
  readonly bytes: number;
  readonly streamMs: DurationMs;
}

export interface StoredIndex {
  readonly points: readonly StoredPoint[];
  readonly tables: readonly Uint8Array[];
  /** Absent while the file is being read. */
  readonly end?: IndexEnd;
}

/** Encodes an index in file order: the bytes to append. */
export class IndexEncoder {
  #tables: Uint8Array | undefined;

  header(): Buffer {
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.write(MAGIC, "latin1");
    entry.writeUInt16BE(VERSION, 8);
    entry.writeUInt16BE(ENTRY_BYTES, 10);
    return entry;
  }

  point(
    { offset, pts, streamMs, check, isAfterGap }: FoundPoint & Pick<StoredPoint, "isAfterGap">,
    tables: Uint8Array,
  ): Buffer {
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.writeUInt8(POINT);
    entry.writeUInt8(isAfterGap === true ? 1 : 0, 1);
    entry.writeUInt32BE(check, 4);
    entry.writeDoubleBE(offset, 8);
    entry.writeDoubleBE(pts, 16);
    entry.writeDoubleBE(streamMs, 24);
    const before = this.#tables;
    this.#tables = tables;
    const isKnown = before === tables || (before !== undefined && Buffer.compare(before, tables) === 0);
    return isKnown ? entry : Buffer.concat([tablesEntry(tables), entry]);
  }

  end({ bytes, streamMs }: IndexEnd): Buffer {
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.writeUInt8(END);
    entry.writeDoubleBE(bytes, 8);
    entry.writeDoubleBE(streamMs, 24);
    return entry;
  }
}

function tablesEntry(packets: Uint8Array): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES * (1 + Math.ceil(packets.length / ENTRY_BYTES)));
  entry.writeUInt8(TABLES);
  entry.writeUInt32BE(packets.length / PACKET_BYTES, 4);
  entry.set(packets, ENTRY_BYTES);
  return entry;
}

/**
 * Decodes an index. The last entry may be cut: the file may be growing, or its writer has died.
 *
 * @param file for messages
 * @throws RecorderdError INDEX_UNUSABLE if it is no index of this version
 */
export function decodeIndex(bytes: Buffer, file: string): StoredIndex {
  const isKnown = bytes.length >= ENTRY_BYTES && startsAsIndex(bytes) && isThisVersion(bytes);
  if (!isKnown) throw unusable(file, "is not an index of access points that this version can read");
  const points: StoredPoint[] = [];
  const tables: Uint8Array[] = [];
  let end: IndexEnd | undefined;
  for (let at = ENTRY_BYTES; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const kind = bytes.readUInt8(at);
    // A loss of power leaves zeros.
    if (kind === 0) break;
    if (kind === POINT) points.push(pointAt(bytes, at, tables.length - 1));
    if (kind === END) end = endAt(bytes, at);
    if (kind === TABLES) {
      const length = bytes.readUInt32BE(at + 4) * PACKET_BYTES;
      const from = at + ENTRY_BYTES;
      if (from + length > bytes.length) break;
      tables.push(Uint8Array.from(bytes.subarray(from, from + length)));
      at += ENTRY_BYTES * Math.ceil(length / ENTRY_BYTES);
    }
  }
  const last = points.at(-1);
  if (last !== undefined && last.tables < 0) throw unusable(file, "has no tables");
  return { points, tables, ...(end === undefined ? {} : { end }) };
}

/** Whether bytes are the beginning of an index of any version. */
export function startsAsIndex(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, MAGIC.length) === MAGIC;
}

function isThisVersion(bytes: Buffer): boolean {
  return bytes.readUInt16BE(8) === VERSION && bytes.readUInt16BE(10) === ENTRY_BYTES;
}

/** The end of an index by its last bytes; `undefined` if its last entry is another one. */
export function decodeIndexEnd(bytes: Buffer): IndexEnd | undefined {
  const at = bytes.length - ENTRY_BYTES;
  return at >= 0 && bytes.readUInt8(at) === END ? endAt(bytes, at) : undefined;
}

function endAt(bytes: Buffer, at: number): IndexEnd {
  return { bytes: bytes.readDoubleBE(at + 8), streamMs: bytes.readDoubleBE(at + 24) };
}

function pointAt(bytes: Buffer, at: number, tables: number): StoredPoint {
  return {
    check: bytes.readUInt32BE(at + 4),
    offset: bytes.readDoubleBE(at + 8),
    pts: bytes.readDoubleBE(at + 16),
    streamMs: bytes.readDoubleBE(at + 24),
    tables,
    ...(bytes.readUInt8(at + 1) === 1 ? { isAfterGap: true } : {}),
  };
}

export function unusable(file: string, why: string): RecorderdError {
  return new RecorderdError("INDEX_UNUSABLE", `${file} ${why}; a job makes it again.`, { file });
}
