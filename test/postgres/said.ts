/** The log of a server: waits for its lines. */
export class Said {
  #text = "";
  #look: (() => void)[] = [];

  readonly add = (text: string): void => {
    // Only readers of errors need earlier lines.
    this.#text = (this.#text + text).slice(-KEPT);
    for (const look of [...this.#look]) look();
  };

  /** The latest lines. */
  get text(): string {
    return this.#text;
  }

  /** Resolves when a line matches that is new from now on. */
  next(pattern: RegExp): Promise<void> {
    this.#text = "";
    return new Promise((resolve) => {
      const look = () => {
        if (!pattern.test(this.#text)) return;
        this.#look = this.#look.filter((each) => each !== look);
        resolve();
      };
      this.#look.push(look);
    });
  }
}

const KEPT = 16 * 1024;
