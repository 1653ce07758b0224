import { u8, u16 } from "../bytes.ts";

/** EN 300 743 table 7. */
export const PAGE_COMPOSITION = 0x10;
export const REGION_COMPOSITION = 0x11;
export const CLUT_DEFINITION = 0x12;
export const OBJECT_DATA = 0x13;
export const DISPLAY_DEFINITION = 0x14;

const DATA_IDENTIFIER = 0x20;
const STREAM_ID = 0x00;
const SYNC_BYTE = 0x0f;
const HEADER_BYTES = 6;

export interface SubtitleSegment {
  readonly type: number;
  readonly pageId: number;
  readonly data: Uint8Array;
}

/** The subtitling segments of a PES packet. EN 300 743 §7.1. */
export function* subtitleSegments(bytes: Uint8Array): Generator<SubtitleSegment> {
  if (u8(bytes, 0) !== DATA_IDENTIFIER || u8(bytes, 1) !== STREAM_ID) return;
  for (let at = 2; at + HEADER_BYTES <= bytes.length && u8(bytes, at) === SYNC_BYTE; ) {
    const end = at + HEADER_BYTES + u16(bytes, at + 4);
    if (end > bytes.length) return;
    yield {
      type: u8(bytes, at + 1),
      pageId: u16(bytes, at + 2),
      data: bytes.subarray(at + HEADER_BYTES, end),
    };
    at = end;
  }
}

/** §7.2.1: size of the screen, and the part of it to which places refer. */
export interface DisplayDefinition {
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

/** Screens without a definition, §5.1.3. */
export const DEFAULT_DISPLAY: DisplayDefinition = { width: 720, height: 576, x: 0, y: 0 };

export function readDisplay(data: Uint8Array): DisplayDefinition {
  const hasWindow = (u8(data, 0) & 0x08) !== 0;
  const [x, y] = hasWindow ? [u16(data, 5), u16(data, 9)] : [0, 0];
  return { width: u16(data, 1) + 1, height: u16(data, 3) + 1, x, y };
}

/** §7.2.2. */
export interface PageComposition {
  readonly timeoutSeconds: number;
  /** All that was defined before is void. */
  readonly isEpochStart: boolean;
  readonly regions: readonly { readonly id: number; readonly x: number; readonly y: number }[];
}

export function readPage(data: Uint8Array): PageComposition {
  const state = (u8(data, 1) >> 2) & 3;
  const regions = [];
  for (let at = 2; at + 6 <= data.length; at += 6)
    regions.push({ id: u8(data, at), x: u16(data, at + 2), y: u16(data, at + 4) });
  return { timeoutSeconds: u8(data, 0), isEpochStart: state === 1 || state === 2, regions };
}

/** §7.2.3. */
export interface RegionComposition {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly depth: 2 | 4 | 8;
  readonly clutId: number;
  /** The code that fills it; absent: its content stays. */
  readonly fill?: number;
  readonly objects: readonly { readonly id: number; readonly x: number; readonly y: number }[];
}

const DEPTHS = [undefined, 2, 4, 8] as const;

/** @returns `undefined` for a depth that is not defined */
export function readRegion(data: Uint8Array): RegionComposition | undefined {
  const depth = DEPTHS[(u8(data, 6) >> 2) & 7];
  if (depth === undefined) return undefined;
  const fills = { 8: u8(data, 8), 4: u8(data, 9) >> 4, 2: (u8(data, 9) >> 2) & 3 };
  const objects = [];
  for (let at = 10; at + 6 <= data.length; ) {
    const type = u8(data, at + 2) >> 6;
    // Types 1 and 2 are characters and strings: a decoder without fonts cannot show them.
    if (type === 0)
      objects.push({ id: u16(data, at), x: u16(data, at + 2) & 0x0fff, y: u16(data, at + 4) & 0x0fff });
    at += type === 0 ? 6 : 8;
  }
  return {
    id: u8(data, 0),
    width: u16(data, 2),
    height: u16(data, 4),
    depth,
    clutId: u8(data, 7),
    ...((u8(data, 1) & 0x08) === 0 ? {} : { fill: fills[depth] }),
    objects,
  };
}

/** §7.2.5: an object that is coded as pixels. */
export interface ObjectData {
  readonly id: number;
  /** Code 1 leaves the pixel of the region as it is. */
  readonly keepsCodeOne: boolean;
  readonly topField: Uint8Array;
  readonly bottomField: Uint8Array;
}

/** @returns `undefined` for an object that is coded otherwise */
export function readObject(data: Uint8Array): ObjectData | undefined {
  const method = (u8(data, 2) >> 2) & 3;
  if (method !== 0) return undefined;
  const middle = 7 + u16(data, 3);
  const topField = data.subarray(7, middle);
  const bottomField = data.subarray(middle, middle + u16(data, 5));
  return {
    id: u16(data, 0),
    keepsCodeOne: (u8(data, 2) & 0x02) !== 0,
    topField,
    // Both fields have the same pixels.
    bottomField: bottomField.length === 0 ? topField : bottomField,
  };
}
