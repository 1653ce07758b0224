import { PACKET_BYTES } from "./packets.ts";

/**
 * Every packet begins with a sync byte, so a transport stream never has this many zeros in a row (ISO/IEC 13818-1 §2.4.3.2).
 */
const RUN = Buffer.alloc(PACKET_BYTES);

/** Finds the first run of zeros longer than a transport stream allows, in a file read in chunks. */
export class ZeroSearch {
  /** Zeros at the end of the input so far: they may begin the run. */
  #pendingZeros = 0;
  #isFound = false;

  /** @returns the bytes before the run that certainly do not belong to it; valid as long as the chunk is */
  next(portion: Buffer): { readonly clean: readonly Buffer[]; readonly isFound: boolean } {
    const leading = zerosAtStart(portion);
    if (this.#pendingZeros + leading >= RUN.length) return this.#found([]);
    // All zeros, and still too few.
    if (leading === portion.length) {
      this.#pendingZeros += leading;
      return { clean: [], isFound: false };
    }
    const before = this.rest();
    const at = portion.indexOf(RUN);
    if (at !== -1) return this.#found([...before, portion.subarray(0, at)]);
    this.#pendingZeros = zerosAtEnd(portion);
    return { clean: [...before, portion.subarray(0, portion.length - this.#pendingZeros)], isFound: false };
  }

  /** Trailing zeros that turned out to belong to no run. */
  rest(): readonly Buffer[] {
    if (this.#isFound || this.#pendingZeros === 0) return [];
    const held = RUN.subarray(0, this.#pendingZeros);
    this.#pendingZeros = 0;
    return [held];
  }

  #found(clean: readonly Buffer[]) {
    this.#isFound = true;
    return { clean, isFound: true };
  }
}

function zerosAtStart(portion: Buffer): number {
  const at = portion.findIndex((byte) => byte !== 0);
  return at === -1 ? portion.length : at;
}

function zerosAtEnd(portion: Buffer): number {
  const last = portion.findLastIndex((byte) => byte !== 0);
  return portion.length - 1 - last;
}
