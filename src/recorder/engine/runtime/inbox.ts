import { RUNTIME_LIMITS } from "./limits.ts";

/** The bounded queue before the engine. A sender beyond the bound waits for room. */
export class Inbox<T> {
  readonly #items: T[] = [];
  readonly #room: (() => void)[] = [];
  #arrival: (() => void) | undefined;
  #isClosed = false;

  /** Resolves when the item is in the queue, or was dropped because the inbox is closed. */
  async post(item: T): Promise<void> {
    while (!this.#isClosed && this.#items.length >= RUNTIME_LIMITS.inboxSize) {
      await new Promise<void>((resolve) => this.#room.push(resolve));
    }
    if (this.#isClosed) return;
    this.#items.push(item);
    this.#arrival?.();
  }

  /** @returns whether it was still waiting */
  withdraw(item: T): boolean {
    const place = this.#items.indexOf(item);
    if (place < 0) return false;
    this.#items.splice(place, 1);
    this.#room.shift()?.();
    return true;
  }

  /** Drops all waiting and later items. */
  close(): void {
    this.#isClosed = true;
    this.#items.length = 0;
    for (const enter of this.#room.splice(0)) enter();
  }

  /**
   * Posts an item that makes a waiting one needless, in its place: items behind it may build on it.
   *
   * @param isNeedless whether the new item makes a waiting one needless
   */
  async replace(item: T, isNeedless: (waiting: T) => boolean): Promise<void> {
    const place = this.#items.findIndex(isNeedless);
    if (place < 0) await this.post(item);
    else this.#items[place] = item;
  }

  /** The oldest item, if there is one. */
  take(): T | undefined {
    const item = this.#items.shift();
    this.#room.shift()?.();
    return item;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** Calls `wake` at each arrival, until another is named; `undefined` for none. */
  onArrival(wake: (() => void) | undefined): void {
    this.#arrival = wake;
  }
}
