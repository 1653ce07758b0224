/**
 * Reusable buffers of one size, for many tasks of which few run at once: memory is that of the few, and no buffer is allocated
 * and collected per turn. An acquired buffer holds old bytes.
 */
export class SpareBuffers {
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  readonly #bytes: number;
  readonly #keep: number;

  /** @param keep number of released buffers to keep */
  constructor({ bytes, keep }: { readonly bytes: number; readonly keep: number }) {
    this.#bytes = bytes;
    this.#keep = keep;
  }

  acquire(): Uint8Array<ArrayBuffer> {
    return this.#spare.pop() ?? new Uint8Array(this.#bytes);
  }

  /** Returns a buffer; the caller must not use it afterwards. */
  release(buffer: Uint8Array<ArrayBuffer>): void {
    if (this.#spare.length < this.#keep) this.#spare.push(buffer);
  }
}

/** A fixed number of buffers of one size. Callers queue while all of them are in use. */
export class BufferPool {
  readonly #bytes: number;
  readonly #most: number;
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  readonly #waiting: ((buffer: Uint8Array<ArrayBuffer>) => void)[] = [];
  #made = 0;

  /** @param most number of buffers at most */
  constructor({ bytes, most }: { readonly bytes: number; readonly most: number }) {
    this.#bytes = bytes;
    this.#most = most;
  }

  /** Runs `work` with a buffer, which holds old bytes at first. */
  async use<T>(work: (buffer: Uint8Array<ArrayBuffer>) => Promise<T>): Promise<T> {
    const buffer = await this.#acquire();
    try {
      return await work(buffer);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#spare.push(buffer);
      else next(buffer);
    }
  }

  async #acquire(): Promise<Uint8Array<ArrayBuffer>> {
    const spare = this.#spare.pop();
    if (spare !== undefined) return spare;
    if (this.#made === this.#most) return await new Promise((resolve) => this.#waiting.push(resolve));
    this.#made += 1;
    return new Uint8Array(this.#bytes);
  }
}
