/** Things that must be closed again, whether the daemon comes to be or not. */
export class Opened implements AsyncDisposable {
  readonly #things: AsyncDisposable[] = [];
  readonly #closed = new AbortController();

  /** Aborted when closing begins. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  readonly disposeLater = <T extends AsyncDisposable>(thing: T): T => {
    this.#things.push(thing);
    return thing;
  };

  /** The last one opened first: the lock goes when nothing is done under it any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    for (const thing of this.#things.splice(0).toReversed()) await thing[Symbol.asyncDispose]();
  }
}
