import { describe, expect, it } from "vitest";
import { BitmapPage, type BitmapScreen } from "../../../src/mpeg-ts/bitmap-subtitles/bitmap-page.ts";
import { PACKET_BYTES } from "../../../src/mpeg-ts/packets.ts";
import { PesPackets } from "../../../src/mpeg-ts/streams/pes-packets.ts";
import { bitmapStream, type DisplaySet, type EncodedRegion } from "../../kit/bitmap-encoder.ts";
import { FIRST_MS } from "../../kit/teletext-encoder.ts";
import { told } from "../../kit/tool.ts";
import { join } from "../../kit/ts-builder.ts";
import { fc } from "../../properties.ts";

const PID = 0x120;
const [WIDTH, HEIGHT] = [720, 576];
/** Colour of the picture below. */
const BELOW = [32, 64, 96];

function screensOf(stream: Uint8Array): readonly BitmapScreen[] {
  const page = new BitmapPage({ composition: 1, ancillary: 1 });
  return new PesPackets(PID).push(stream).flatMap((packet) => page.push(packet));
}

/** The picture with a screen over it: red, green and blue of each pixel. */
function over({ images }: BitmapScreen): Uint8Array {
  const frame = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let at = 0; at < frame.length; at += 1) frame[at] = BELOW[at % 3] ?? 0;
  for (const { x, y, width, pixels, palette } of images) {
    for (const [at, code] of pixels.entries()) {
      const target = ((y + Math.floor(at / width)) * WIDTH + x + (at % width)) * 3;
      const opacity = (palette[code * 4 + 3] ?? 0) / 255;
      for (let colour = 0; colour < 3; colour += 1) {
        const below = frame[target + colour] ?? 0;
        frame[target + colour] = Math.round(below + ((palette[code * 4 + colour] ?? 0) - below) * opacity);
      }
    }
  }
  return frame;
}

