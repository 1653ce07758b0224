import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { CaptureOrder } from "../../model/ports.ts";
import type { CaptureEngine, CaptureLimits } from "./engine.ts";
import { ffmpegEngine } from "./ffmpeg-engine.ts";
import { HostEngine } from "./host/client.ts";
import type { HostParts } from "./host/host-program.ts";
import { whySourceNotByHost } from "./host/readable.ts";

export interface LocalEngineParts {
  /** Identifies this daemon's data; captures of other daemons on the machine are ignored. */
  readonly owner: string;
  /** Absolute, or a name to look up in /usr/local/bin, /usr/bin and /bin. */
  readonly ffmpegPath: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: CaptureLimits;
  /** Absent: ffmpeg runs every capture. */
  readonly host?: HostParts & {
    /** `auto`: the host copies what it can, ffmpeg does the rest. Running captures of both are found either way. */
    readonly use: "auto" | "host" | "ffmpeg";
  };
}

/** The engines of this machine: one ffmpeg process per capture, or one capture host for all. */
export interface LocalEngines {
  readonly all: readonly CaptureEngine[];
  /** The engine for a new capture. @throws RecorderdError CAPTURE_NOT_STARTED */
  engineFor(order: CaptureOrder): Promise<CaptureEngine>;
  /** @throws RecorderdError CAPTURE_NOT_STARTED */
  makeReady(): Promise<void>;
  /** Ends an idle capture host. */
  dismissHost(): Promise<void>;
}

export function localEngines(
  { owner, ffmpegPath, host, clock, log, limits }: LocalEngineParts,
  onEnded: (id: string) => void,
): LocalEngines {
  const ffmpeg = ffmpegEngine({ owner, ffmpegPath, clock, limits, onEnded });
  const copier =
    host === undefined ? undefined : new HostEngine({ owner, clock, log, limits, onEnded, ...host });
  const all = copier === undefined ? [ffmpeg] : [copier, ffmpeg];
  /** The engine used last: a recorder whose tuners need ffmpeg starts no host. */
  let latest = host?.use === "ffmpeg" ? ffmpeg : all[0];

  async function chosen({ source }: CaptureOrder): Promise<CaptureEngine> {
    if (copier === undefined || host?.use === "ffmpeg") return ffmpeg;
    const reason = whySourceNotByHost(source);
    if (host?.use === "auto") {
      return reason === undefined && (await copier.isUsable(source.url)) ? copier : ffmpeg;
    }
    if (reason === undefined) return copier;
    throw new RecorderdError(
      "CAPTURE_NOT_STARTED",
      `The capture host ${reason}: set capture.engine to auto or ffmpeg.`,
    );
  }

  return {
    all,
    engineFor: async (order) => {
      latest = await chosen(order);
      return latest;
    },
    makeReady: async () => latest?.makeReady?.(),
    dismissHost: async () => copier?.dismiss(),
  };
}
