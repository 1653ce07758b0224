import { MPEG_TS_LIMITS } from "../limits.ts";
import type { PesPacket } from "../streams/pes-packets.ts";
import { type Clut, changeClut, defaultClut, type Palette } from "./cluts.ts";
import { composedRegion, draw, type Region } from "./region.ts";
import {
  CLUT_DEFINITION,
  DEFAULT_DISPLAY,
  DISPLAY_DEFINITION,
  type DisplayDefinition,
  OBJECT_DATA,
  PAGE_COMPOSITION,
  type PageComposition,
  REGION_COMPOSITION,
  readDisplay,
  readObject,
  readPage,
  readRegion,
  type SubtitleSegment,
  subtitleSegments,
} from "./segments.ts";

/** A picture of indexed colours at its place on the screen. */
export interface BitmapImage {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Codes row by row. */
  readonly pixels: Uint8Array;
  readonly palette: Palette;
}

/** A page as it is shown from `pts` on: until the next one, or its timeout. */
export interface BitmapScreen {
  /** 33 bits, in ticks of 90 kHz. */
  readonly pts: number;
  readonly timeoutMs: number;
  readonly display: DisplayDefinition;
  /** None where the page is erased. */
  readonly images: readonly BitmapImage[];
}

interface PageParts {
  readonly composition: number;
  readonly ancillary: number;
}

const COLOUR_BYTES = 4;
const PALETTE_BYTES = COLOUR_BYTES * 256;
/** A byte of codes costs as much time as this many pixels, and may draw none. */
const PIXELS_PER_BYTE = 8;

/** Follows one subtitle service of bitmaps. EN 300 743. */
export class BitmapPage {
  readonly #parts: PageParts;
  #display = DEFAULT_DISPLAY;
  #page: PageComposition | undefined;
  #regions = new Map<number, Region>();
  #cluts = new Map<number, Clut>();
  /** Pixels that may still be written: a stream has a limit, whatever it sends. */
  #pixelsLeft: number = MPEG_TS_LIMITS.subtitlePixelsDrawn;
  /** A page composition since the last screen. */
  #isNew = false;

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  /** @returns what the page shows from the PTS of this packet on, if it says so */
  push({ pts, data }: PesPacket): readonly BitmapScreen[] {
    for (const segment of subtitleSegments(data)) this.#take(segment);
    if (!this.#isNew || pts === undefined || this.#page === undefined) return [];
    this.#isNew = false;
    return [
      {
        pts,
        timeoutMs: this.#page.timeoutSeconds * 1000,
        display: this.#display,
        images: this.#images(this.#page),
      },
    ];
  }

  /** A display set is complete with its PES packet. */
  end(): readonly BitmapScreen[] {
    return [];
  }

  #take({ type, pageId, data }: SubtitleSegment): void {
    const { composition, ancillary } = this.#parts;
    if (pageId !== composition && pageId !== ancillary) return;
    if (type === DISPLAY_DEFINITION) this.#display = displayWithin(readDisplay(data));
    if (type === PAGE_COMPOSITION && pageId === composition) this.#compose(readPage(data));
    if (type === REGION_COMPOSITION) this.#region(data);
    if (type === CLUT_DEFINITION) changeClut(this.#clutOf(data[0] ?? 0), data.subarray(2));
    if (type === OBJECT_DATA) this.#object(data);
  }

  #compose(page: PageComposition): void {
    this.#page = page;
    this.#isNew = true;
    if (!page.isEpochStart) return;
    this.#regions = new Map();
    this.#cluts = new Map();
  }

  #region(data: Uint8Array): void {
    const composition = readRegion(data);
    if (composition === undefined) return;
    const { id, width, height } = composition;
    const isKnown = this.#regions.has(id);
    if (!isKnown && this.#regions.size >= MPEG_TS_LIMITS.subtitleRegions) return;
    if (!this.#mayWrite(width * height)) return;
    const region = composedRegion(composition, this.#regions.get(id));
    if (region !== undefined) this.#regions.set(id, region);
  }

  #object(data: Uint8Array): void {
    const object = readObject(data);
    if (object === undefined) return;
    for (const region of this.#regions.values()) {
      for (const place of region.objects.filter(({ id }) => id === object.id)) {
        const codes = PIXELS_PER_BYTE * (object.topField.length + object.bottomField.length);
        if (this.#mayWrite(region.pixels.length + codes)) draw(region, object, place);
      }
    }
  }

  #mayWrite(pixels: number): boolean {
    this.#pixelsLeft -= pixels;
    return this.#pixelsLeft >= 0;
  }

  #clutOf(id: number): Clut {
    const known = this.#cluts.get(id);
    if (known !== undefined) return known;
    const made = defaultClut();
    this.#cluts.set(id, made);
    return made;
  }

  #images({ regions }: PageComposition): readonly BitmapImage[] {
    const { x: left, y: top } = this.#display;
    return regions.slice(0, MPEG_TS_LIMITS.subtitleRegions).flatMap(({ id, x, y }) => {
      const region = this.#regions.get(id);
      if (region === undefined || !this.#mayWrite(region.pixels.length + PALETTE_BYTES)) return [];
      const { width, height, depth, clutId, pixels } = region;
      const palette = this.#clutOf(clutId)[depth].slice(0, COLOUR_BYTES << depth);
      return [{ x: left + x, y: top + y, width, height, pixels: pixels.slice(), palette }];
    });
  }
}

/** A screen that no device has would hold too many pixels. */
function displayWithin(display: DisplayDefinition): DisplayDefinition {
  return display.width * display.height > MPEG_TS_LIMITS.subtitlePixels ? DEFAULT_DISPLAY : display;
}
