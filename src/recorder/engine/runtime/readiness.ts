import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { TIME_LIMITS } from "../../../kit/time/limits.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Capture } from "../../../model/ports.ts";
import type { EpochMs } from "../../../model/time.ts";
import { HOST_LIMITS } from "../../capture/host/limits.ts";
import { RUNTIME_LIMITS } from "./limits.ts";
import type { Subsystem } from "./subsystem.ts";

export interface ReadinessParts {
  /** The next instant at which a tuner opens, by the wall clock. */
  readonly nextOpening: () => EpochMs;
  readonly capture: Pick<Capture, "makeReady">;
  /** Signalled when that instant may have changed. */
  readonly wakeSignal: WakeSignal;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps the capture host ready for the next recording; checks again when the plan may have changed. */
export function readiness(parts: Omit<ReadinessParts, "wakeSignal">): Subsystem {
  const wakeSignal = new WakeSignal();
  return {
    name: "readiness",
    run: (signal) => keepReady({ ...parts, wakeSignal }, signal),
    onCommit: () => wakeSignal.signal(),
  };
}

/**
 * Starts the capture host before a tuner opens: otherwise the first capture, and the first byte of its recording,
 * would wait for the start.
 */
export async function keepReady(
  { nextOpening, capture, wakeSignal, clock, log }: ReadinessParts,
  signal: AbortSignal,
): Promise<void> {
  let readyUntilMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const leftMs = nextOpening() - clock.now();
    const isSoon = leftMs <= RUNTIME_LIMITS.captureAheadMs;
    if (isSoon && clock.monotonicMs() + leftMs >= readyUntilMs) {
      // Not awaited: a daemon that ends does not wait for a hanging process.
      void capture.makeReady?.().catch(logFailure);
      readyUntilMs = clock.monotonicMs() + HOST_LIMITS.alertMs;
    }
    const ms = isSoon
      ? TIME_LIMITS.waitSliceMs
      : Math.min(TIME_LIMITS.waitSliceMs, leftMs - RUNTIME_LIMITS.captureAheadMs);
    await wakeSignal.waitFor(ms, { clock, signal });
  }

  /** Ignored: the capture that begins tries again and reports its own failure. */
  function logFailure(error: unknown): void {
    if (!(error instanceof RecorderdError)) throw error;
    log.warn("the capture host could not be started ahead of a recording", {
      code: error.code,
      text: error.message,
    });
  }
}
