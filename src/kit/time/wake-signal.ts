import type { DurationMs } from "../../model/time.ts";
import { type Clock, onAbort } from "./clock.ts";

/** Wakes one waiting loop. A signal that comes while nothing waits is kept. */
export class WakeSignal {
  #pending = false;
  #wake: (() => void) | undefined;

  signal(): void {
    this.#pending = true;
    this.#wake?.();
  }

  /**
   * Resolves at the next signal, or when `signal` aborts; never rejects. Not with a promise for the end: one that lives as long
   * as a loop would keep each of its waits in memory.
   */
  wait(signal: AbortSignal): Promise<void> {
    return this.#woken(signal, () => () => {});
  }

  /** Resolves at the next signal, after `ms`, or when `signal` aborts; never rejects. */
  waitFor(
    ms: DurationMs,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): Promise<void> {
    return this.#woken(signal, (wake) => clock.after(ms, wake));
  }

  /** @param begin something else that wakes; returns what calls it off */
  async #woken(signal: AbortSignal, begin: (wake: () => void) => () => void): Promise<void> {
    if (signal.aborted) return;
    // Many loops wait each second: a separate signal and promise per wait would dominate their cost.
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          callOff();
          unfollow();
          resolve();
        };
        const callOff = begin(wake);
        const unfollow = onAbort(signal, wake);
        this.#wake = wake;
      });
    }
    this.#pending = false;
    this.#wake = undefined;
  }
}
