import type { Log } from "../../kit/log.ts";
import { askKernelClock } from "../../kit/machine/kernel-clock.ts";
import { bootName, uptimeMs } from "../../kit/machine/machine.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { DEFAULT_TOLERANCE_MS, type KernelClock } from "../../model/clock-trust.ts";
import type { DurationMs } from "../../model/time.ts";
import { ClockWatch } from "../../recorder/engine/runtime/clock-watch.ts";

interface ClockTrustParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly askKernel?: (signal: AbortSignal) => Promise<KernelClock>;
  readonly uptime?: () => DurationMs;
}

/**
 * Says whether what cannot be taken back may be done by the clock, to a program that hears of no other clock: not where NTP is to set it and
 * has not, nor after it was set while the program ran, until the kernel bears it out. Why not is logged once.
 */
export async function clockTrust(parts: ClockTrustParts): Promise<() => Promise<boolean>> {
  const { clock, log, signal, askKernel = askKernelClock, uptime = uptimeMs } = parts;
  const watch = new ClockWatch({
    clock,
    uptimeMs: uptime,
    boot: await bootName(),
    toleranceMs: DEFAULT_TOLERANCE_MS,
    memory: undefined,
  });
  let told: string | undefined;
  return async () => {
    watch.look();
    watch.noteKernelState(await askKernel(signal));
    // It may have been set while the kernel was asked.
    const { trusted, text } = watch.look();
    if (!trusted && text !== told)
      log.warn("the clock is not trusted: nothing is forgotten for its age", { text: text ?? "" });
    told = trusted ? undefined : text;
    return trusted;
  };
}
