/** Pseudo-random numbers that are equal for equal seeds on every machine. For invented programmes, not for secrets. */
export class Chance {
  #state: number;

  /** Different parts give unrelated sequences. */
  constructor(...parts: readonly (string | number)[]) {
    this.#state = hashOf(parts.join("/"));
  }

  /** A whole number from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  /** The next of a Weyl sequence, mixed, as a number from 0 to below 1. */
  #next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mixed(this.#state) / 2 ** 32;
  }
}

/** FNV-1a, mixed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return mixed(hash);
}

/** Spreads every bit of a 32-bit number over all of them (the finalizer of MurmurHash3). */
function mixed(number: number): number {
  let bits = number;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
