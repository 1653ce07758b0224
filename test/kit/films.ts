import { copyFile } from "node:fs/promises";
import { madeOnce } from "./made-once.ts";
import { told } from "./tool.ts";

const SECONDS = 8;
const PICTURE = ["-f", "lavfi", "-i", `testsrc2=size=192x108:rate=25:duration=${SECONDS}`];
const SOUND = ["-f", "lavfi", "-i", `sine=sample_rate=48000:duration=${SECONDS}`];

/** Options of ffmpeg for eight seconds with key frames about each second. */
export const FILMS = {
  "H.264 with IDR pictures": ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"],
  "H.264 with open groups": [
    "-c:v",
    "libx264",
    "-g",
    "30",
    "-x264-params",
    "open-gop=1:bframes=3:scenecut=0",
  ],
  "MPEG-2": ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-b:v", "800k"],
  "H.265": ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "keyint=25:log-level=none"],
} as const;

/** A transport stream with one picture and one sound, written by ffmpeg. */
export async function film(file: string, codec: readonly string[] = FILMS["MPEG-2"]): Promise<void> {
  const picture = [...PICTURE, ...SOUND, "-pix_fmt", "yuv420p", ...codec, "-c:a", "mp2"];
  await copyFile(await madeOnce([...picture, "-f", "mpegts"]), file);
}

/** A transport stream with sound alone. */
export async function radio(file: string): Promise<void> {
  await copyFile(await madeOnce([...SOUND, "-c:a", "mp2", "-f", "mpegts"]), file);
}

/** Packets of a stream as ffprobe reads them: those that are marked as key frames. */
export async function keyFrames(
  file: string,
  stream = "v:0",
): Promise<readonly { readonly offset: number; readonly pts: number }[]> {
  const entries = ["-select_streams", stream, "-show_entries", "packet=pts,pos,flags", "-of", "csv=p=0"];
  const { out } = await told("ffprobe", { args: ["-v", "error", ...entries, file] });
  const rows = out
    .trim()
    .split("\n")
    .map((row) => row.split(","));
  return rows
    .filter(([, , flags]) => flags?.startsWith("K"))
    .map(([pts, pos]) => ({ offset: Number(pos), pts: Number(pts) }));
}
