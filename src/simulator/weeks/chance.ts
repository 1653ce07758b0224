/** A seeded random source: the same on every machine, integers only. */
export interface Chance {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** True once in a hundred for 1, always for 100. */
  percent(chance: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** In random order. */
  shuffled<T>(items: readonly T[]): readonly T[];
}

/** Draws that depend on their purpose and instant alone: the order of what happens at one instant leaves them unchanged. */
export type ChanceNow = (purpose: string) => Chance;

/** A separate stream per purpose, so that more draws for one leave the others unchanged. */
export function chanceOf(seed: number, purpose: string): Chance {
  let state = hash(`${seed} ${purpose}`);
  // Mulberry32: 32 bits of state are plenty for the few thousand draws of a script.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return (bits ^ (bits >>> 14)) >>> 0;
  };
  const int = (min: number, max: number) => min + (next() % (max - min + 1));
  return {
    int,
    percent: (chance) => int(1, 100) <= chance,
    pick: (from) => from[int(0, from.length - 1)] ?? from[0],
    shuffled: (items) => {
      const left = [...items];
      return items.flatMap(() => left.splice(int(0, left.length - 1), 1));
    },
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (const unit of text) bits = Math.imul(bits ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return bits | 0;
}
