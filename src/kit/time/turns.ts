/** Runs one piece of work at a time, in the order of the calls. If one fails, its caller gets the error and the next one runs. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    const over = () => {};
    this.#last = done.then(over, over);
    return done;
  }

  /** Resolves when all work so far has ended. */
  ended(): Promise<void> {
    return this.#last;
  }
}
