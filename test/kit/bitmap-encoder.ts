import { FIRST_MS, pesPackets } from "./teletext-encoder.ts";
import { ascii, descriptor, join, PidWriter, pat, pmt, sixteen, TICKS_PER_MS } from "./ts-builder.ts";

/** Writes DVB bitmap subtitles for tests, from EN 300 743 alone: it shares nothing with the reader. */

type Depth = 2 | 4 | 8;

interface Run {
  readonly code: number;
  readonly length: number;
}

function bits(value: number, count: number): string {
  return value.toString(2).padStart(count, "0");
}

/** Codes for the beginning of a run, and how many pixels they hold. Tables 14, 16 and 18. */
const CODES: Readonly<Record<Depth, (run: Run) => readonly [text: string, pixels: number]>> = {
  2: ({ code, length }) => {
    const c = bits(code, 2);
    if (length >= 29) return [`000011${bits(Math.min(length, 284) - 29, 8)}${c}`, Math.min(length, 284)];
    if (length >= 12) return [`000010${bits(Math.min(length, 27) - 12, 4)}${c}`, Math.min(length, 27)];
    if (length >= 3) return [`001${bits(Math.min(length, 10) - 3, 3)}${c}`, Math.min(length, 10)];
    if (code === 0) return length === 2 ? ["000001", 2] : ["0001", 1];
    return [c, 1];
  },
  4: ({ code, length }) => {
    const c = bits(code, 4);
    if (length >= 25) return [`00001111${bits(Math.min(length, 280) - 25, 8)}${c}`, Math.min(length, 280)];
    if (length >= 9) return [`00001110${bits(Math.min(length, 24) - 9, 4)}${c}`, Math.min(length, 24)];
    if (code === 0 && length >= 3) return [`00000${bits(Math.min(length, 9) - 2, 3)}`, Math.min(length, 9)];
    if (code === 0) return length === 2 ? ["00001101", 2] : ["00001100", 1];
    if (length >= 4) return [`000010${bits(Math.min(length, 7) - 4, 2)}${c}`, Math.min(length, 7)];
    return [c, 1];
  },
  8: ({ code, length }) => {
    if (code === 0) return [`000000000${bits(Math.min(length, 127), 7)}`, Math.min(length, 127)];
    if (length >= 3)
      return [`000000001${bits(Math.min(length, 127), 7)}${bits(code, 8)}`, Math.min(length, 127)];
    return [bits(code, 8), 1];
  },
};
const ENDS: Readonly<Record<Depth, string>> = { 2: "000000", 4: "00000000", 8: "0000000000000000" };
const TYPES: Readonly<Record<Depth, number>> = { 2: 0x10, 4: 0x11, 8: 0x12 };

