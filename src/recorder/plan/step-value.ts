import { AVOIDED, HOPE, ORDER, PADDING, STAYED, TUNINGS, WEAK } from "./plan-value.ts";
import type { Job, Problem } from "./problem.ts";
import { dropUnreachable, EMPTY, type Lane, type Step } from "./tuner-lane.ts";

/** Adds what a recording gains by a step, and what others lose. */
export function addStepValue(
  value: Float64Array,
  {
    job,
    step,
    tuner,
    ranks,
    jobs,
  }: {
    readonly job: Job;
    readonly step: Step;
    readonly tuner: number;
    readonly ranks: number;
    readonly jobs: readonly Job[];
  },
): void {
  const add = (at: number, by: number) => {
    value[at] = (value[at] ?? 0) + by;
  };
  if (job.doubtful[tuner] === true) add(2 * ranks + HOPE, job.weight * lengthOf(job.event));
  else if (job.isLate) add(ranks + job.rank, lengthOf(job.event));
  else if (!job.held) add(job.rank, 1);
  for (const cut of step.cuts) {
    const other = jobs[cut.job] as Job;
    if (other.doubtful[tuner] === true) {
      add(2 * ranks + HOPE, other.weight * (cut.was - cut.begin));
      continue;
    }
    const wasWhole = cut.was === other.event.start && !other.isLate;
    if (wasWhole) add(other.rank, -1);
    add(ranks + other.rank, (wasWhole ? other.event.stop : cut.was) - cut.begin);
  }
  add(2 * ranks + AVOIDED, -(job.avoid[tuner] ?? 0));
  add(2 * ranks + WEAK, -(job.weak[tuner] ?? 0));
  add(2 * ranks + PADDING, step.paddingMs);
  if (job.had === tuner) add(2 * ranks + STAYED, 1);
  if (!step.shares) add(2 * ranks + TUNINGS, -1);
  if (!job.held) add(2 * ranks + ORDER, -tuner);
}

/** The lanes after a step, without the unreachable part. Adds the padding that is now certain to `value`. */
export function trimLanes(
  lanes: readonly Lane[],
  {
    tuner,
    lane,
    reach,
    problem,
    value,
  }: {
    readonly tuner?: number;
    readonly lane?: Lane;
    readonly reach: number;
    readonly problem: Problem;
    readonly value: Float64Array;
  },
): readonly Lane[] {
  const { jobs, tuners, priorities } = problem;
  const at = 2 * priorities.length + PADDING;
  return lanes.map((before, index) => {
    const held = index === tuner && lane !== undefined ? lane : before;
    if (held === EMPTY) return held;
    const left = dropUnreachable(held, reach, { jobs, tuner: index, warmUpMs: tuners[index]?.warmUpMs ?? 0 });
    value[at] = (value[at] ?? 0) + left.paddingMs;
    return left.lane;
  });
}

function lengthOf({ start, stop }: { readonly start: number; readonly stop: number }): number {
  return stop - start;
}
