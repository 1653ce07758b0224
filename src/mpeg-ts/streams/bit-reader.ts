import { u8 } from "../bytes.ts";

/** Reads the bits of a parameter set (ITU-T H.264 §7.2, §9.1); beyond the end they are 0. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bits(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left -= 1) {
      value = value * 2 + ((u8(this.#bytes, this.#at >> 3) >> (7 - (this.#at & 7))) & 1);
      this.#at += 1;
    }
    return value;
  }

  /** ue(v). */
  unsigned(): number {
    let zeros = 0;
    while (zeros < 32 && this.bits(1) === 0) zeros += 1;
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
