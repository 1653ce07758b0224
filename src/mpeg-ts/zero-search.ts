import { PACKET_BYTES } from "./packets.ts";

/** Every packet begins with a sync byte, so a transport stream never holds so many zeros in a row (ISO/IEC 13818-1 §2.4.3.2). */
const RUN = Buffer.alloc(PACKET_BYTES);

/** Finds the first run of zeros that no transport stream holds, in a file that comes in portions. */
export class ZeroSearch {
  /** Zeros at the end of what came: they may be the beginning of the run. */
  #held = 0;
  #isFound = false;

  /** @returns what lies before the run, as far as it is known not to belong to it; valid as long as the portion is */
  next(portion: Buffer): { readonly clean: readonly Buffer[]; readonly isFound: boolean } {
    const leading = zerosAtStart(portion);
    if (this.#held + leading >= RUN.length) return this.#found([]);
    // All of it, and still too few.
    if (leading === portion.length) {
      this.#held += leading;
      return { clean: [], isFound: false };
    }
    const before = this.rest();
    const at = portion.indexOf(RUN);
    if (at !== -1) return this.#found([...before, portion.subarray(0, at)]);
    this.#held = zerosAtEnd(portion);
    return { clean: [...before, portion.subarray(0, portion.length - this.#held)], isFound: false };
  }

  /** Zeros at the end that turned out to belong to no run. */
  rest(): readonly Buffer[] {
    if (this.#isFound || this.#held === 0) return [];
    const held = RUN.subarray(0, this.#held);
    this.#held = 0;
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
