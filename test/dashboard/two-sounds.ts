import { readFile } from "node:fs/promises";
import { SECOND } from "../../src/model/time.ts";
import { PACKET_BYTES } from "../../src/mpeg-ts/packets.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import type { Portion } from "../kit/generated-service.ts";
import { told } from "../kit/tool.ts";

const PORTION_MS = 20;
/** The pitch of each sound, in hertz. */
export const PITCHES = { german: 440, english: 880 };

/** A service of a channel of the world with a German sound, and an English one that describes the picture. */
export async function broadcast(
  channel: number,
  {
    file,
    seconds,
    streams = [],
  }: {
    readonly file: string;
    readonly seconds: number;
    /** Transport streams with more streams, such as subtitles; their times are kept. */
    readonly streams?: readonly string[];
  },
): Promise<Buffer> {
  const { onid, tsid, sid } = simTriplet(channel);
  const sine = (hertz: number) => ["-f", "lavfi", "-i", `sine=frequency=${hertz}:sample_rate=48000`];
  const ids = ["-mpegts_original_network_id", `${onid}`, "-mpegts_transport_stream_id", `${tsid}`];
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25"];
  await told("ffmpeg", {
    args: [
      ...["-v", "error", "-copyts", ...picture, ...sine(PITCHES.german), ...sine(PITCHES.english)],
      ...streams.flatMap((each) => ["-fix_teletext_pts", "0", "-i", each]),
      ...["-map", "0:v", "-map", "1:a", "-map", "2:a", ...streams.flatMap((_, at) => ["-map", `${at + 3}`])],
      ...["-t", `${seconds}`, "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25"],
      ...["-c:a", "aac", "-ac", "2", "-c:s", "copy", "-c:d", "copy"],
      ...["-metadata:s:a:0", "language=ger", "-metadata:s:a:1", "language=eng"],
      ...["-disposition:a:1", "visual_impaired", ...ids, "-mpegts_service_id", `${sid}`],
      ...["-muxdelay", "0", "-muxpreload", "0", "-f", "mpegts", "-y", file],
    ],
  });
  return await readFile(file);
}

/** A stream at an even pace. */
export function portionsOf(stream: Buffer, seconds: number): readonly Portion[] {
  const bytes = PACKET_BYTES * Math.ceil((stream.length * PORTION_MS) / (seconds * SECOND * PACKET_BYTES));
  return Array.from({ length: Math.ceil(stream.length / bytes) }, (_, at) => ({
    atMs: at * PORTION_MS,
    bytes: stream.subarray(at * bytes, (at + 1) * bytes),
  }));
}
