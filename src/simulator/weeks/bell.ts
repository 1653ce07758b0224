/** Wakes all who wait for its next ring. */
export class Bell {
  #wake: () => void = () => {};
  #next = this.#hang();

  get next(): Promise<void> {
    return this.#next;
  }

  ring(): void {
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
