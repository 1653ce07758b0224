import { pulseMs, type ServiceManager } from "../../../kit/machine/service-manager.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { LIMITS } from "../../../model/limits.ts";

/** Tells the service manager that the engine lives, and what it does. */
export interface Heart {
  /** The engine's loop went round. The first time after the start or a reload, the daemon is ready. */
  beat(): void;
  /** Until the next beat the daemon is not ready: it takes over a new configuration. */
  reload(): void;
  /** Shown before everything else until there is another; `undefined` for none. */
  notice(text: string | undefined): void;
  /**
   * Tells until the signal is aborted. An engine that is silent is not told of as alive, though this process is: then the
   * service manager starts us anew, which captures do not notice.
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
        const isAlive = beatAt !== undefined && clock.monotonicMs() - beatAt < LIMITS.engineSilentMs;
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
