import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Capture } from "../../../model/ports.ts";
import type { EpochMs } from "../../../model/time.ts";

export interface ReadinessParts {
  /** When a tuner is opened next, by the wall clock. */
  readonly nextOpening: () => EpochMs;
  readonly capture: Pick<Capture, "makeReady">;
  /** Given when it may be another one. */
  readonly nudge: WakeSignal;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Has captures made ready when a tuner is about to be opened: the first of them would have to wait until what captures has
 * started, and the first byte of its recording with it.
 */
export async function keepReady(
  { nextOpening, capture, nudge, clock, log }: ReadinessParts,
  signal: AbortSignal,
): Promise<void> {
  let readyUntilMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const leftMs = nextOpening() - clock.now();
    const isSoon = leftMs <= LIMITS.captureAheadMs;
    if (isSoon && clock.monotonicMs() + leftMs >= readyUntilMs) {
      // Not waited for: a daemon that ends does not wait for a process that hangs.
      void capture.makeReady?.().catch(told);
      readyUntilMs = clock.monotonicMs() + LIMITS.hostAlertMs;
    }
    const ms = isSoon ? LIMITS.waitSliceMs : Math.min(LIMITS.waitSliceMs, leftMs - LIMITS.captureAheadMs);
    await nudge.waitFor(ms, { clock, signal });
  }

  /** What begins then tries again, and says so in its own name. */
  function told(error: unknown): void {
    if (!(error instanceof RecorderdError)) throw error;
    log.warn("captures could not be made ready", { code: error.code, text: error.message });
  }
}
