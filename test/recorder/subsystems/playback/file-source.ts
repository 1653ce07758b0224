import { createReadStream } from "node:fs";
import { copyFile } from "node:fs/promises";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { AccessIndex } from "../../../../src/model/access-index.ts";
import { recordingIndex } from "../../../../src/recorder/capture/files.ts";
import { indexWhole } from "../../../../src/recorder/evidence/index-whole.ts";
import { finishedIndex } from "../../../../src/recorder/subsystems/playback/access-index.ts";
import { segmentsOf } from "../../../../src/recorder/subsystems/playback/hls/segments.ts";
import type { HlsSource } from "../../../../src/recorder/subsystems/playback/hls/source.ts";
import { madeOnce } from "../../../kit/made-once.ts";

/** Writes a broadcast of a small picture with two languages: German and English. */
export async function writeBroadcast(
  file: string,
  {
    seconds,
    picture = ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-b:v", "500k", "-flags", "+ilme+ildct"],
    sounds = ["mp2", "ac3"],
    startSeconds = 10,
  }: {
    readonly seconds: number;
    readonly picture?: readonly string[];
    readonly sounds?: readonly [string, string];
    readonly startSeconds?: number;
  },
): Promise<void> {
  const sine = (hertz: number) => ["-f", "lavfi", "-i", `sine=frequency=${hertz}:sample_rate=48000`];
  const made = await madeOnce([
    ...["-f", "lavfi", "-i", "testsrc2=size=192x144:rate=25"],
    ...[...sine(440), ...sine(880), "-map", "0:v", "-map", "1:a", "-map", "2:a", "-pix_fmt", "yuv420p"],
    ...[...picture, "-c:a:0", sounds[0], "-c:a:1", sounds[1], "-b:a", "96k", "-ac", "2"],
    ...["-metadata:s:a:0", "language=ger", "-metadata:s:a:1", "language=eng", "-t", `${seconds}`],
    ...["-output_ts_offset", `${startSeconds}`, "-f", "mpegts"],
  ]);
  await copyFile(made, file);
}

export interface FileSource extends HlsSource {
  readonly index: AccessIndex;
  /** From now on the source grows, and has so many access points; absent: all of them, and it is finished. */
  grow(points?: number): void;
}

/** A transport stream file as a source of HLS. */
export async function fileSource(file: string): Promise<FileSource> {
  const pace = { clock: systemClock(), bytesPerSecond: Number.MAX_SAFE_INTEGER };
  const parts = { service: undefined, index: recordingIndex(file), pace, onRead: () => {} };
  await indexWhole(file, parts, new AbortController().signal);
  const index = await finishedIndex(file);
  let count: number | undefined;
  return {
    index,
    grow: (points) => {
      count = points;
    },
    parts: async () => {
      const isGrowing = count !== undefined;
      const segments = segmentsOf({ ...index, points: index.points.slice(0, count), isGrowing });
      return { segments, tables: index.tables, isGrowing, startedAt: Date.UTC(2026, 10, 24, 19) };
    },
    read: ({ first, last }) => createReadStream(file, { start: first, end: last }),
  };
}
