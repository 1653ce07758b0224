import { type ByteSpan, u8, u16 } from "../bytes.ts";
import { PACKET_BYTES, payloadAt, SYNC } from "../packets.ts";

/** section_length is at most 4093 (EN 300 468 §5.2.4); the header before it has 3 bytes. */
const SECTION_BYTES_MAX = 4096;
const HEADER_BYTES = 3;
const STUFFING = 0xff;
/** A transport packet's header, and the rest of one without an adaptation field. */
const HEAD_BYTES = 4;
const PAYLOAD_BYTES = PACKET_BYTES - HEAD_BYTES;

/** Assembles the sections of one PID (ISO/IEC 13818-1 §2.4.4). Takes packets with clear payload, in order. */
export class SectionAssembler {
  readonly #section = new Uint8Array(SECTION_BYTES_MAX);
  readonly #onSection: (section: Uint8Array) => void;
  #length = 0;
  /** Whether `#section` holds the start of a section. */
  #open = false;

  /** @param onSection receives each whole section, unchecked; valid during the call only */
  constructor(onSection: (section: Uint8Array) => void) {
    this.#onSection = onSection;
  }

  /** A packet was lost: the current section is incomplete. */
  drop(): void {
    this.#open = false;
  }

  packet(bytes: Uint8Array, at: number): void {
    const end = at + PACKET_BYTES;
    let from = payloadAt(bytes, at);
    const startsSection = (u8(bytes, at + 1) & 0x40) !== 0;
    if (!startsSection) {
      if (this.#open) this.#fill(bytes, { firstAt: from, endAt: end });
      return;
    }
    // pointer_field: this many bytes still belong to the previous section.
    const start = from + 1 + u8(bytes, from);
    if (this.#open) this.#fill(bytes, { firstAt: from + 1, endAt: Math.min(start, end) });
    this.#open = false;
    for (from = start; from < end && u8(bytes, from) !== STUFFING; ) {
      this.#open = true;
      this.#length = 0;
      from = this.#fill(bytes, { firstAt: from, endAt: end });
    }
  }

  /** Adds bytes until the section is complete or the bytes end; returns the stop offset. */
  #fill(bytes: Uint8Array, { firstAt, endAt }: ByteSpan): number {
    let at = firstAt;
    while (at < endAt) {
      const wanted = this.#length < HEADER_BYTES ? HEADER_BYTES : this.#whole();
      const stop = Math.min(endAt, at + wanted - this.#length);
      this.#section.set(bytes.subarray(at, stop), this.#length);
      this.#length += stop - at;
      at = stop;
      if (this.#length < HEADER_BYTES) break;
      if (this.#whole() > SECTION_BYTES_MAX) {
        this.#open = false;
        return endAt;
      }
      if (this.#length === this.#whole()) {
        this.#open = false;
        this.#onSection(this.#section.subarray(0, this.#length));
        break;
      }
    }
    return at;
  }

  /** Length of the section, known once its header is present. */
  #whole(): number {
    return HEADER_BYTES + (u16(this.#section, 1) & 0x0fff);
  }
}

/** A section as whole packets of its own, ISO/IEC 13818-1 §2.4.4: their counters begin at 0, and stuffing fills the last one. */
export function packetsOf(section: Uint8Array, pid: number): Uint8Array {
  const POINTER_BYTES = 1;
  const content = new Uint8Array(POINTER_BYTES + section.length);
  content.set(section, POINTER_BYTES);
  const count = Math.ceil(content.length / PAYLOAD_BYTES);
  const packets = new Uint8Array(count * PACKET_BYTES).fill(STUFFING);
  for (let index = 0; index < count; index += 1) {
    const at = index * PACKET_BYTES;
    packets.set([SYNC, (index === 0 ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10 | (index & 0x0f)], at);
    packets.set(content.subarray(index * PAYLOAD_BYTES, (index + 1) * PAYLOAD_BYTES), at + HEAD_BYTES);
  }
  return packets;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value >>> 0;
});

/** CRC-32 of ISO/IEC 13818-1 annex A. It is 0 over a section including its CRC_32 field. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc << 8) ^ u32Of((crc >>> 24) ^ byte);
  return crc >>> 0;
}

function u32Of(index: number): number {
  return CRC_TABLE[index] ?? 0;
}

/** The long header of a section (ISO/IEC 13818-1 §2.4.4.11) and the position of its content. */
export interface SectionHeader {
  readonly tableId: number;
  /** table_id_extension: transport_stream_id, program_number or service_id. */
  readonly extension: number;
  readonly version: number;
  readonly number: number;
  /** CRC_32: sections of one version with different values belong to different streams. */
  readonly crc: number;
  /** Offset of the CRC_32 field. */
  readonly end: number;
}

/** A section: its bytes, and its checked header. */
export interface Section {
  readonly bytes: Uint8Array;
  readonly header: SectionHeader;
}

/** The section's CRC_32 field, right or wrong. */
export function crcField(section: Uint8Array): number {
  return u16(section, section.length - 4) * 0x10000 + u16(section, section.length - 2);
}

/** `undefined` for a section that is damaged, not yet valid (current_next_indicator 0) or without the long header. */
export function sectionHeader(section: Uint8Array): SectionHeader | undefined {
  const longHeader = (u8(section, 1) & 0x80) !== 0;
  const current = (u8(section, 5) & 0x01) !== 0;
  if (!longHeader || !current || section.length < 12 || crc32(section) !== 0) return undefined;
  return {
    tableId: u8(section, 0),
    extension: u16(section, 3),
    version: (u8(section, 5) >> 1) & 0x1f,
    number: u8(section, 6),
    crc: crcField(section),
    end: section.length - 4,
  };
}

/** Offset of version_number. */
const VERSION_AT = 5;

/** Whether two sections of a table differ at most in version_number and CRC_32: some encoders give each repetition a new version. */
export function isOnlyNewVersion(before: Uint8Array, after: Uint8Array): boolean {
  const crcAt = after.length - 4;
  if (before.length !== after.length) return false;
  return after.every((byte, at) => byte === before[at] || at === VERSION_AT || at >= crcAt);
}
