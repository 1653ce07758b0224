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

  /** Resolves at the next signal, or when `until` does; never rejects. */
  async wait(until: Promise<void>): Promise<void> {
    const over = until.catch(() => {});
    if (!this.#pending) {
      const signalled = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([signalled, over]);
    }
    this.#pending = false;
    this.#wake = undefined;
  }

  /** Resolves at the next signal, after `ms`, or when `signal` aborts; never rejects. */
  async waitFor(
    ms: DurationMs,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): Promise<void> {
    if (signal.aborted) return;
    // Many loops wait each second: a separate signal and promise per wait would dominate their cost.
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          callOff();
          unfollow();
          resolve();
        };
        const callOff = clock.after(ms, wake);
        const unfollow = onAbort(signal, wake);
        this.#wake = wake;
      });
    }
    this.#pending = false;
    this.#wake = undefined;
  }
}
