import { readFile } from "node:fs/promises";
import { splitSoundFrames } from "../../src/simulator/broadcaster/elementary.ts";
import type { Content } from "./generated-service.ts";
import { madeOnce } from "./made-once.ts";

const PICTURE = ["-f", "lavfi", "-i", "testsrc=size=128x96:rate=25:duration=2", "-pix_fmt", "yuv420p"];
const SOUND = ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2", "-ac", "2"];

/** How each format is encoded, and cut into pictures of 40 ms or frames of `frameMs`. Every picture can be decoded by itself. */
const RECIPES = {
  h264: {
    options: [
      ...PICTURE,
      "-c:v",
      "libx264",
      "-preset",
      "ultrafast",
      "-g",
      "1",
      "-x264-params",
      "aud=1",
      "-f",
      "h264",
    ],
    cut: (bytes: Buffer) => splitAt(bytes, Buffer.from([0, 0, 0, 1, 0x09])),
    frameMs: 40,
  },
  mpeg2: {
    options: [...PICTURE, "-c:v", "mpeg2video", "-g", "1", "-f", "mpeg2video"],
    cut: (bytes: Buffer) => splitAt(bytes, Buffer.from([0, 0, 1, 0xb3])),
    frameMs: 40,
  },
  hevc: {
    options: [
      ...[...PICTURE, "-c:v", "libx265", "-preset", "ultrafast"],
      ...["-x265-params", "aud=1:bframes=0:keyint=1:repeat-headers=1:log-level=none", "-f", "hevc"],
    ],
    cut: (bytes: Buffer) => splitAt(bytes, Buffer.from([0, 0, 0, 1, 0x46])),
    frameMs: 40,
  },
  mp2: {
    options: [...SOUND, "-c:a", "mp2", "-b:a", "128k", "-f", "mp2"],
    cut: (bytes: Buffer) => splitEvery(bytes, 384),
    frameMs: 24,
  },
  aac: {
    options: [...SOUND, "-c:a", "aac", "-b:a", "64k", "-f", "adts"],
    cut: (bytes: Buffer) => splitSoundFrames(bytes),
    frameMs: 1024 / 48,
  },
  ac3: {
    options: [...SOUND, "-c:a", "ac3", "-b:a", "128k", "-f", "ac3"],
    cut: (bytes: Buffer) => splitEvery(bytes, 512),
    frameMs: 32,
  },
} as const;
type Encoded = keyof typeof RECIPES;

/** The payload of PES packets in a service that players read: two seconds of each format, in a loop. */
export async function encodedContent(formats: readonly Encoded[]): Promise<Content> {
  const made = new Map<string, readonly Buffer[]>();
  for (const format of formats) {
    const { options, cut } = RECIPES[format];
    made.set(format, cut(await readFile(await madeOnce(options))));
  }
  return ({ format, unitMs }, count) => {
    const frames = made.get(format);
    if (frames === undefined || frames.length === 0) throw new Error(`${format} was not encoded`);
    const { frameMs } = RECIPES[format as Encoded];
    const each = Math.max(1, Math.round(unitMs / frameMs));
    const indexes = Array.from({ length: each }, (_, index) => (count * each + index) % frames.length);
    return Buffer.concat(indexes.flatMap((index) => frames[index] ?? []));
  };
}

function splitAt(bytes: Buffer, start: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = bytes.indexOf(start); at >= 0; ) {
    const next = bytes.indexOf(start, at + 1);
    parts.push(bytes.subarray(at, next < 0 ? bytes.length : next));
    at = next;
  }
  return parts;
}

function splitEvery(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
