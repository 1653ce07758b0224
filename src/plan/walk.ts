import { EMPTY, type Lane, type Step, stepsOf } from "./lane.ts";
import type { Problem } from "./problem.ts";
import { gain, type Move, NOWHERE, type Rest, restsOf, settled } from "./search.ts";
import { worthLength } from "./worth.ts";

/** One plan, and what it is worth. */
export interface Walked {
  readonly moves: readonly Move[];
  readonly value: Float64Array;
}

/** A plan that was found otherwise; `undefined` where it cannot be carried out. */
export function walkAlong(problem: Problem, moves: readonly Move[]): Walked | undefined {
  return walk(problem, (index, steps) => {
    const { tuner, before } = moves[index] ?? NOWHERE;
    const open = steps.filter((each) => each.tuner === tuner);
    return open.find(({ step }) => step.before === before) ?? open[0];
  });
}

/** The plan before, and whatever is new where there is room for it. */
export function walkAsBefore(problem: Problem): Walked | undefined {
  const { jobs } = problem;
  return walk(problem, (index, steps) => {
    const { had = -1, forced = false } = jobs[index] ?? {};
    if (forced) return steps[0];
    const wanted = had < 0 ? steps.filter(({ step }) => step.cuts.length === 0) : steps;
    const open = wanted.filter(({ tuner }) => had < 0 || tuner === had);
    return open.find(({ step }) => step.shares) ?? open[0];
  });
}

interface Open {
  readonly tuner: number;
  readonly step: Step;
}

/** One partial plan after the other; whatever it does not choose goes nowhere. */
function walk(
  problem: Problem,
  choose: (index: number, steps: readonly Open[]) => Open | undefined,
): Walked | undefined {
  const { jobs, tuners, priorities } = problem;
  const rest = restsOf(problem);
  const value = new Float64Array(worthLength(priorities.length));
  const moves: Move[] = [];
  let lanes: readonly Lane[] = tuners.map(() => EMPTY);
  for (const [index, job] of jobs.entries()) {
    const steps = tuners.flatMap(({ warmUpMs }, tuner): readonly Open[] => {
      if (job.may[tuner] !== true) return [];
      return stepsOf(lanes[tuner] ?? EMPTY, index, { jobs, tuner, warmUpMs }).map((step) => ({
        tuner,
        step,
      }));
    });
    const chosen = choose(index, steps);
    if (chosen === undefined && job.forced) return undefined;
    const { reach } = rest[index] as Rest;
    if (chosen !== undefined) gain(value, { job, ...chosen, ranks: priorities.length, jobs });
    const step = chosen === undefined ? {} : { tuner: chosen.tuner, lane: chosen.step.lane };
    lanes = settled(lanes, { ...step, reach, problem, value });
    moves.push(chosen === undefined ? NOWHERE : { tuner: chosen.tuner, before: chosen.step.before });
  }
  return { moves, value };
}
