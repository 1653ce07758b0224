import type { EpochMs } from "../../model/time.ts";
import type { Job, Problem } from "./problem.ts";

/** Smaller sets are solved together. */
export const TOGETHER = 300;

/**
 * Splits the recordings into sets that do not compete for the first two aims, by index. Recordings compete in times when the tuners
 * cannot hold all the multiplexes that are wanted. Recordings that never do are absent: all of them can be whole, except for those
 * without a tuner that works (`isHopeless`). If all tuners are
 * alike, and deliver whole multiplexes, the best of each set are the best of all. Otherwise they are a bound: a recording stays on
 * its tuner, so two sets may want different ones of it. So few are one set.
 */
export function competingSets(problem: Problem): readonly (readonly number[])[] {
  const { jobs, kinds } = problem;
  const all = [...jobs.keys()].filter((index) => !isHopeless(jobs[index] as Job));
  const isAlike = kinds.every((kind) => kind === kinds[0]);
  const isSimple = isAlike && all.every((index) => (jobs[index]?.atOnce[0] ?? 0) >= jobs.length);
  if (!isSimple && all.length <= TOGETHER) return [all];
  const startOf = (index: number): EpochMs => {
    const { event, gapMs } = jobs[index] as Job;
    return event.start - Math.max(...gapMs);
  };
  const stopOf = (index: number): EpochMs => jobs[index]?.event.stop ?? 0;
  const starting = all.toSorted((a, b) => startOf(a) - startOf(b));
  const ending = all.toSorted((a, b) => stopOf(a) - stopOf(b));
  const sets: number[][] = [];
  const setOf = new Map<number, number[]>();
  const on = new Set<number>();
  let begun = 0;
  for (const end of ending) {
    for (let next = starting[begun]; next !== undefined; next = starting[begun]) {
      if (startOf(next) >= stopOf(end)) break;
      on.add(next);
      begun += 1;
    }
    for (const index of on) if (stopOf(index) < stopOf(end)) on.delete(index);
    if (isRoomFor(on, problem)) continue;
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

/** It counts for none of the first two aims. */
export function isHopeless({ may, doubtful }: Job): boolean {
  return !may.some((able, tuner) => able && doubtful[tuner] !== true);
}

/** Whether each multiplex can have a tuner of its own that works, receives what is wanted of it, and delivers all that at once. */
function isRoomFor(on: ReadonlySet<number>, { jobs, tuners, kinds }: Problem): boolean {
  const wanted = new Map<string, Job[]>();
  for (const index of on) {
    const job = jobs[index] as Job;
    const there = wanted.get(job.multiplex);
    if (there === undefined) wanted.set(job.multiplex, [job]);
    else there.push(job);
  }
  if (wanted.size > tuners.length) return false;
  const suits = (group: readonly Job[], tuner: number) =>
    group.every(
      ({ may, doubtful, atOnce }) =>
        may[tuner] === true && doubtful[tuner] !== true && (atOnce[tuner] ?? 0) >= group.length,
    );
  const groups = [...wanted.values()];
  const isAlike = kinds.every((kind) => kind === kinds[0]);
  if (isAlike) return groups.every((group) => suits(group, 0));
  return canPair(groups.map((group) => tuners.flatMap((_, tuner) => (suits(group, tuner) ? [tuner] : []))));
}

/** Whether each can have one of its options, and none the same: by augmenting paths. */
function canPair(options: readonly (readonly number[])[]): boolean {
  const owner = new Map<number, number>();
  const finds = (one: number, tried: Set<number>): boolean => {
    for (const option of options[one] ?? []) {
      if (tried.has(option)) continue;
      tried.add(option);
      const other = owner.get(option);
      if (other !== undefined && !finds(other, tried)) continue;
      owner.set(option, one);
      return true;
    }
    return false;
  };
  return options.every((_, one) => finds(one, new Set()));
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
