import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { VERSION } from "../../kit/version.ts";
import { type CaptureParts, createCapture, type HostedCapture } from "../capture/capture.ts";
import { HOST_PROGRAM } from "../capture/host/place.ts";
import { CAPTURE_LIMITS } from "../capture/limits.ts";
import type { Config } from "../config/schema.ts";
import { openInspection } from "../evidence/file-inspection.ts";

type CaptureSettings = Pick<Config, "data" | "capture">;

/** Captures of this configuration, also without a daemon. */
export function captureOf(
  config: CaptureSettings,
  {
    hostProgram,
    ...parts
  }: Pick<CaptureParts, "clock" | "log" | "openInspection" | "limits" | "elsewhere"> & {
    readonly hostProgram?: string;
  },
): HostedCapture {
  return createCapture({ ...parts, ...enginesOf(config, hostProgram) });
}

/** The settings of the engines of this machine. */
export function enginesOf(
  { data: { folder }, capture: { ffmpegPath, engine } }: CaptureSettings,
  hostProgram = HOST_PROGRAM,
): Pick<CaptureParts, "owner" | "ffmpegPath" | "host"> {
  const host = { folder, program: hostProgram, version: VERSION, use: engine };
  return { owner: folder, ffmpegPath, host };
}

/**
 * Ends all captures and the capture host, when no daemon will supervise them any more.
 *
 * @returns how many there were
 */
export async function endCaptures(
  config: CaptureSettings,
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<number> {
  const capture = captureOf(config, { ...parts, openInspection, limits: CAPTURE_LIMITS });
  const running = [...(await capture.running())];
  await Promise.all(running.map((id) => capture.stop(id)));
  await capture.dismissHost();
  return running.length;
}
