import assert from "node:assert";
import { PACKET_BYTES, PAYLOAD_BYTES, packetise } from "./packet.ts";

const HEADER_BYTES = 3;
const CRC_BYTES = 4;
const TABLE_STUFFING = 0x72;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value >>> 0;
});

/** CRC-32 of ISO/IEC 13818-1 annex A. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc << 8) ^ (CRC_TABLE[(crc >>> 24) ^ byte] ?? 0);
  return crc >>> 0;
}

export function sixteen(value: number): readonly number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}

export interface SectionParts {
  readonly tableId: number;
  /** table_id_extension: transport_stream_id, program_number or service_id. */
  readonly extension: number;
  /** 0 to 31. */
  readonly version: number;
  readonly number: number;
  readonly lastNumber: number;
  readonly body: readonly number[];
}

/** A section with the long header. ISO/IEC 13818-1 §2.4.4.11, EN 300 468 §5.1.1. */
export function section({ tableId, extension, version, number, lastNumber, body }: SectionParts): Buffer {
  const length = 5 + body.length + CRC_BYTES;
  // Bit 6 of the length word is reserved_future_use (1) in DVB tables and must be 0 in the tables of MPEG.
  const flags = tableId < 0x40 ? 0xb0 : 0xf0;
  const head = [
    tableId,
    ...sixteen((flags << 8) | length),
    ...sixteen(extension),
    0xc1 | (version << 1),
    number,
    lastNumber,
  ];
  const checked = Buffer.from([...head, ...body]);
  const crc = Buffer.alloc(CRC_BYTES);
  crc.writeUInt32BE(crc32(checked));
  return Buffer.concat([checked, crc]);
}

/** A section without the long header and CRC, such as TDT. EN 300 468 §5.2.5. */
export function shortSection(tableId: number, body: readonly number[]): Buffer {
  return Buffer.from([tableId, ...sixteen(0x7000 | body.length), ...body]);
}

/**
 * A section padded to exactly `count` packets. A surplus packet holds a stuffing section (EN 300 468 §5.2.8), so that every
 * packet counts in the continuity counter.
 */
export function sectionPackets(whole: Buffer, count: number): readonly Buffer[] {
  const room = count * PAYLOAD_BYTES - 1;
  assert(whole.length <= room, `a section of ${whole.length} bytes does not fit into ${count} packets`);
  const used = Math.ceil((1 + whole.length) / PAYLOAD_BYTES);
  const payload = Buffer.alloc(used * PAYLOAD_BYTES, 0xff);
  payload[0] = 0;
  whole.copy(payload, 1);
  return [...packetise(payload, false), ...Array.from({ length: count - used }, stuffingPacket)];
}

function stuffingPacket(): Buffer {
  const body = new Array<number>(PAYLOAD_BYTES - 1 - HEADER_BYTES).fill(0xff);
  const [packet] = packetise(Buffer.concat([Buffer.from([0]), shortSection(TABLE_STUFFING, body)]), false);
  assert(packet?.length === PACKET_BYTES, "a stuffing section fills one packet");
  return packet;
}
