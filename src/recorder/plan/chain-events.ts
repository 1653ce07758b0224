import { bestEvents } from "./best-events.ts";
import { competingSets, isHopeless, TOGETHER } from "./contention.ts";
import type { Optimizer } from "./optimizer.ts";
import { worthLength } from "./plan-value.ts";
import type { Job, Problem } from "./problem.ts";
import type { Fate } from "./realize.ts";

/** The best by the first two aims for a whole chain. */
export interface ChainEvents {
  /** By index of the problem's recordings; absent: the recording gets no tuner. */
  readonly fates: readonly (Fate | undefined)[];
  /** No plan is better by these aims. */
  readonly bound: Float64Array;
}

/**
 * Each set of recordings that compete is optimized by itself, on any tuner for the running ones; a small set with these on their own
 * tuners, which is exact.
 */
export function chainEvents(
  { relaxed, strict }: { readonly relaxed: Problem; readonly strict: Problem },
  optimize: Optimizer,
): ChainEvents | undefined {
  const { jobs, priorities } = relaxed;
  const ranks = priorities.length;
  const bound = new Float64Array(worthLength(ranks));
  const fates: (Fate | undefined)[] = jobs.map(() => undefined);
  const free = new Set(jobs.keys());
  const sets = competingSets(relaxed);
  const all = sets.reduce((sum, set) => sum + set.length, 0);
  for (const set of sets) {
    // All sets together have the time of one group.
    const withinShare: Optimizer = (program) => optimize(program, set.length / all);
    const runs = set.some((index) => strict.jobs[index]?.forced === true);
    const problem = runs && set.length <= TOGETHER ? strict : relaxed;
    const found = bestEvents(partOf(problem, set), withinShare, "events");
    if (found === undefined) return undefined;
    for (const [at, one] of found.bound.entries()) bound[at] = (bound[at] ?? 0) + one;
    for (const [at, index] of set.entries()) {
      const fate = found.fates[at];
      free.delete(index);
      if (fate === undefined) continue;
      const { kind, begin } = fate;
      fates[index] = { kind: relaxed.kinds[problem.kinds.indexOf(kind)] ?? kind, begin };
    }
  }
  // A recording that competes with nobody is whole, whichever tuner it gets.
  for (const index of free) {
    const job = jobs[index] as Job;
    if (isHopeless(job)) continue;
    const { isLate, rank, event } = job;
    fates[index] = { begin: event.start };
    const at = isLate ? ranks + rank : rank;
    bound[at] = (bound[at] ?? 0) + (isLate ? event.stop - event.start : 1);
  }
  return { fates, bound };
}

function partOf(problem: Problem, set: readonly number[]): Problem {
  const { jobs, requests } = problem;
  return {
    ...problem,
    jobs: set.map((index) => jobs[index] as Job),
    requests: set.flatMap((index) => requests[index] ?? []),
  };
}
