import type { DurationMs } from "../../model/time.ts";
import { type Clock, follow } from "./clock.ts";

/** Wakes one loop that waits for something to do. A signal that comes while nobody waits is kept. */
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
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([woken, over]);
    }
    this.#pending = false;
    this.#wake = undefined;
  }

  /** Resolves at the next signal, after `ms`, or when the signal is aborted; never rejects. */
  async waitFor(
    ms: DurationMs,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): Promise<void> {
    if (signal.aborted) return;
    // Many loops wait so each second: a signal and a promise of its own for each wait would be the dearest part of what they do.
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          callOff();
          unfollow();
          resolve();
        };
        const callOff = clock.after(ms, wake);
        const unfollow = follow(signal, wake);
        this.#wake = wake;
      });
    }
    this.#pending = false;
    this.#wake = undefined;
  }
}
