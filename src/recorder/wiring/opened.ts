/** Things to dispose of, whether the daemon opens or fails to. */
export class Opened implements AsyncDisposable {
  readonly #things: AsyncDisposable[] = [];
  readonly #closed = new AbortController();

  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  readonly disposeLater = <T extends AsyncDisposable>(thing: T): T => {
    this.#things.push(thing);
    return thing;
  };

  /** Disposes in reverse order: the lock goes last, when nothing runs under it any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    for (const thing of this.#things.splice(0).toReversed()) await thing[Symbol.asyncDispose]();
  }
}
