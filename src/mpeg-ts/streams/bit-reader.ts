import { u8 } from "../bytes.ts";

/** Reads bits from the highest one of a byte range; beyond the end they are 0. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #bit: number;

  /** @param at the first byte */
  constructor(bytes: Uint8Array, at = 0) {
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

  /** @param count any number; more than 53 bits have no exact value */
  bits(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left -= 8) {
      const some = Math.min(8, left);
      value = value * 2 ** some + this.read(some);
    }
    return value;
  }

  /** ue(v), ITU-T H.264 §9.1. */
  unsigned(): number {
    let zeros = 0;
    while (zeros < 32 && this.read(1) === 0) zeros += 1;
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** se(v). */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2;
  }
}

/** A NAL unit without emulation_prevention_three_byte. ITU-T H.264 §7.3.1. */
export function withoutEmulation(unit: Uint8Array): Uint8Array {
  const kept: number[] = [];
  let zeros = 0;
  for (const byte of unit) {
    const isEmulation = zeros >= 2 && byte === 3;
    zeros = byte === 0 ? zeros + 1 : 0;
    if (!isEmulation) kept.push(byte);
  }
  return Uint8Array.from(kept);
}
