/** Chance that a seed repeats: a whole number from 0 to `below` - 1. */
export type Dice = (below: number) => number;

/** Mulberry32. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export interface Material {
  readonly dice: Dice;
  /** Other inputs, for pieces to splice in. */
  readonly other: () => Uint8Array;
  /** Words that the program looks for. */
  readonly words: readonly Uint8Array[];
  readonly bytesMax: number;
}

const EDGES = [0, 1, 2, 0x0f, 0x10, 0x20, 0x40, 0x47, 0x7f, 0x80, 0xbf, 0xc0, 0xfe, 0xff];
const EDGES_16 = [0, 1, 0xff, 0x100, 0x7fff, 0x8000, 0xfff, 0x1000, 0x1fff, 0xfffe, 0xffff];

type Mutation = (input: Buffer, material: Material) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  // A bit, a byte, two bytes.
  (input, { dice }) => changed(input, dice, (at) => (input[at] ?? 0) ^ (1 << dice(8))),
  (input, { dice }) => changed(input, dice, () => dice(256)),
  (input, { dice }) => changed(input, dice, () => EDGES[dice(EDGES.length)] ?? 0),
  (input, { dice }) => changed(input, dice, (at) => (input[at] ?? 0) + dice(17) - 8),
  (input, { dice }) => {
    if (input.length > 1) input.writeUInt16BE(EDGES_16[dice(EDGES_16.length)] ?? 0, dice(input.length - 1));
    return input;
  },
  // A piece goes, comes twice, moves, or comes many times: only then does it show what is not linear.
  (input, { dice }) => {
    const { from, to } = span(input, dice);
    return Buffer.concat([input.subarray(0, from), input.subarray(to)]);
  },
  (input, { dice }) => {
    const { from, to } = span(input, dice);
    return inserted(input, dice(input.length + 1), input.subarray(from, to));
  },
  (input, { dice, bytesMax }) => {
    const { from, to } = span(input, dice);
    const piece = input.subarray(from, Math.min(to, from + 1 + dice(64)));
    const room = Math.floor((bytesMax - input.length) / Math.max(1, piece.length));
    const times = room < 1 ? 0 : 1 + dice(dice(8) === 0 ? room : Math.min(room, 64));
    return inserted(input, from, Buffer.concat(Array.from({ length: times }, () => piece)));
  },
  (input, { dice }) => input.subarray(0, dice(input.length + 1)),
  // Pieces of others.
  (input, { dice, other }) => {
    const donor = Buffer.from(other());
    const { from, to } = span(donor, dice);
    return inserted(input, dice(input.length + 1), donor.subarray(from, to));
  },
  (input, { dice, other }) => {
    const donor = other();
    return Buffer.concat([input.subarray(0, dice(input.length + 1)), donor.subarray(dice(donor.length + 1))]);
  },
  (input, { dice, words }) => inserted(input, dice(input.length + 1), words[dice(words.length)] ?? EMPTY),
  (input, { dice, words }) => {
    const word = words[dice(words.length)] ?? EMPTY;
    input.set(word.subarray(0, Math.max(0, input.length)), Math.max(0, dice(input.length + 1) - word.length));
    return input;
  },
  // A number in digits becomes another one.
  (input, { dice }) => {
    const digits = [...input.toString("latin1").matchAll(/\d+/g)];
    const match = digits[dice(digits.length)];
    if (match === undefined) return input;
    const number = NUMBERS[dice(NUMBERS.length)] ?? "";
    const rest = input.subarray(match.index + match[0].length);
    return Buffer.concat([input.subarray(0, match.index), Buffer.from(number), rest]);
  },
];

const EMPTY = new Uint8Array();
const NUMBERS = [
  "",
  "0",
  "-1",
  "1e9",
  "65536",
  "2147483648",
  "9007199254740993",
  "1e999",
  "99999999999999999999",
];

/** One to eight changes, one after the other. */
export function mutated(input: Uint8Array, material: Material): Uint8Array {
  const { dice, bytesMax } = material;
  let now = Buffer.from(input);
  for (let left = 1 << dice(4); left > 0; left -= 1) {
    const mutation = MUTATIONS[dice(MUTATIONS.length)];
    if (mutation !== undefined) now = Buffer.from(mutation(now, material).subarray(0, bytesMax));
  }
  return now;
}

function changed(input: Buffer, dice: Dice, byteAt: (at: number) => number): Buffer {
  if (input.length === 0) return input;
  const at = dice(input.length);
  input[at] = byteAt(at);
  return input;
}

/** Small pieces more often than large ones. */
function span(input: Uint8Array, dice: Dice): { readonly from: number; readonly to: number } {
  const from = dice(input.length);
  const longest = 1 << dice(16);
  return { from, to: Math.min(input.length, from + 1 + dice(longest)) };
}

function inserted(input: Buffer, at: number, piece: Uint8Array): Buffer {
  return Buffer.concat([input.subarray(0, at), piece, input.subarray(at)]);
}
