import type { Clock } from "../../../kit/time/clock.ts";
import type { Nudge } from "../../../kit/time/nudge.ts";
import type { KernelClock } from "../../../model/clock-trust.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { ClockWatch } from "./clock-watch.ts";

interface KernelParts {
  readonly watch: ClockWatch;
  readonly askKernel: (signal: AbortSignal) => Promise<KernelClock>;
  readonly clock: Clock;
  /** The kernel is asked at once when this is nudged. */
  readonly nudge: Nudge;
  readonly onSaid: () => Promise<void>;
}

/** Asks the kernel from time to time whether NTP keeps the clock, more often while the clock is not trusted. */
export async function kernelLoop(
  { watch, askKernel, clock, nudge, onSaid }: KernelParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const ms = watch.isTrusted ? LIMITS.kernelClockLookMs : LIMITS.kernelClockDoubtMs;
    await nudge.waitFor(ms, { clock, signal });
    if (signal.aborted) return;
    watch.kernelSays(await askKernel(signal));
    if (!signal.aborted) await onSaid();
  }
}
