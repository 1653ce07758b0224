import { LIMITS } from "../model/limits.ts";

/** The bounded queue before the engine. A sender beyond the bound waits for room. */
export class Inbox<T> {
  readonly #items: T[] = [];
  readonly #room: (() => void)[] = [];
  #arrival: (() => void) | undefined;

  /** Resolves when the item is in the queue. */
  async post(item: T): Promise<void> {
    while (this.#items.length >= LIMITS.inboxSize) {
      await new Promise<void>((resolve) => this.#room.push(resolve));
    }
    this.#items.push(item);
    this.#arrival?.();
  }

  /** Takes out what waits and is not needed any more. */
  drop(isNeedless: (item: T) => boolean): void {
    for (let index = this.#items.length - 1; index >= 0; index -= 1) {
      const item = this.#items[index];
      if (item !== undefined && isNeedless(item)) this.#items.splice(index, 1);
    }
  }

  /** The oldest item, if there is one. */
  take(): T | undefined {
    const item = this.#items.shift();
    this.#room.shift()?.();
    return item;
  }

  /** Resolves at the next arrival, at once where something is there already. One waiter at a time. */
  arrival(): Promise<void> {
    if (this.#items.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#arrival = () => {
        this.#arrival = undefined;
        resolve();
      };
    });
  }
}
