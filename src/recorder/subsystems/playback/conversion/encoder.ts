import { readdir } from "node:fs/promises";
import { runBounded } from "../../../../kit/process/bounded-process.ts";
import type { Clock } from "../../../../kit/time/clock.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";

/** How ffmpeg encodes H.264. */
export interface Encoder {
  readonly name: string;
  /** Arguments before the input. */
  readonly device: readonly string[];
  /** Filters after those of the picture. */
  readonly filters: readonly string[];
  readonly options: readonly string[];
}

const RATE = ["-b:v", `${PLAYBACK_LIMITS.convertVideoRate}`];

/** Encodes on any machine. */
export const SOFTWARE: Encoder = {
  name: "libx264",
  device: [],
  filters: ["format=yuv420p"],
  options: [
    ...["-preset", "veryfast", "-crf", "23", "-profile:v", "high", "-level:v", "4.0"],
    ...["-forced-idr", "1", "-sc_threshold", "0"],
  ],
};

function vaapi(device: string): Encoder {
  return {
    name: "h264_vaapi",
    device: ["-vaapi_device", device],
    filters: ["format=nv12", "hwupload"],
    options: [...RATE, "-profile:v", "high", "-level:v", "40", "-idr_interval", "0"],
  };
}

const V4L2: Encoder = { name: "h264_v4l2m2m", device: [], filters: ["format=yuv420p"], options: RATE };

interface EncoderParts {
  readonly ffmpegPath: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The encoders that this machine may have, the fastest first: the software encoder is the last one. */
export async function candidates(deviceFolder = "/dev"): Promise<readonly Encoder[]> {
  const [dri, devices] = await Promise.all(
    [`${deviceFolder}/dri`, deviceFolder].map((folder) => readdir(folder).catch(() => [])),
  );
  const renderers = (dri ?? []).filter((name) => /^renderD\d+$/.test(name)).toSorted();
  const hasVideo = (devices ?? []).some((name) => /^video\d+$/.test(name));
  return [
    ...renderers.map((name) => vaapi(`${deviceFolder}/dri/${name}`)),
    ...(hasVideo ? [V4L2] : []),
    SOFTWARE,
  ];
}

/** The first encoder whose trial succeeds. A device may be there, and belong to others or encode no H.264. */
export async function chooseEncoder(
  found: readonly Encoder[],
  { ffmpegPath, env, clock, signal }: EncoderParts,
): Promise<Encoder> {
  for (const encoder of found) {
    if (encoder === SOFTWARE) break;
    const { how, code } = await runBounded(
      {
        command: ffmpegPath,
        args: trialArguments(encoder),
        env,
        timeoutMs: PLAYBACK_LIMITS.convertTrialMs,
        outputBytesMax: PLAYBACK_LIMITS.convertMessageLength,
      },
      { clock, signal },
    );
    if (how === "exited" && code === 0) return encoder;
  }
  return SOFTWARE;
}

function trialArguments({ name, device, filters, options }: Encoder): readonly string[] {
  return [
    ...["-nostdin", "-v", "error", ...device, "-f", "lavfi"],
    ...["-i", "color=size=320x192:rate=25:duration=0.4", "-vf", filters.join(",")],
    ...["-c:v", name, ...options, "-f", "null", "-"],
  ];
}
