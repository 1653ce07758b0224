import type { EpochMs } from "../../model/time.ts";
import { forgetOldest } from "../forget-oldest.ts";

/** A token bucket per peer. The peers with the latest requests are kept, at most `peersMax`. */
export class RateLimiter {
  readonly #atOnce: number;
  readonly #everyMs: number;
  readonly #peersMax: number;
  readonly #left = new Map<string, { readonly count: number; readonly at: EpochMs }>();

  constructor({
    atOnce,
    everyMs,
    peersMax,
  }: {
    readonly atOnce: number;
    readonly everyMs: number;
    readonly peersMax: number;
  }) {
    this.#atOnce = atOnce;
    this.#everyMs = everyMs;
    this.#peersMax = peersMax;
  }

  /** @returns ms until a token is available; 0 if one is available now */
  waitMs(who: string, monotonicMs: number): number {
    return Math.max(0, Math.ceil((1 - this.#countOf(who, monotonicMs)) * this.#everyMs));
  }

  take(who: string, monotonicMs: number): void {
    const count = Math.max(0, this.#countOf(who, monotonicMs) - 1);
    // Re-insertion keeps the map in order of last use.
    this.#left.delete(who);
    this.#left.set(who, { count, at: monotonicMs });
    forgetOldest(this.#left, this.#peersMax);
  }

  #countOf(who: string, monotonicMs: number): number {
    const { count, at } = this.#left.get(who) ?? { count: this.#atOnce, at: monotonicMs };
    return Math.min(this.#atOnce, count + (monotonicMs - at) / this.#everyMs);
  }
}