/** The same from ffmpeg: one picture for each second of the stream. */
async function judgedPictures(stream: Uint8Array, seconds: number): Promise<readonly Uint8Array[]> {
  const [red = 0, green = 0, blue = 0] = BELOW;
  const colour = [red, green, blue].map((value) => value.toString(16).padStart(2, "0")).join("");
  const below = `color=c=0x${colour}:s=${WIDTH}x${HEIGHT}:r=2:d=${seconds},format=gbrp[b]`;
  const args = ["-v", "error", "-fix_sub_duration", "-i", "-", "-filter_complex"];
  const { bytes } = await told("ffmpeg", {
    args: [...args, `${below};[b][0:s:0]overlay=format=gbrp`, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
    input: Buffer.from(stream),
  });
  const size = WIDTH * HEIGHT * 3;
  // The second of two pictures in each second.
  return Array.from({ length: seconds }, (_, at) => bytes.subarray((2 * at + 1) * size, (2 * at + 2) * size));
}

/** The largest difference of a pixel. */
function difference(ours: Uint8Array, theirs: Uint8Array): number {
  let most = ours.length === theirs.length ? 0 : 255;
  for (let at = 0; at < ours.length; at += 1)
    most = Math.max(most, Math.abs((ours[at] ?? 0) - (theirs[at] ?? 0)));
  return most;
}

/** Rows of runs of any length, in a generator that is the same each time. */
function pixelsOf(
  width: number,
  height: number,
  codes: number,
  seed: number,
): readonly (readonly number[])[] {
  let state = seed;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  return Array.from({ length: height }, () => {
    const row: number[] = [];
    while (row.length < width) {
      const code = next(codes);
      const length = [1, 2, 1 + next(10), 1 + next(30), 1 + next(300)][next(5)] ?? 1;
      for (let at = 0; at < length && row.length < width; at += 1) row.push(code);
    }
    return row;
  });
}

const COLOURS = {
  1: [180, 100, 200, 0],
  2: [81, 240, 90, 0],
  3: [145, 54, 34, 128],
} as const;

function region(parts: Partial<EncodedRegion> & Pick<EncodedRegion, "depth">): EncodedRegion {
  const { width = 400, height = 40, codeDepth = parts.depth } = parts;
  const pixels = pixelsOf(width, height, 1 << codeDepth, 7 + codeDepth);
  return { id: 1, x: 100, y: 400, fill: 0, width, height, pixels, ...parts };
}

/** Room around the object: ffmpeg reads strings of 8 bits that fill their region in another way. */
const INSIDE: Pick<EncodedRegion, "width" | "height" | "objectAt"> = {
  width: 500,
  height: 60,
  objectAt: [20, 10],
};

describe("bitmap subtitles, compared with ffmpeg", () => {
  const sets: readonly DisplaySet[] = [
    // ffmpeg shows nothing of the first one.
    { regions: [] },
    { regions: [region({ depth: 4, colours: COLOURS })] },
    { regions: [region({ depth: 2, colours: COLOURS, ...INSIDE, pixels: pixelsOf(400, 30, 4, 5) })] },
    { regions: [region({ depth: 4 })] },
    { regions: [region({ depth: 8, colours: COLOURS, ...INSIDE, pixels: pixelsOf(400, 30, 256, 6) })] },
    { regions: [region({ depth: 4, colours: COLOURS, isShort: true })] },
    { regions: [region({ depth: 4, codeDepth: 2 })] },
    {
      regions: [
        region({ depth: 4, id: 3, fill: 2, colours: COLOURS, width: 300, height: 31, x: 10, y: 20 }),
        region({
          depth: 4,
          id: 4,
          fill: 1,
          colours: COLOURS,
          width: 500,
          height: 60,
          objectAt: [20, 10],
          pixels: pixelsOf(400, 30, 16, 99),
        }),
      ],
    },
  ];

  it("have the same pixels in the same colours at the same places", async () => {
    const stream = bitmapStream([...sets, { regions: [] }].map((set, at) => ({ ms: 1000 * at, set })));
    const screens = screensOf(stream);
    expect(screens.length).toBe(sets.length + 1);
    const pictures = await judgedPictures(stream, sets.length);
    const differences = pictures.map((picture, at) => {
      const screen = screens[at];
      return screen === undefined ? 255 : difference(over(screen), picture);
    });
    // Each rounds colours and opacity in its own way.
    expect(differences.filter((most) => most > 3)).toEqual([]);
  });
});

describe("bitmap subtitles", () => {
  const shown = region({ depth: 4, colours: COLOURS, width: 8, height: 4 });

  it("are shown from their PTS until their timeout, on a display of the given size", () => {
    const display = { width: 1920, height: 1080 };
    const set = { timeoutSeconds: 7, display, regions: [shown] };
    const [screen] = screensOf(bitmapStream([{ ms: 40, set }]));
    expect(screen).toMatchObject({ pts: (FIRST_MS + 40) * 90, timeoutMs: 7000, display });
    expect(screen?.images[0]).toMatchObject({ x: 100, y: 400, width: 8, height: 4 });
    expect([...(screen?.images[0]?.pixels ?? [])]).toEqual(shown.pixels.flat());
  });

  it("keep their regions during an epoch, and drop them at the next", () => {
    const empty = { ...shown, pixels: [] };
    const moments = [{ regions: [shown] }, { state: 0, regions: [] }, { regions: [] }].map((set, at) => ({
      ms: 1000 * at,
      set,
    }));
    expect(screensOf(bitmapStream(moments)).map(({ images }) => images.length)).toEqual([1, 0, 0]);
    expect(empty.pixels).toEqual([]);
  });

  it("exclude those of other pages", () => {
    expect(screensOf(bitmapStream([{ ms: 0, set: { pageId: 2, regions: [shown] } }]))).toEqual([]);
  });
});

describe("damaged bitmap subtitles", () => {
  const sets = [
    { display: { width: 1280, height: 720 }, regions: [region({ depth: 4, width: 60, height: 6 })] },
    { state: 0, regions: [region({ depth: 8, width: 60, height: 6 })] },
    { state: 1, regions: [region({ depth: 2, id: 2, width: 60, height: 6 })] },
    { regions: [] },
  ];
  const stream = bitmapStream(sets.map((set, at) => ({ ms: 1000 * at, set })));
  const packets = Array.from({ length: stream.length / PACKET_BYTES }, (_, at) =>
    stream.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES),
  );
  const isSound = ({ images }: BitmapScreen) =>
    images.every(
      ({ width, height, pixels, palette }) =>
        pixels.length === width * height && pixels.every((code) => code < palette.length / 4),
    );

  it("give only consistent images, whatever packets are lost and bytes are changed", () => {
    const change = fc.record({ at: fc.nat(stream.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.subarray(packets), fc.array(change, { maxLength: 100 }), (received, changes) => {
        const bytes = join(received);
        for (const { at, to } of changes) if (at < bytes.length) bytes[at] = to;
        return screensOf(bytes).every(isSound);
      }),
    );
  });
});
