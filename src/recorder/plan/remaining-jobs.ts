import { HOPE, PADDING, STAYED, worthLength } from "./plan-value.ts";
import type { Job, Problem } from "./problem.ts";

/** Bounds on the recordings still to place. */
export interface RemainingJobs {
  /** The last end of a window. */
  readonly reach: number;
  /** The greatest possible further gain. */
  readonly may: Float64Array;
  /** Another recording with the same end may need the tuner, so leaving this one out may be better. */
  readonly mayTie: boolean;
}

export function remainingJobsOf(problem: Problem): readonly RemainingJobs[] {
  return remaining(problem).rest;
}

/** An upper bound on the value of any plan: all recordings get all that they want. */
export function mostOf(problem: Problem): Float64Array {
  return remaining(problem).all;
}

function remaining({ jobs, priorities }: Problem): {
  readonly rest: readonly RemainingJobs[];
  readonly all: Float64Array;
} {
  const ranks = priorities.length;
  const paddingMs = jobs.reduce((sum, { window, event }) => sum + lengthOf(window) - lengthOf(event), 0);
  const out: RemainingJobs[] = [];
  let reach = Number.NEGATIVE_INFINITY;
  const may = new Float64Array(worthLength(ranks));
  may[2 * ranks + PADDING] = paddingMs;
  for (let index = jobs.length - 1; index >= 0; index -= 1) {
    const job = jobs[index] as Job;
    out.push({ reach, may: may.slice(), mayTie: tieOf(jobs, index) });
    reach = Math.max(reach, job.window.stop);
    const term = job.isLate ? ranks + job.rank : job.rank;
    if (!job.held) may[term] = (may[term] ?? 0) + (job.isLate ? lengthOf(job.event) : 1);
    const hope = job.doubtful.includes(true) ? job.weight * lengthOf(job.event) : 0;
    may[2 * ranks + HOPE] = (may[2 * ranks + HOPE] ?? 0) + hope;
    may[2 * ranks + STAYED] = (may[2 * ranks + STAYED] ?? 0) + (job.had >= 0 ? 1 : 0);
  }
  return { rest: out.reverse(), all: may };
}

function tieOf(jobs: readonly Job[], index: number): boolean {
  const job = jobs[index] as Job;
  const gapMs = Math.max(0, ...job.gapMs);
  const isScarce = job.atOnce.some((most) => most < jobs.length);
  for (let other = index + 1; other < jobs.length; other += 1) {
    const { event, multiplex } = jobs[other] as Job;
    if (event.stop + gapMs < job.event.stop) return false;
    if (multiplex !== job.multiplex || isScarce) return true;
  }
  return false;
}

function lengthOf({ start, stop }: { readonly start: number; readonly stop: number }): number {
  return stop - start;
}
