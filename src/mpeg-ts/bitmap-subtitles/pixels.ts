import { u8 } from "../bytes.ts";
import { BitReader } from "../streams/bit-reader.ts";

/** Receives a run of equal pixels; it returns false once it takes no more. */
export type TakeRun = (code: number, length: number) => boolean;

/** Types of pixel data sub-blocks, EN 300 743 table 13. */
const TWO_BIT = 0x10;
const FOUR_BIT = 0x11;
const EIGHT_BIT = 0x12;
const MAP_2_TO_4 = 0x20;
const MAP_2_TO_8 = 0x21;
const MAP_4_TO_8 = 0x22;
const END_OF_LINE = 0xf0;

/** The code of a run of `length` pixels; a length of 0 ends the string. */
interface Run {
  readonly code: number;
  readonly length: number;
}

const END: Run = { code: 0, length: 0 };

/** Tables from the codes of a string to those of a region with more colours, EN 300 743 §10.4 to §10.6. */
interface Maps {
  twoToFour: readonly number[];
  twoToEight: readonly number[];
  fourToEight: readonly number[];
}

interface FieldParts {
  /** Bits of a pixel of the region: 2, 4 or 8. */
  readonly depth: number;
  readonly run: TakeRun;
  readonly endLine: () => void;
}

/**
 * Reads the lines of one field of an object. EN 300 743 §7.2.5.1.
 *
 * @param bytes the pixel-data sub-blocks of the field
 */
export function readField(bytes: Uint8Array, { depth, run, endLine }: FieldParts): void {
  const maps: Maps = {
    twoToFour: [0, 7, 8, 15],
    twoToEight: [0x00, 0x77, 0x88, 0xff],
    fourToEight: Array.from({ length: 16 }, (_, code) => code * 0x11),
  };
  for (let at = 0; at < bytes.length; ) {
    const type = u8(bytes, at);
    at += 1;
    const string = STRINGS[type];
    if (string !== undefined) {
      const map = mapOf(maps, string.bits, depth);
      at = readString(bytes, { at, next: string.next, take: (code, length) => run(map(code), length) });
    } else if (type === END_OF_LINE) endLine();
    else at = readMap(maps, { type, bytes, at });
  }
}

function mapOf(maps: Maps, bits: number, depth: number): (code: number) => number {
  if (bits === 2 && depth === 4) return (code) => maps.twoToFour[code] ?? 0;
  if (bits === 2 && depth === 8) return (code) => maps.twoToEight[code] ?? 0;
  if (bits === 4 && depth === 8) return (code) => maps.fourToEight[code] ?? 0;
  return (code) => code & ((1 << depth) - 1);
}

/** @returns the offset after the table; the end of the bytes for an unknown type */
function readMap(
  maps: Maps,
  { type, bytes, at }: { readonly type: number; readonly bytes: Uint8Array; readonly at: number },
): number {
  const entries = (count: number) => Array.from({ length: count }, (_, index) => u8(bytes, at + index));
  if (type === MAP_2_TO_4) {
    maps.twoToFour = entries(2).flatMap((byte) => [byte >> 4, byte & 15]);
    return at + 2;
  }
  if (type === MAP_2_TO_8) {
    maps.twoToEight = entries(4);
    return at + 4;
  }
  if (type === MAP_4_TO_8) {
    maps.fourToEight = entries(16);
    return at + 16;
  }
  return bytes.length;
}

/** @returns the offset after the string, which ends with a whole byte */
function readString(
  bytes: Uint8Array,
  {
    at,
    next,
    take,
  }: { readonly at: number; readonly next: (bits: BitReader) => Run; readonly take: TakeRun },
): number {
  const bits = new BitReader(bytes, at);
  while (!bits.isAtEnd) {
    const { code, length } = next(bits);
    if (length === 0) break;
    if (!take(code, length)) return bytes.length;
  }
  return bits.nextByte;
}

/** EN 300 743 table 14. */
function nextOfTwo(bits: BitReader): Run {
  const code = bits.read(2);
  if (code !== 0) return { code, length: 1 };
  if (bits.read(1) === 1) return runOf(bits, { least: 3, lengthBits: 3, codeBits: 2 });
  if (bits.read(1) === 1) return { code: 0, length: 1 };
  const kind = bits.read(2);
  if (kind === 0) return END;
  if (kind === 1) return { code: 0, length: 2 };
  return runOf(bits, { least: kind === 2 ? 12 : 29, lengthBits: kind === 2 ? 4 : 8, codeBits: 2 });
}

/** EN 300 743 table 16. */
function nextOfFour(bits: BitReader): Run {
  const code = bits.read(4);
  if (code !== 0) return { code, length: 1 };
  if (bits.read(1) === 0) {
    const more = bits.read(3);
    return more === 0 ? END : { code: 0, length: more + 2 };
  }
  if (bits.read(1) === 0) return runOf(bits, { least: 4, lengthBits: 2, codeBits: 4 });
  const kind = bits.read(2);
  if (kind < 2) return { code: 0, length: kind + 1 };
  return runOf(bits, { least: kind === 2 ? 9 : 25, lengthBits: kind === 2 ? 4 : 8, codeBits: 4 });
}

/** EN 300 743 table 18. */
function nextOfEight(bits: BitReader): Run {
  const code = bits.read(8);
  if (code !== 0) return { code, length: 1 };
  const isCoded = bits.read(1) === 1;
  const length = bits.read(7);
  return { code: isCoded ? bits.read(8) : 0, length };
}

function runOf(
  bits: BitReader,
  {
    least,
    lengthBits,
    codeBits,
  }: { readonly least: number; readonly lengthBits: number; readonly codeBits: number },
): Run {
  const length = least + bits.read(lengthBits);
  return { code: bits.read(codeBits), length };
}

const STRINGS: Readonly<Record<number, { readonly bits: number; readonly next: (bits: BitReader) => Run }>> =
  {
    [TWO_BIT]: { bits: 2, next: nextOfTwo },
    [FOUR_BIT]: { bits: 4, next: nextOfFour },
    [EIGHT_BIT]: { bits: 8, next: nextOfEight },
  };
