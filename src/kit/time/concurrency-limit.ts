/** Runs a limited number of tasks at once, queues a limited number, and refuses the rest. */
export class ConcurrencyLimit {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }) {
    this.#atOnce = atOnce;
    this.#waitingMax = waiting;
  }

  /** @returns `busy` if the queue is full; the work is not started then */
  async run<T>(work: () => Promise<T>): Promise<T | "busy"> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#waitingMax) return "busy";
      // A woken task takes over its waker's place: the count stays.
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
