import { u8, u16 } from "../bytes.ts";
import { isStuffed, PACKET_BYTES, payloadAt } from "../packets.ts";
import type { PlacedPacket } from "../pid-counters.ts";
import { pesPayloadAt } from "../streams/pes.ts";
import type { Looker } from "./unit-look.ts";

/** The bytes after a start code with which coded parts of a picture begin. */
export type PictureSyntax = Uint8Array;

function syntaxOf(isPart: (code: number) => boolean): PictureSyntax {
  return Uint8Array.from({ length: 256 }, (_, code) => (isPart(code) ? 1 : 0));
}

/** slice_start_code, ISO/IEC 13818-2 table 6-1. */
const MPEG_VIDEO = syntaxOf((code) => code >= 0x01 && code <= 0xaf);
/** nal_unit_type of slices, ITU-T H.264 table 7-1; forbidden_zero_bit is 0. */
const H264 = syntaxOf((code) => code < 0x80 && (code & 0x1f) >= 1 && (code & 0x1f) <= 5);
/** nal_unit_type of slice segments, ITU-T H.265 table 7-1. */
const H265 = syntaxOf((code) => code < 0x40);

export const PICTURE_SYNTAXES: Readonly<Record<string, PictureSyntax>> = {
  "MPEG-1 video": MPEG_VIDEO,
  "MPEG-2 video": MPEG_VIDEO,
  "H.264": H264,
  "H.265": H265,
};

/** Slices of MPEG-2 follow each other at least once in each row of macroblocks: some kilobytes, even in HD at a high rate. */
const SLICES_APART_PACKETS_MAX = 64;
/** A picture of so many packets without one is doubtful as well. */
const SLICELESS_PACKETS_MIN = 8;
/** One in so many pictures is searched for further slices: the search costs as much as all the rest. */
const SEARCH_EVERY = 16;
/** Fewer zeros may be the end of a picture. */
const ZEROS_MIN = 16;

/** Looks at pictures: one is hollow if it has no slice, ends in zeros or noise, or was cut off. */
export class PictureLooker implements Looker {
  readonly #syntax: PictureSyntax;
  readonly #hasManySlices: boolean;
  readonly countsPackets = true;
  #isOpen = false;
  /** The last three bytes. */
  #before = 0;
  #hasSlice = false;
  #isLossy = false;
  /** PES_packet_length with what comes before it; 0 if unknown. */
  #declared = 0;
  #count = 0;
  /** Packets of a picture in which a further slice is searched for; 0: not in this picture. */
  #searched = 0;
  #isNoise = false;

  constructor(syntax: PictureSyntax) {
    this.#syntax = syntax;
    this.#hasManySlices = syntax === MPEG_VIDEO;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  begin(bytes: Uint8Array, at: number): void {
    const from = payloadAt(bytes, at);
    const declared = from + 6 > at + PACKET_BYTES ? 0 : u16(bytes, from + 4);
    this.#declared = declared === 0 ? 0 : declared + 6;
    this.#isLossy = false;
    this.#hasSlice = false;
    this.#before = 0xff_ffff;
    this.#searched = 0;
    this.#count = (this.#count + 1) % SEARCH_EVERY;
    this.#isOpen = true;
    this.#search(bytes, pesPayloadAt(bytes, at), at + PACKET_BYTES);
  }

  goOn(bytes: Uint8Array, at: number): void {
    if (this.#hasSlice) this.#searched += 1;
    this.#search(bytes, payloadAt(bytes, at), at + PACKET_BYTES);
    if (this.#searched > SLICES_APART_PACKETS_MAX) this.#endSearch(true);
  }

  lost(): void {
    this.#isLossy = true;
  }

  end(last: PlacedPacket, packets: number): boolean {
    if (this.#isOpen && this.#searched >= SLICELESS_PACKETS_MIN) this.#endSearch(true);
    this.#isOpen = false;
    if (!this.#hasSlice || this.#isLossy || this.#isNoise) return true;
    return endsInZeros(last) || this.#isCut(last, packets);
  }

  #search(bytes: Uint8Array, from: number, end: number): void {
    let before = this.#before;
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (before === 1 && this.#syntax[byte] === 1) {
        if (this.#found()) return;
      }
      before = ((before << 8) | byte) & 0xff_ffff;
    }
    this.#before = before;
  }

  /** @returns whether nothing more is searched for */
  #found(): boolean {
    const isFirst = !this.#hasSlice;
    this.#hasSlice = true;
    if (isFirst && this.#hasManySlices && this.#count === 0) return false;
    // Slices of the first packet do not show what follows it.
    if (!isFirst && this.#searched === 0) return false;
    this.#endSearch(false);
    return true;
  }

  #endSearch(isNoise: boolean): void {
    this.#isOpen = false;
    if (this.#searched > 0) this.#isNoise = isNoise;
  }

  /** A picture of unknown length ends with stuffing, or is itself filled up with zeros, unless it fits by chance. */
  #isCut({ bytes, at }: PlacedPacket, packets: number): boolean {
    if (this.#declared > 0) return packets * (PACKET_BYTES - 4) < this.#declared;
    return !isStuffed(bytes, at) && u8(bytes, at + PACKET_BYTES - 1) !== 0;
  }
}

/** Whether the last packet holds nothing but zeros. */
function endsInZeros({ bytes, at }: PlacedPacket): boolean {
  const from = payloadAt(bytes, at);
  const end = at + PACKET_BYTES;
  if (end - from < ZEROS_MIN) return false;
  for (let place = from; place < end; place += 1) if (bytes[place] !== 0) return false;
  return true;
}
