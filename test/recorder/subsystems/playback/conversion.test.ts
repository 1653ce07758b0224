import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { PlayerClient } from "../../../../src/recorder/api/daemon-api.ts";
import {
  type Conversions,
  createConversions,
} from "../../../../src/recorder/subsystems/playback/conversion/conversions.ts";
import { createRenditions } from "../../../../src/recorder/subsystems/playback/hls/renditions.ts";
import { told } from "../../../kit/tool.ts";
import { type FileSource, fileSource, writeBroadcast } from "./file-source.ts";

const SECONDS = 16;
const VIEWER = "viewer-1";
const BROWSER: PlayerClient = { video: ["h264"], audio: ["aac"], viewer: VIEWER };
const watched = { recordingId: "1" };
const clock = systemClock();

let folder: string;
let mpeg2: FileSource;
let opened: Conversions[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-conversion-"));
  const file = join(folder, "mpeg2.ts");
  // The time stamps wrap after six seconds.
  await writeBroadcast(file, { seconds: SECONDS, startSeconds: 2 ** 33 / 90_000 - 6 });
  mpeg2 = await fileSource(file);
});

afterEach(async () => {
  for (const each of opened) await each[Symbol.asyncDispose]();
  opened = [];
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function renditionsOf(source: FileSource, viewersMax = 2) {
  const { signal } = new AbortController();
  const converted = join(folder, "converted");
  const conversions = createConversions({
    folder: converted,
    viewersMax,
    ffmpegPath: "ffmpeg",
    usesHardware: false,
    clock,
    signal,
  });
  opened.push(conversions);
  const renditions = createRenditions({ sourceOf: () => source, conversions, clock, signal });
  const segment = async (number: number, client = BROWSER, rendition: "main" | number = "main") => {
    const { read } = await renditions.convertedSegment(watched, { rendition, number }, client);
    return Buffer.concat(await read().toArray());
  };
  return { conversions, renditions, segment, folder: converted };
}

interface Packet {
  readonly pts: number;
  readonly duration: number;
  readonly isKey: boolean;
}

async function packetsOf(bytes: Buffer, stream: string): Promise<readonly Packet[]> {
  const entries = ["-select_streams", stream, "-show_entries", "packet=pts,duration,flags", "-of", "csv=p=0"];
  const { out } = await told("ffprobe", { args: ["-v", "error", ...entries, "-"], input: bytes });
  return out
    .split("\n")
    .map((row) => row.split(","))
    .filter(([pts]) => pts !== undefined && pts !== "")
    .map(([pts, duration, flags]) => ({
      pts: (Number(pts) + 2 ** 33) % 2 ** 33,
      duration: Number(duration),
      isKey: flags?.startsWith("K") === true,
    }));
}

describe("a conversion", () => {
  it("has as many pictures as the broadcast, and each segment begins with a key frame at the time of the original one", async () => {
    const { segment } = renditionsOf(mpeg2);
    const { segments } = await mpeg2.parts();
    let pictures = 0;
    for (const { number, pts } of segments) {
      const bytes = await segment(number);
      const [picture, sound] = [await packetsOf(bytes, "v:0"), await packetsOf(bytes, "a:0")];
      expect(picture[0]).toMatchObject({ pts, isKey: true });
      const first = ((sound[0]?.pts ?? 0) - pts + 2 ** 33) % 2 ** 33;
      expect(first).toBeLessThan(1920 + 1);
      pictures += picture.length;
    }
    expect(pictures).toBe(SECONDS * 25);
  });
});
