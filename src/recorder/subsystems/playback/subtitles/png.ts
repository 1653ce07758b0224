import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import type { BitmapImage } from "../../../../mpeg-ts/bitmap-subtitles/bitmap-page.ts";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** Subtitles are few colours in long runs: more effort saves little. */
const LEVEL = 3;
const INDEXED = 3;
const BITS = 8;

const compressed = promisify(deflate) as (bytes: Uint8Array, options: object) => Promise<Buffer>;

/** A PNG of indexed colours with opacity. ISO/IEC 15948. */
export async function pngOf({ width, height, pixels, palette }: BitmapImage): Promise<Buffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([BITS, INDEXED], 8);
  const count = palette.length / 4;
  const colours = Buffer.alloc(count * 3);
  const opacities = Buffer.alloc(count);
  for (let code = 0; code < count; code += 1) {
    colours.set(palette.subarray(code * 4, code * 4 + 3), code * 3);
    opacities[code] = palette[code * 4 + 3] ?? 0;
  }
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("tRNS", opacities),
    chunk("IDAT", await compressed(rowsOf(width, height, pixels), { level: LEVEL })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Each row behind its filter: none. */
function rowsOf(width: number, height: number, pixels: Uint8Array): Buffer {
  const rows = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const all = Buffer.alloc(content.length + 8);
  all.writeUInt32BE(data.length, 0);
  all.set(content, 4);
  all.writeUInt32BE(crc32(content), content.length + 4);
  return all;
}
