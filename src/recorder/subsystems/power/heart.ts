import { pulseMs, type ServiceManager } from "../../../kit/machine/service-manager.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { POWER_LIMITS } from "./limits.ts";

/** Reports to the service manager that the engine lives, and its activity. */
export interface Heart {
  /** The engine's loop turned once. With the first beat after the start or a reload, the daemon is ready. */
  beat(): void;
  /** The daemon takes over a new configuration; it is not ready until the next beat. */
  reload(): void;
  /** Shown before the status until it is replaced; `undefined` for none. */
  notice(text: string | undefined): void;
  /**
   * Reports until the signal is aborted. A silent engine is not reported as alive, even though this process is: then
   * the service manager restarts us, which captures do not notice.
   */
  run(status: () => string, signal: AbortSignal): Promise<void>;
}

export function createHeart(manager: ServiceManager, clock: Clock): Heart {
  let beatAt: number | undefined;
  let told: string | undefined;
  let notice: string | undefined;
  return {
    beat() {
      if (beatAt === undefined) manager.notify({ state: "ready" });
      beatAt = clock.monotonicMs();
    },
    reload() {
      beatAt = undefined;
      manager.notify({ state: "reloading" });
    },
    notice(text) {
      notice = text;
    },
    async run(status, signal) {
      while (!signal.aborted) {
        const now = [...(notice === undefined ? [] : [notice]), status()].join("; ");
        const isAlive = beatAt !== undefined && clock.monotonicMs() - beatAt < POWER_LIMITS.engineSilentMs;
        manager.notify({
          ...(now === told ? {} : { status: now }),
          ...(isAlive ? { alive: true } : {}),
        });
        told = now;
        await clock.sleep(pulseMs(manager), signal).catch(() => {});
      }
    },
  };
}
