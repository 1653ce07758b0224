import { u8 } from "../bytes.ts";
import { readStamp } from "./pes.ts";

/** The verdict on a PES packet: more bytes must decide, a decoder cannot begin in it, or it can. */
export const OPEN = 0;
export const NO_ACCESS = 1;
export const ACCESS = 2;
type Verdict = typeof OPEN | typeof NO_ACCESS | typeof ACCESS;

/** A NAL unit with SEI messages: one of them may be a recovery point. */
const MESSAGES = 3;

/** The verdict by the byte after a start code. */
export type Syntax = Uint8Array;

function syntaxOf(verdictOf: (code: number) => number): Syntax {
  return Uint8Array.from({ length: 256 }, (_, code) => verdictOf(code));
}

/** ISO/IEC 13818-2 table 6-1: sequence_header_code before the picture and its slices. */
export const MPEG_VIDEO = syntaxOf((code) => {
  if (code === 0xb3) return ACCESS;
  return code <= 0xaf ? NO_ACCESS : OPEN;
});

/** nal_unit_type, ITU-T H.264 §7.3.1 and table 7-1: SPS or IDR picture; any other slice comes too late for them. */
export const H264 = syntaxOf((code) => {
  const type = code & 0x1f;
  if (type === 7 || type === 5) return ACCESS;
  if (type === 6) return MESSAGES;
  return type >= 1 && type <= 4 ? NO_ACCESS : OPEN;
});

/** nal_unit_type, ITU-T H.265 §7.3.1.2 and table 7-1: VPS, SPS or IRAP picture. */
export const H265 = syntaxOf((code) => {
  const type = (code >> 1) & 0x3f;
  if (type === 32 || type === 33 || (type >= 16 && type <= 23)) return ACCESS;
  return type < 32 ? NO_ACCESS : OPEN;
});

/** payloadType of the recovery point message, ITU-T H.264 §D.1.1. */
const RECOVERY_POINT = 6;
/** The header of a PES packet up to its PTS, ISO/IEC 13818-1 §2.4.3.6. */
const HEADER_BYTES = 14;

/** The scan's place in an SEI NAL unit (ITU-T H.264 §7.3.2.3.1). */
const NOWHERE = 0;
const IN_TYPE = 1;
const IN_SIZE = 2;
const IN_PAYLOAD = 3;

/** Reads the first bytes of one PES packet after the other, in portions of any size, and allocates nothing. */
export class UnitScan {
  readonly #header = new Uint8Array(HEADER_BYTES);
  #syntax: Syntax | undefined;
  #headerBytes = 0;
  /** Bytes of the PES header after the PTS. */
  #skip = 0;
  #pts = 0;
  /** Zero bytes in a row. */
  #zeros = 0;
  #isAfterStartCode = false;
  #message = NOWHERE;
  /** The value so far of a payloadType or payloadSize; in a payload, its bytes to come. */
  #value = 0;

  /** Only after `ACCESS`: 33 bits, in ticks of 90 kHz. */
  get pts(): number {
    return this.#pts;
  }

  /** @param syntax absent: a decoder can begin in the packet if it has a PTS */
  begin(syntax: Syntax | undefined): void {
    this.#syntax = syntax;
    this.#headerBytes = 0;
    this.#zeros = 0;
    this.#isAfterStartCode = false;
    this.#message = NOWHERE;
  }

  take(bytes: Uint8Array, from: number, end: number): Verdict {
    let at = from;
    if (this.#headerBytes < HEADER_BYTES) {
      const isWhole = this.#headerBytes === 0 && end - at >= HEADER_BYTES;
      at += isWhole ? HEADER_BYTES : this.#addHeader(bytes.subarray(at, end));
      if (!isWhole && this.#headerBytes < HEADER_BYTES) return OPEN;
      this.#headerBytes = HEADER_BYTES;
      if (!(isWhole ? this.#readHeader(bytes, from) : this.#readHeader(this.#header, 0))) return NO_ACCESS;
    }
    const skipped = Math.min(this.#skip, end - at);
    this.#skip -= skipped;
    return this.#syntax === undefined ? ACCESS : this.#search(bytes, at + skipped, end);
  }

  /** Keeps a part of a header that one packet does not hold. @returns its length */
  #addHeader(part: Uint8Array): number {
    const taken = part.subarray(0, HEADER_BYTES - this.#headerBytes);
    this.#header.set(taken, this.#headerBytes);
    this.#headerBytes += taken.length;
    return taken.length;
  }

  /** @returns whether the packet has clear content and a PTS */
  #readHeader(bytes: Uint8Array, at: number): boolean {
    const hasStartCode = u8(bytes, at) === 0 && u8(bytes, at + 1) === 0 && u8(bytes, at + 2) === 1;
    // "10", then PES_scrambling_control.
    const isClear = (u8(bytes, at + 6) & 0xf0) === 0x80;
    const hasPts = (u8(bytes, at + 7) & 0x80) !== 0 && u8(bytes, at + 8) >= 5;
    if (!hasStartCode || !isClear || !hasPts) return false;
    this.#skip = u8(bytes, at + 8) - 5;
    this.#pts = readStamp(bytes, at + 9);
    return true;
  }

  /** Follows start codes, ITU-T H.264 annex B. */
  #search(bytes: Uint8Array, from: number, end: number): Verdict {
    let zeros = this.#zeros;
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#isAfterStartCode) {
        this.#isAfterStartCode = false;
        const verdict = this.#syntax?.[byte];
        if (verdict === ACCESS || verdict === NO_ACCESS) return verdict;
        this.#message = verdict === MESSAGES ? IN_TYPE : NOWHERE;
        this.#value = 0;
        zeros = 0;
        continue;
      }
      if (byte === 1 && zeros >= 2) {
        this.#isAfterStartCode = true;
      } else if (this.#message !== NOWHERE && !(byte === 3 && zeros >= 2)) {
        // A 3 after two zeros is no part of the message: emulation_prevention_three_byte.
        if (this.#readMessage(byte)) return ACCESS;
      }
      zeros = byte === 0 ? zeros + 1 : 0;
    }
    this.#zeros = zeros;
    return OPEN;
  }

  /** @returns whether it is a recovery point */
  #readMessage(byte: number): boolean {
    if (this.#message === IN_PAYLOAD) {
      this.#value -= 1;
    } else {
      this.#value += byte;
      // 255 continues the value in the next byte.
      if (byte === 0xff) return false;
      if (this.#message === IN_TYPE) {
        const isFound = this.#value === RECOVERY_POINT;
        this.#message = IN_SIZE;
        this.#value = 0;
        return isFound;
      }
      this.#message = IN_PAYLOAD;
    }
    if (this.#value === 0) this.#message = IN_TYPE;
    return false;
  }
}
