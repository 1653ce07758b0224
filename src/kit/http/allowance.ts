import type { EpochMs } from "../../model/time.ts";

/** So much at once, and so much in time from then on, for each who comes. */
export class Allowance {
  readonly #atOnce: number;
  readonly #everyMs: number;
  readonly #known: number;
  readonly #left = new Map<string, { readonly count: number; readonly at: EpochMs }>();

  constructor({
    atOnce,
    everyMs,
    known,
  }: {
    readonly atOnce: number;
    readonly everyMs: number;
    readonly known: number;
  }) {
    this.#atOnce = atOnce;
    this.#everyMs = everyMs;
    this.#known = known;
  }

  /** @returns how long to wait until there is one again; 0: there is one now */
  waitMs(who: string, monotonicMs: number): number {
    return Math.max(0, Math.ceil((1 - this.#countOf(who, monotonicMs)) * this.#everyMs));
  }

  take(who: string, monotonicMs: number): void {
    const count = Math.max(0, this.#countOf(who, monotonicMs) - 1);
    // Whoever came last is the last to be forgotten.
    this.#left.delete(who);
    this.#left.set(who, { count, at: monotonicMs });
    const [oldest] = this.#left.keys();
    if (this.#left.size > this.#known && oldest !== undefined) this.#left.delete(oldest);
  }

  #countOf(who: string, monotonicMs: number): number {
    const { count, at } = this.#left.get(who) ?? { count: this.#atOnce, at: monotonicMs };
    return Math.min(this.#atOnce, count + (monotonicMs - at) / this.#everyMs);
  }
}
