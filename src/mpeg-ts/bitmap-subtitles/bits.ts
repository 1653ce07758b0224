import { u8 } from "../bytes.ts";

/** Reads bits from the highest one of a byte range; 0 beyond its end. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #bit: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#bit = at * 8;
  }

  /** Offset of the next byte that no bit was read of. */
  get nextByte(): number {
    return (this.#bit + 7) >> 3;
  }

  get isAtEnd(): boolean {
    return this.#bit >= this.#bytes.length * 8;
  }

  /** @param count at most 8 */
  read(count: number): number {
    const at = this.#bit >> 3;
    const pair = (u8(this.#bytes, at) << 8) | u8(this.#bytes, at + 1);
    const value = (pair >> (16 - (this.#bit & 7) - count)) & ((1 << count) - 1);
    this.#bit += count;
    return value;
  }
}
