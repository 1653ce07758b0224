import type { DurationMs } from "../model/time.ts";
import type { Clock } from "./clock.ts";

/** Why a wait ends; an error made anew each time would be the dearest part of it. */
const WOKEN = "woken";

/** Wakes one loop that waits for something to do. A nudge that comes while nobody waits is kept. */
export class Nudge {
  #pending = false;
  #wake: (() => void) | undefined;

  give(): void {
    this.#pending = true;
    this.#wake?.();
  }

  /** Resolves at the next nudge, or when `until` does; never rejects. */
  async wait(until: Promise<void>): Promise<void> {
    const over = until.catch(() => {});
    if (!this.#pending) {
      const nudged = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([nudged, over]);
    }
    this.#pending = false;
    this.#wake = undefined;
  }

  /** Resolves at the next nudge, after `ms`, or when the signal is aborted; never rejects. */
  async waitFor(
    ms: DurationMs,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): Promise<void> {
    if (signal.aborted) return;
    const over = new AbortController();
    // Not AbortSignal.any: a daemon waits thousands of times a day, and each would leave something behind on `signal`.
    const end = () => over.abort(WOKEN);
    signal.addEventListener("abort", end, { once: true });
    await this.wait(clock.sleep(ms, over.signal));
    signal.removeEventListener("abort", end);
    end();
  }
}