function lineOf(codes: readonly number[], depth: Depth): readonly number[] {
  let text = "";
  for (let at = 0; at < codes.length; ) {
    const code = codes[at] ?? 0;
    let length = 1;
    while (codes[at + length] === code) length += 1;
    const [part, pixels] = CODES[depth]({ code, length });
    text += part;
    at += pixels;
  }
  text += ENDS[depth];
  const whole = text.padEnd(Math.ceil(text.length / 8) * 8, "0");
  const bytes = (whole.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return [TYPES[depth], ...bytes, 0xf0];
}

function segment(type: number, pageId: number, data: readonly number[]): readonly number[] {
  return [0x0f, type, ...sixteen(pageId), ...sixteen(data.length), ...data];
}

export interface EncodedRegion {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly depth: Depth;
  /** Depth of the codes of its object; that of the region if absent. */
  readonly codeDepth?: Depth;
  readonly fill: number;
  readonly width: number;
  readonly height: number;
  /** Place of the object in the region. */
  readonly objectAt?: readonly [number, number];
  /** Rows of codes. */
  readonly pixels: readonly (readonly number[])[];
  /** Y, Cr, Cb and T by code. */
  readonly colours?: Readonly<Record<number, readonly [number, number, number, number]>>;
  /** Colours have two bytes instead of four. */
  readonly isShort?: boolean;
}

export interface DisplaySet {
  readonly timeoutSeconds?: number;
  /** 0: normal case, 1: acquisition point, 2: mode change. */
  readonly state?: number;
  readonly display?: { readonly width: number; readonly height: number };
  readonly regions: readonly EncodedRegion[];
  readonly pageId?: number;
  /** The version of all its parts, 0 to 15: decoders ignore a part of a version that they know. */
  readonly version?: number;
}

/** The data of a PES packet with one display set. */
function displaySet(set: DisplaySet): Uint8Array {
  const { timeoutSeconds = 30, state = 2, display, regions, pageId = 1, version = 0 } = set;
  const places = regions.flatMap(({ id, x, y }) => [id, 0xff, ...sixteen(x), ...sixteen(y)]);
  return Uint8Array.from([
    ...[0x20, 0x00],
    ...(display === undefined
      ? []
      : segment(0x14, pageId, [0, ...sixteen(display.width - 1), ...sixteen(display.height - 1)])),
    ...segment(0x10, pageId, [timeoutSeconds, (version << 4) | (state << 2) | 3, ...places]),
    ...regions.flatMap((region) => regionSegments(region, { pageId, version })),
    ...segment(0x80, pageId, []),
    0xff,
  ]);
}

function regionSegments(
  region: EncodedRegion,
  { pageId, version }: { readonly pageId: number; readonly version: number },
): readonly number[] {
  const { id, width, height, depth, fill, pixels, objectAt = [0, 0], codeDepth = depth } = region;
  const level = { 2: 1, 4: 2, 8: 3 }[depth];
  const fills = [
    depth === 8 ? fill : 0,
    ((depth === 4 ? fill : 0) << 4) | ((depth === 2 ? fill : 0) << 2) | 3,
  ];
  const place = [...sixteen(id), ...sixteen(objectAt[0]), ...sixteen(0xf000 | objectAt[1])];
  const head = [
    id,
    (version << 4) | 0x0f,
    ...sixteen(width),
    ...sixteen(height),
    (level << 5) | (level << 2) | 3,
    id,
  ];
  const field = (first: number) =>
    pixels.filter((_, row) => row % 2 === first).flatMap((row) => lineOf(row, codeDepth));
  const [top, bottom] = [field(0), field(1)];
  const object = [
    ...sixteen(id),
    (version << 4) | 0x01,
    ...sixteen(top.length),
    ...sixteen(bottom.length),
    ...top,
    ...bottom,
  ];
  return [
    ...segment(0x11, pageId, [...head, ...fills, ...place]),
    ...segment(0x12, pageId, [id, (version << 4) | 0x0f, ...colourEntries(region)]),
    ...segment(0x13, pageId, object),
  ];
}

function colourEntries({ depth, colours = {}, isShort = false }: EncodedRegion): readonly number[] {
  const flag = { 2: 0x80, 4: 0x40, 8: 0x20 }[depth];
  const entries = Object.entries(colours);
  // Some decoders, ffmpeg among them, do not read the last one.
  return [...entries, ...(isShort ? entries.slice(-1) : [])].flatMap(([code, [y, cr, cb, t]]) => {
    const both = ((y >> 2) << 10) | ((cr >> 4) << 6) | ((cb >> 4) << 2) | (t >> 6);
    return [Number(code), flag | 0x1e | (isShort ? 0 : 1), ...(isShort ? sixteen(both) : [y, cr, cb, t])];
  });
}

/** A PES packet that says how long it is. */
function bitmapPes(data: Uint8Array, pts: number): Uint8Array {
  const length = 8 + data.length;
  const stamp = [
    0x21 | ((Math.floor(pts / 2 ** 30) & 7) << 1),
    (pts >> 22) & 0xff,
    ((pts >> 14) & 0xfe) | 1,
    (pts >> 7) & 0xff,
    ((pts << 1) & 0xfe) | 1,
  ];
  return Uint8Array.from([...[0, 0, 1, 0xbd], ...sixteen(length), 0x84, 0x80, 5, ...stamp, ...data]);
}

/** The descriptor of EN 300 468 §6.2.41. */
export function subtitlingDescriptor(language: string, type = 0x10, pageId = 1): readonly number[] {
  return descriptor(0x59, [...ascii(language), type, ...sixteen(pageId), ...sixteen(pageId)]);
}

/** A transport stream of bitmap subtitles alone, with a PCR. Times count from `FIRST_MS`. */
export function bitmapStream(
  moments: readonly { readonly ms: number; readonly set: DisplaySet }[],
  { pid = 0x120 } = {},
): Uint8Array {
  const [programmes, map, writer, clock] = [0, 0x20, pid, 0x1ff].map((each) => new PidWriter(each)) as [
    PidWriter,
    PidWriter,
    PidWriter,
    PidWriter,
  ];
  const streams = [{ type: 6, pid, info: subtitlingDescriptor("fre") }];
  return join(
    moments.flatMap(({ ms, set }, at) => [
      ...programmes.sections(pat(1, { programmes: [[1, 0x20]] })),
      ...map.sections(pmt({ sid: 1, pcrPid: 0x1ff, streams })),
      clock.next({ pcr: (FIRST_MS + ms - 500) * TICKS_PER_MS }),
      ...pesPackets(writer, bitmapPes(displaySet({ version: at % 16, ...set }), (FIRST_MS + ms) * 90)),
    ]),
  );
}
