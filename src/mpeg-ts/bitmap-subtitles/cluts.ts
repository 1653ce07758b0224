import { u8 } from "../bytes.ts";

/** Colours of pixel codes: red, green, blue and opacity, 0 to 255, four bytes for each code. */
export type Palette = Uint8ClampedArray;

/** Colours for regions of 2, 4 and 8 bits. */
export interface Clut {
  readonly 2: Palette;
  readonly 4: Palette;
  readonly 8: Palette;
}

export type Depth = keyof Clut;

/** The default colours, which a CLUT changes entry by entry. EN 300 743 §10. */
export function defaultClut(): Clut {
  return { 2: palette(colourOfTwo), 4: palette(colourOfFour), 8: palette(colourOfEight) };
}

type Colour = readonly [red: number, green: number, blue: number, opacity: number];

function palette(colourOf: (code: number) => Colour): Palette {
  return Uint8ClampedArray.from(Array.from({ length: 256 }, (_, code) => colourOf(code)).flat());
}

const TRANSPARENT: Colour = [0, 0, 0, 0];

/** §10.3. */
function colourOfTwo(code: number): Colour {
  const grey = [0, 255, 0, 127][code];
  return code === 0 || grey === undefined ? TRANSPARENT : [grey, grey, grey, 255];
}

/** §10.2. */
function colourOfFour(code: number): Colour {
  if (code === 0 || code > 15) return TRANSPARENT;
  const level = code < 8 ? 255 : 127;
  return [(code & 1) * level, ((code >> 1) & 1) * level, ((code >> 2) & 1) * level, 255];
}

/** §10.1: the lower bits of a colour are those of weight one third, those above two thirds. */
function colourOfEight(code: number): Colour {
  if (code === 0) return TRANSPARENT;
  const isPlain = (code & 0xf8) === 0;
  if (isPlain) return [(code & 1) * 255, ((code >> 1) & 1) * 255, ((code >> 2) & 1) * 255, 63];
  const isHalf = (code & 0x80) !== 0;
  const [third, twoThirds] = isHalf ? [43, 85] : [85, 170];
  const base = isHalf && (code & 0x08) === 0 ? 127 : 0;
  const level = (bit: number) => base + ((code >> bit) & 1) * third + ((code >> (bit + 4)) & 1) * twoThirds;
  const isTranslucent = (code & 0x88) === 0x08;
  return [level(0), level(1), level(2), isTranslucent ? 127 : 255];
}

/** The depths to which an entry belongs, by its flags. */
const FLAGS: readonly (readonly [mask: number, depth: Depth])[] = [
  [0x80, 2],
  [0x40, 4],
  [0x20, 8],
];
const FULL_RANGE = 0x01;

/**
 * Applies a CLUT definition segment. EN 300 743 §7.2.4.
 *
 * @param entries the bytes after its version
 */
export function changeClut(clut: Clut, entries: Uint8Array): void {
  for (let at = 0; at + 4 <= entries.length; ) {
    const [code, flags] = [u8(entries, at), u8(entries, at + 1)];
    const isFull = (flags & FULL_RANGE) !== 0;
    const colour = isFull ? fullColour(entries, at + 2) : shortColour(entries, at + 2);
    for (const [mask, depth] of FLAGS) {
      if ((flags & mask) !== 0 && code < 1 << depth) clut[depth].set(colour, code * 4);
    }
    at += isFull ? 6 : 4;
  }
}

function fullColour(bytes: Uint8Array, at: number): Colour {
  return rgb(u8(bytes, at), u8(bytes, at + 1), { cb: u8(bytes, at + 2), transparency: u8(bytes, at + 3) });
}

/** 6 bits of Y, 4 of Cr, 4 of Cb and 2 of T: the upper ones of each. */
function shortColour(bytes: Uint8Array, at: number): Colour {
  const [high, low] = [u8(bytes, at), u8(bytes, at + 1)];
  const cr = ((high & 3) << 6) | ((low >> 2) & 0x30);
  return rgb(high & 0xfc, cr, { cb: (low << 2) & 0xf0, transparency: (low & 3) << 6 });
}

/** ITU-R BT.601. Y of 0 is full transparency. */
function rgb(
  y: number,
  cr: number,
  { cb, transparency }: { readonly cb: number; readonly transparency: number },
): Colour {
  if (y === 0) return TRANSPARENT;
  const [luma, red, blue] = [(255 / 219) * (y - 16), (255 / 224) * (cr - 128), (255 / 224) * (cb - 128)];
  return [
    Math.round(luma + 1.402 * red),
    Math.round(luma - 0.714_136 * red - 0.344_136 * blue),
    Math.round(luma + 1.772 * blue),
    255 - transparency,
  ];
}
