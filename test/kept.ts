/** Things that a test opens, to be disposed of together, the last one first. */
export class Kept implements AsyncDisposable {
  readonly #things: AsyncDisposable[] = [];

  readonly keep = <T extends AsyncDisposable>(thing: T): T => {
    this.#things.push(thing);
    return thing;
  };

  /** Disposes of what was kept so far; more may be kept afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const thing of this.#things.splice(0).toReversed()) await thing[Symbol.asyncDispose]();
  }
}
