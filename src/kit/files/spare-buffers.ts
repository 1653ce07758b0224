/**
 * Buffers of one size that are lent and given back. For work on many things of which few are worked on at once: the memory is
 * that of the few, and none is made, cleared and collected for each turn. What is lent holds old bytes.
 */
export class SpareBuffers {
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  readonly #bytes: number;
  readonly #keep: number;

  /** @param keep how many of those that were given back are kept for later */
  constructor({ bytes, keep }: { readonly bytes: number; readonly keep: number }) {
    this.#bytes = bytes;
    this.#keep = keep;
  }

  lend(): Uint8Array<ArrayBuffer> {
    return this.#spare.pop() ?? new Uint8Array(this.#bytes);
  }

  /** Nobody may use it any more. */
  giveBack(buffer: Uint8Array<ArrayBuffer>): void {
    if (this.#spare.length < this.#keep) this.#spare.push(buffer);
  }
}

/**
 * Buffers of one size for work that waits: there are only so many, and who comes when all are in use waits for his turn. So many
 * that come at once do not have one made for each.
 */
export class BufferDesk {
  readonly #bytes: number;
  readonly #most: number;
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  readonly #waiting: ((buffer: Uint8Array<ArrayBuffer>) => void)[] = [];
  #made = 0;

  /** @param most how many there are at most */
  constructor({ bytes, most }: { readonly bytes: number; readonly most: number }) {
    this.#bytes = bytes;
    this.#most = most;
  }

  /** Lends one, with old bytes in it, until `work` is done. */
  async use<T>(work: (buffer: Uint8Array<ArrayBuffer>) => Promise<T>): Promise<T> {
    const buffer = await this.#lend();
    try {
      return await work(buffer);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#spare.push(buffer);
      else next(buffer);
    }
  }

  async #lend(): Promise<Uint8Array<ArrayBuffer>> {
    const spare = this.#spare.pop();
    if (spare !== undefined) return spare;
    if (this.#made === this.#most) return await new Promise((resolve) => this.#waiting.push(resolve));
    this.#made += 1;
    return new Uint8Array(this.#bytes);
  }
}
