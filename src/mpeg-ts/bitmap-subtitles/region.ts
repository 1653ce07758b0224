import { MPEG_TS_LIMITS } from "../limits.ts";
import type { Depth } from "./cluts.ts";
import { readField } from "./pixels.ts";
import type { ObjectData, RegionComposition } from "./segments.ts";

/** A rectangle of pixels. */
export interface Region {
  readonly width: number;
  readonly height: number;
  readonly depth: Depth;
  readonly clutId: number;
  readonly objects: RegionComposition["objects"];
  /** Codes row by row. */
  readonly pixels: Uint8Array;
}

/** @returns `undefined` for a size that no screen has */
export function composedRegion(
  { width, height, depth, clutId, fill, objects }: RegionComposition,
  before: Region | undefined,
): Region | undefined {
  const count = width * height;
  if (count === 0 || count > MPEG_TS_LIMITS.subtitlePixels) return undefined;
  const isSame = before?.width === width && before.height === height && before.depth === depth;
  const pixels = isSame ? before.pixels : new Uint8Array(count);
  if (fill !== undefined) pixels.fill(fill);
  const shown = objects.slice(0, MPEG_TS_LIMITS.subtitleObjects);
  return { width, height, depth, clutId, objects: shown, pixels };
}

/** Draws an object at a place in a region. */
export function draw(
  { width, height, depth, pixels }: Region,
  { topField, bottomField, keepsCodeOne }: ObjectData,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  for (const [field, bytes] of [topField, bottomField].entries()) {
    let column = x;
    let line = y + field;
    const run = (code: number, length: number) => {
      if (line >= height) return false;
      const from = line * width + Math.min(column, width);
      const to = line * width + Math.min(column + length, width);
      if (!(keepsCodeOne && code === 1)) pixels.fill(code, from, to);
      column += length;
      return true;
    };
    const endLine = () => {
      column = x;
      line += 2;
    };
    readField(bytes, { depth, run, endLine });
  }
}
