import type { Clock } from "../../../kit/time/clock.ts";
import type { WakeSignal } from "../../../kit/time/wake-signal.ts";
import type { KernelClock } from "../../../model/clock-trust.ts";
import type { ClockWatch } from "./clock-watch.ts";
import { RUNTIME_LIMITS } from "./limits.ts";

interface KernelParts {
  readonly watch: ClockWatch;
  readonly askKernel: (signal: AbortSignal) => Promise<KernelClock>;
  readonly clock: Clock;
  /** Makes the loop ask the kernel at once. */
  readonly wakeSignal: WakeSignal;
  readonly onSaid: () => Promise<void>;
}

/** Asks the kernel from time to time whether NTP keeps the clock, more often while the clock is not trusted. */
export async function kernelLoop(
  { watch, askKernel, clock, wakeSignal, onSaid }: KernelParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const ms = watch.isTrusted ? RUNTIME_LIMITS.kernelClockLookMs : RUNTIME_LIMITS.kernelClockDoubtMs;
    await wakeSignal.waitFor(ms, { clock, signal });
    if (signal.aborted) return;
    watch.noteKernelState(await askKernel(signal));
    if (!signal.aborted) await onSaid();
  }
}
