import type { Log } from "../../kit/log.ts";
import { askKernelClock } from "../../kit/machine/kernel-clock.ts";
import { bootId, uptimeMs } from "../../kit/machine/machine.ts";
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
 * Whether irreversible actions may rely on the clock, in a program without another clock to compare: not while NTP has
 * yet to set it, nor after a step at run time until the kernel confirms it. The reason is logged once.
 */
export async function clockTrust(parts: ClockTrustParts): Promise<() => Promise<boolean>> {
  const { clock, log, signal, askKernel = askKernelClock, uptime = uptimeMs } = parts;
  const watch = new ClockWatch({
    clock,
    uptimeMs: uptime,
    boot: await bootId(),
    toleranceMs: DEFAULT_TOLERANCE_MS,
    memory: undefined,
  });
  let told: string | undefined;
  return async () => {
    watch.look();
    watch.noteKernelState(await askKernel(signal));
    // The clock may have stepped during the query.
    const { trusted, text } = watch.look();
    if (!trusted && text !== told)
      log.warn("the clock is not trusted: nothing is deleted because of its age", { text: text ?? "" });
    told = trusted ? undefined : text;
    return trusted;
  };
}
