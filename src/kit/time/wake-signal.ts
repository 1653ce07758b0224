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
  async wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        const unfollow = onAbort(signal, resolve);
        this.#wake = () => {
          unfollow();
          resolve();
        };
      });
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
