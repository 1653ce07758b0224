/** Error-protecting codes of teletext bytes, with the first transmitted bit as the lowest one. EN 300 706 §8. */

/** A teletext byte is sent with its lowest bit first, a transport stream byte with its highest bit first. */
export const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit += 1) reversed |= ((byte >> bit) & 1) << (7 - bit);
  return reversed;
});

/** Result of a reading that cannot be corrected. */
export const DAMAGED = -1;

const PARITY = Uint8Array.from({ length: 256 }, (_, byte) => parityOf(byte));

function parityOf(value: number): number {
  let ones = 0;
  for (let bit = 0; bit < 24; bit += 1) ones ^= (value >> bit) & 1;
  return ones;
}

/** The code byte of four data bits. EN 300 706 §8.2: P1 D1 P2 D2 P3 D3 P4 D4. */
function hammingByte(data: number): number {
  const [d1, d2, d3, d4] = [data & 1, (data >> 1) & 1, (data >> 2) & 1, data >> 3] as const;
  const p1 = 1 ^ d1 ^ d3 ^ d4;
  const p2 = 1 ^ d1 ^ d2 ^ d4;
  const p3 = 1 ^ d1 ^ d2 ^ d3;
  const p4 = 1 ^ p1 ^ d1 ^ p2 ^ d2 ^ p3 ^ d3 ^ d4;
  return p1 | (d1 << 1) | (p2 << 2) | (d2 << 3) | (p3 << 4) | (d3 << 5) | (p4 << 6) | (d4 << 7);
}

/** Code bytes differ in four bits: one wrong bit can be corrected, two cannot. */
const HAMMING_8_4 = (() => {
  const values = new Int8Array(256).fill(DAMAGED);
  for (let data = 0; data < 16; data += 1) {
    const byte = hammingByte(data);
    values[byte] = data;
    for (let bit = 0; bit < 8; bit += 1) values[byte ^ (1 << bit)] = data;
  }
  return values;
})();

/** Four bits of a byte in Hamming 8/4, or `DAMAGED`. */
export function hamming84(byte: number): number {
  return HAMMING_8_4[byte] ?? DAMAGED;
}

/** Data bits of a group in Hamming 24/18, by position from 0. EN 300 706 §8.3. */
const DATA_POSITIONS = [2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22];
/** Positions that the tests A to E count; F counts all of them. */
const TESTS = [0x555555, 0x666666, 0x787878, 0x007f80, 0x7f8000];

/** 18 bits of three bytes in Hamming 24/18, the first byte lowest, or `DAMAGED`. */
export function hamming2418(group: number): number {
  const failing = TESTS.reduce((sum, mask, test) => sum | ((1 - parityOf(group & mask)) << test), 0);
  const isEven = parityOf(group) === 1;
  // An even number of wrong bits cannot be corrected.
  if (failing !== 0 && isEven) return DAMAGED;
  if (failing > 23) return DAMAGED;
  const right = failing === 0 ? group : group ^ (1 << (failing - 1));
  return DATA_POSITIONS.reduce((data, position, bit) => data | (((right >> position) & 1) << bit), 0);
}

/** Seven bits of a byte with odd parity, or `DAMAGED`. */
export function oddParity(byte: number): number {
  return PARITY[byte] === 1 ? byte & 0x7f : DAMAGED;
}
