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
