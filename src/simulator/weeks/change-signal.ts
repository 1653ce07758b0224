/** Wakes everything that waits for the next change. */
export class ChangeSignal {
  #wake: () => void = () => {};
  #next = this.#hang();

  get next(): Promise<void> {
    return this.#next;
  }

  signal(): void {
    const wake = this.#wake;
    this.#next = this.#hang();
    wake();
  }

  #hang(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
