/** Work that is done by turns: so many at once, so many that wait, and no more. */
export class Turns {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }) {
    this.#atOnce = atOnce;
    this.#waitingMax = waiting;
  }

  /** @returns `busy` where too many wait already; the work is not begun then */
  async take<T>(work: () => Promise<T>): Promise<T | "busy"> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#waitingMax) return "busy";
      // Who is woken takes the place of who wakes it: the count stays.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
