import type { Problem } from "./problem.ts";

/** Smaller sets are solved together. */
const TOGETHER = 300;

/**
 * Splits the recordings into sets that do not compete for the first two aims, by index. Recordings compete in times when more
 * multiplexes are wanted than there are tuners. Recordings that never do are absent: all of them can be whole. Only if all tuners
 * are alike, and deliver whole multiplexes, is that so simple; otherwise there is one set of all.
 */
export function competingSets({ jobs, tuners, kinds }: Problem): readonly (readonly number[])[] {
  const all = jobs.map((_, index) => index);
  const isSimple =
    new Set(kinds).size === 1 &&
    jobs.every(({ may, atOnce }) => may[0] === true && (atOnce[0] ?? 0) >= jobs.length);
  if (!isSimple) return [all];
  const startOf = (index: number) => (jobs[index]?.event.start ?? 0) - (jobs[index]?.gapMs[0] ?? 0);
  const stopOf = (index: number) => jobs[index]?.event.stop ?? 0;
  const starting = all.toSorted((a, b) => startOf(a) - startOf(b));
  const ending = all.toSorted((a, b) => stopOf(a) - stopOf(b));
  const sets: number[][] = [];
  const setOf = new Map<number, number[]>();
  let on = new Set<number>();
  let begun = 0;
  for (const end of ending) {
    for (let next = starting[begun]; next !== undefined; next = starting[begun]) {
      if (startOf(next) >= stopOf(end)) break;
      on.add(next);
      begun += 1;
    }
    on = new Set([...on].filter((index) => stopOf(index) >= stopOf(end)));
    if (new Set([...on].map((index) => jobs[index]?.multiplex)).size <= tuners.length) continue;
    // The latest set is the only one that can reach into this time.
    const known = [...on].map((index) => setOf.get(index)).find((set) => set !== undefined);
    const set = known ?? [];
    if (known === undefined) sets.push(set);
    for (const index of on) {
      if (setOf.has(index)) continue;
      setOf.set(index, set);
      set.push(index);
    }
  }
  return together(sets);
}

function together(sets: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const out: number[][] = [];
  for (const set of sets) {
    const last = out.at(-1);
    if (last !== undefined && last.length + set.length <= TOGETHER) last.push(...set);
    else out.push([...set]);
  }
  return out.map((set) => set.sort((a, b) => a - b));
}
