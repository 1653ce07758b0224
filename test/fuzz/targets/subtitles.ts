import { BitmapPage } from "../../../src/mpeg-ts/bitmap-subtitles/bitmap-page.ts";
import { PesPackets } from "../../../src/mpeg-ts/streams/pes-packets.ts";
import { subtitleTracks } from "../../../src/mpeg-ts/tables/subtitle-tracks.ts";
import { TeletextPage } from "../../../src/mpeg-ts/teletext/page.ts";
import { bitmapStream } from "../../kit/bitmap-encoder.ts";
import { boxed, fillerUnits, pageUnits, teletextStream } from "../../kit/teletext-encoder.ts";
import { BUDGET, law, type Target } from "../target.ts";

const COMMON = { bytesMax: 32 * 1024, budget: BUDGET };
const PID = 0x120;
const WIDE = 720 * 576;

/** Pages of teletext, and the tables that name them. */
export const teletext: Target = {
  ...COMMON,
  name: "teletext",
  seeds: () => [
    teletextStream(
      ["one", "two", ""].map((text, at) => ({
        ms: at * 40,
        units: [
          ...pageUnits({
            page: "888",
            rows: text === "" ? {} : { 20: boxed(text), 22: boxed("\x0dhigh\x1b\x0ewide") },
            enhancements: [
              [60, 4, 0],
              [4, 0x12, 0x65],
              [6, 0x0f, 0x61],
            ],
            designation: 0x24,
          }),
          ...fillerUnits(8),
        ],
      })),
    ),
  ],
  run: (input) => {
    const page = new TeletextPage({ page: "888", region: 0 });
    const screens = new PesPackets(PID).push(input).flatMap((packet) => page.push(packet));
    for (const { lines } of [...screens, ...page.end()])
      law(
        "a page has 24 rows of 40 columns",
        lines.length <= 24 && lines.every(({ lastColumn }) => lastColumn < 40),
      );
    return [screens.length, subtitleTracks(input)];
  },
};

/** Bitmap subtitles. */
export const bitmapSubtitles: Target = {
  ...COMMON,
  name: "bitmap-subtitles",
  seeds: () => [
    bitmapStream(
      ([2, 4, 8] as const).map((depth, at) => ({
        ms: at * 40,
        set: {
          state: at === 1 ? 0 : 2,
          ...(at === 2 ? { display: { width: 1280, height: 720 } } : {}),
          regions: [
            {
              ...{ id: at, x: 10, y: 400, depth, fill: 1, width: 40, height: 4 },
              pixels: [0, 1, 2, 3].map((code) => new Array<number>(40).fill(code)),
              colours: { 1: [180, 100, 200, 0] },
            },
          ],
        },
      })),
    ),
  ],
  run: (input) => {
    const page = new BitmapPage({ composition: 1, ancillary: 1 });
    let pixels = 0;
    for (const packet of new PesPackets(PID).push(input)) {
      for (const { images } of page.push(packet)) {
        law(
          "an image has its pixels",
          images.every((image) => image.pixels.length === image.width * image.height),
        );
        law(
          "each pixel has a colour",
          images.every((image) => image.pixels.every((code) => code < image.palette.length / 4)),
        );
        pixels += images.reduce((sum, image) => sum + image.pixels.length, 0);
      }
    }
    law("a stream has a limit of pixels", pixels <= 100 * WIDE);
    return pixels;
  },
};
