import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AccessIndex } from "../../src/model/access-index.ts";
import { PACKET_BYTES, pidAt } from "../../src/mpeg-ts/packets.ts";
import { segmentsOf } from "../../src/recorder/subsystems/playback/hls/segments.ts";
import type { HlsParts, HlsSource } from "../../src/recorder/subsystems/playback/hls/source.ts";
import { keyFrames } from "./films.ts";
import { madeOnce } from "./made-once.ts";
import { told } from "./tool.ts";

const SECONDS = 8;
/** PID of the PMT in ffmpeg's transport streams. */
const PMT_PID = 0x1000;
/** PTS of the first picture in ffmpeg's transport streams without a delay, and of a film with two B pictures. */
export const FILM_FROM_MS = 1480;

/** A film with key frames each second, and subtitles beside it. */
export interface SubtitledFilm {
  readonly bytes: Buffer;
  readonly index: AccessIndex;
  readonly source: HlsSource;
}

/**
 * Eight seconds of H.264 and AAC with a stream of subtitles, whose PID is 0x102. Its times are kept: the film begins at `FILM_FROM_MS`.
 *
 * @param subtitles a transport stream
 */
export async function subtitledFilm(folder: string, subtitles: Uint8Array): Promise<SubtitledFilm> {
  const [other, both] = ["subtitles.ts", "both.ts"].map((name) => join(folder, name)) as [string, string];
  const picture = ["-f", "lavfi", "-i", `testsrc2=size=192x108:rate=25:duration=${SECONDS}`];
  const sound = ["-f", "lavfi", "-i", `sine=sample_rate=48000:duration=${SECONDS}`];
  const codecs = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"];
  const film = await madeOnce([...picture, ...sound, ...codecs, "-c:a", "aac", "-f", "mpegts"]);
  await writeFile(other, subtitles);
  // ffmpeg would give teletext other times.
  const inputs = ["-copyts", "-i", film, "-fix_teletext_pts", "0", "-i", other, "-map", "0", "-map", "1"];
  await ffmpeg([...inputs, "-c", "copy", "-muxdelay", "0", "-muxpreload", "0", "-f", "mpegts", both]);
  const bytes = await readFile(both);
  const index = await indexOf(both, bytes);
  return { bytes, index, source: sourceOf(index, bytes) };
}

function ffmpeg(args: readonly string[]) {
  return told("ffmpeg", { args: ["-v", "error", "-nostdin", "-y", ...args] });
}

async function indexOf(file: string, bytes: Buffer): Promise<AccessIndex> {
  const points = await keyFrames(file);
  const from = points[0]?.pts ?? 0;
  return {
    points: points.map(({ offset, pts }) => ({
      offset,
      pts,
      streamMs: Math.round((pts - from) / 90),
      isBreak: false,
      tables: 0,
    })),
    tables: [Buffer.concat([firstOf(bytes, 0), firstOf(bytes, PMT_PID)])],
    isGrowing: false,
    bytes: bytes.length,
    durationMs: SECONDS * 1000,
  };
}

function firstOf(bytes: Buffer, pid: number): Buffer {
  for (let at = 0; at < bytes.length; at += PACKET_BYTES)
    if (pidAt(bytes, at) === pid) return bytes.subarray(at, at + PACKET_BYTES);
  throw new Error(`no packet of PID ${pid}`);
}

/** @param changes for example a recording that still grows */
export function sourceOf(index: AccessIndex, bytes: Buffer, changes: Partial<HlsParts> = {}): HlsSource {
  const parts = { segments: segmentsOf(index), tables: index.tables, isGrowing: index.isGrowing, ...changes };
  return {
    parts: async () => parts,
    async *read({ first, last }) {
      // Portions as files give them, and of no whole packets.
      for (let at = first; at <= last; at += 100_000)
        yield Buffer.from(bytes.subarray(at, Math.min(last + 1, at + 100_000)));
    },
  };
}
