import { type BestEvents, bestEvents, type EventPlacement } from "./best-events.ts";
import { competingSets } from "./contention.ts";
import type { Optimizer } from "./optimizer.ts";
import { worthLength } from "./plan-value.ts";
import type { Problem } from "./problem.ts";

/** The best by the first two aims for a whole chain: each set of recordings that compete by itself. */
export function chainEvents(problem: Problem, optimize: Optimizer): BestEvents | undefined {
  const { jobs, priorities } = problem;
  const ranks = priorities.length;
  // A recording that competes with nobody is whole, on any tuner.
  const fates: (EventPlacement | undefined)[] = jobs.map(({ event }) => ({
    kind: problem.kinds[0] ?? 0,
    begin: event.start,
  }));
  const bound = new Float64Array(worthLength(ranks));
  const free = new Set(jobs.keys());
  for (const set of competingSets(problem)) {
    const part = {
      ...problem,
      jobs: set.flatMap((index) => jobs[index] ?? []),
      requests: set.flatMap((index) => problem.requests[index] ?? []),
    };
    const found = bestEvents(part, optimize, "events");
    if (found === undefined) return undefined;
    for (const [at, one] of found.bound.entries()) bound[at] = (bound[at] ?? 0) + one;
    for (const [at, index] of set.entries()) {
      fates[index] = found.fates[at];
      free.delete(index);
    }
  }
  for (const index of free) {
    const { isLate = false, rank = 0, event } = jobs[index] ?? {};
    const at = isLate ? ranks + rank : rank;
    bound[at] = (bound[at] ?? 0) + (isLate && event !== undefined ? event.stop - event.start : 1);
  }
  return { fates, bound };
}
