import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { PACKET_BYTES } from "../../../src/mpeg-ts/packets.ts";
import { payloadHeads } from "../../../src/mpeg-ts/streams/payload-heads.ts";
import { pictureFormat } from "../../../src/mpeg-ts/streams/picture-format.ts";
import { madeOnce } from "../../kit/made-once.ts";
import { fc } from "../../properties.ts";

const PICTURE = 0x100;

async function pictureOf(size: string, options: readonly string[]): Promise<Uint8Array> {
  const source = ["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=25:duration=0.2`];
  const bytes = await readFile(
    await madeOnce([...source, "-pix_fmt", "yuv420p", ...options, "-f", "mpegts"]),
  );
  return payloadHeads(bytes, { pids: new Set([PICTURE]), bytesMax: 4096 }).get(PICTURE) ?? new Uint8Array();
}

const x264 = (...options: readonly string[]) => ["-c:v", "libx264", "-preset", "ultrafast", ...options];
const x265 = (options: string) => [
  ...["-c:v", "libx265", "-preset", "ultrafast"],
  ...["-x265-params", `log-level=none:${options}`],
];

it.each([
  ["MPEG-2 video", "720x576", ["-c:v", "mpeg2video"], { width: 720, height: 576 }],
  // 1080 is no multiple of 16, and of 32 in interlaced pictures.
  ["H.264", "1920x1080", x264("-profile:v", "main", "-level", "4.0"), { codecs: "avc1.42c028" }],
  [
    "H.264",
    "1920x1080",
    x264("-flags", "+ildct+ilme", "-x264opts", "tff=1", "-level", "4.1"),
    { codecs: expect.stringMatching(/^avc1\.4d..29$/) },
  ],
  [
    "H.265",
    "640x360",
    x265("level-idc=3.1:high-tier=0"),
    { codecs: expect.stringMatching(/^hvc1\.1\.6\.L93\./) },
  ],
] as const)("the format read from %s of %s matches the encoder's", async (codec, size, options, expected) => {
  const found = pictureFormat(codec, await pictureOf(size, options));
  expect(`${found?.width}x${found?.height}`).toBe(size);
  expect(found).toMatchObject(expected);
});

it("damaged parameters give a format or none, never an exception", () => {
  const start = (code: number) => [0, 0, 1, code];
  fc.assert(
    fc.property(
      fc.constantFrom("H.264", "H.265", "MPEG-2 video"),
      fc.constantFrom(start(0x67), start(0x42), start(0xb3)),
      fc.uint8Array({ maxLength: 200 }),
      (codec, head, rest) => {
        const found = pictureFormat(codec, Uint8Array.from([...head, ...rest]));
        return found === undefined || Number.isFinite(found.width + found.height);
      },
    ),
  );
});

it("the first payload of each stream is found in any bytes, within its limit", () => {
  const packets = fc.uint8Array({ minLength: PACKET_BYTES * 3, maxLength: PACKET_BYTES * 3 });
  fc.assert(
    fc.property(packets, (bytes) => {
      const heads = payloadHeads(bytes, { pids: new Set([0, 17, PICTURE]), bytesMax: 100 });
      return [...heads.values()].every(({ length }) => length <= 100);
    }),
  );
});
