import { oneTimeAddress } from "../../kit/http/one-time-address.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { CaptureEngine, CaptureLimits } from "./engine.ts";
import { ffmpegArguments, hasPassword } from "./ffmpeg-arguments.ts";
import { logFile } from "./files.ts";
import { captureProcesses } from "./process.ts";

export interface FfmpegEngineParts {
  readonly owner: string;
  readonly ffmpegPath: string;
  readonly clock: Clock;
  readonly limits: CaptureLimits;
  readonly onEnded: (id: string) => void;
}

/** Runs one ffmpeg process per capture. */
export function ffmpegEngine({
  owner,
  ffmpegPath,
  clock,
  limits,
  onEnded,
}: FfmpegEngineParts): CaptureEngine {
  const processes = captureProcesses({ owner, clock, stopPatienceMs: limits.stopPatienceMs });

  /** Replaces an address with a password by a one-time address that redirects to it: arguments are visible to all. */
  async function forArguments(url: string): Promise<string> {
    if (!hasPassword(url)) return url;
    return await oneTimeAddress(url, { clock, patienceMs: limits.firstPayloadMs });
  }

  return {
    leavesUnsynced: true,
    ids: processes.ids,
    isRunning: processes.isRunning,
    end: processes.end,
    async start(order) {
      const { id, file } = order;
      const source = { ...order.source, url: await forArguments(order.source.url) };
      const discreet = source.url !== order.source.url && source.url.startsWith("rtsp:");
      const args = ffmpegArguments({ ...order, source }, { ...limits, discreet });
      const endsInMs = order.endsBy - clock.now();
      const onExit = () => onEnded(id);
      await processes.start({ id, ffmpegPath, args, logFile: logFile(file), endsInMs, onExit });
    },
  };
}
