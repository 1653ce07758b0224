import { worthLength } from "./plan-value.ts";
import type { Job, Problem } from "./problem.ts";
import { type RemainingJobs, remainingJobsOf } from "./remaining-jobs.ts";
import { type Move, NOWHERE } from "./search.ts";
import { addStepValue, trimLanes } from "./step-value.ts";
import { EMPTY, type Lane, type Step, stepsOf } from "./tuner-lane.ts";

export interface ValuedPlan {
  readonly moves: readonly Move[];
  readonly value: Float64Array;
}

/** Builds a plan from given moves; `undefined` if they cannot be carried out. */
export function planFromMoves(problem: Problem, moves: readonly Move[]): ValuedPlan | undefined {
  return placeInTurn(problem, (index, { stepsOn }) => {
    const { tuner, before } = moves[index] ?? NOWHERE;
    const steps = stepsOn(tuner);
    const step = steps.find((each) => each.before === before) ?? steps[0];
    return step && { tuner, step };
  });
}

/** The previous plan, except that new recordings, and those that it would cut, go where there is room. */
export function planAsBefore(problem: Problem): ValuedPlan | undefined {
  const { jobs, tuners } = problem;
  const all = tuners.map((_, tuner) => tuner);
  const running = tuners.map((_, tuner) => jobs.filter(({ forced, may }) => forced && may[tuner] === true));
  const isTaken = ({ event, multiplex, gapMs }: Job, tuner: number) =>
    running[tuner]?.some(
      (one) => one.multiplex !== multiplex && one.event.stop + (gapMs[tuner] ?? 0) > event.start,
    ) === true;
  const isRunning = ({ event, multiplex }: Job, tuner: number) =>
    running[tuner]?.some((one) => one.multiplex === multiplex && one.event.stop > event.start) === true;
  return placeInTurn(problem, (index, { lanes, stepsOn }) => {
    const job = jobs[index] as Job;
    const { had, forced, multiplex } = job;
    // Tuners that already hold the multiplex come first, and those that would end it late do not come at all.
    const rank = (tuner: number) => holding(lanes[tuner], multiplex) + (isRunning(job, tuner) ? 2 : 0);
    const free = () => all.filter((tuner) => !isTaken(job, tuner)).toSorted((a, b) => rank(b) - rank(a));
    const roomOn = (order: readonly number[]): Choice | undefined => {
      let first: Choice | undefined;
      for (const tuner of order) {
        const open = stepsOn(tuner).filter(({ cuts }) => forced || cuts.length === 0);
        const shared = open.find(({ shares }) => shares && !forced);
        if (shared !== undefined) return { tuner, step: shared };
        const [step] = open;
        if (step === undefined) continue;
        first ??= { tuner, step };
        if (forced || holding(lanes[tuner], multiplex) === 0) break;
      }
      return first;
    };
    if (forced) return roomOn(all);
    if (had < 0 || isTaken(job, had)) return roomOn(free());
    const room = roomOn([had]) ?? roomOn(free());
    // Without room anywhere, it stays, and something is cut.
    const [cut] = room === undefined ? stepsOn(had) : [];
    return cut === undefined ? room : { tuner: had, step: cut };
  });
}

function holding(lane: Lane | undefined, multiplex: string | undefined): number {
  return lane !== undefined && lane.front.length > 0 && lane.multiplex === multiplex ? 1 : 0;
}

interface Choice {
  readonly tuner: number;
  readonly step: Step;
}

/** A partial plan: the lanes of the tuners so far, and the ways to add the next recording. */
interface PartialPlan {
  readonly lanes: readonly Lane[];
  readonly stepsOn: (tuner: number) => readonly Step[];
}

/** Places the recordings one after the other; `choose` returns no step for a recording without a tuner. */
function placeInTurn(
  problem: Problem,
  choose: (index: number, stand: PartialPlan) => Choice | undefined,
): ValuedPlan | undefined {
  const { jobs, tuners, priorities } = problem;
  const rest = remainingJobsOf(problem);
  const value = new Float64Array(worthLength(priorities.length));
  const moves: Move[] = [];
  let lanes: readonly Lane[] = tuners.map(() => EMPTY);
  for (const [index, job] of jobs.entries()) {
    const stepsOn = (tuner: number): readonly Step[] => {
      if (job.may[tuner] !== true) return [];
      const warmUpMs = tuners[tuner]?.warmUpMs ?? 0;
      return stepsOf(lanes[tuner] ?? EMPTY, index, { jobs, tuner, warmUpMs });
    };
    const chosen = choose(index, { lanes, stepsOn });
    if (chosen === undefined && job.forced) return undefined;
    const { reach } = rest[index] as RemainingJobs;
    if (chosen !== undefined) addStepValue(value, { job, ...chosen, ranks: priorities.length, jobs });
    const step = chosen === undefined ? {} : { tuner: chosen.tuner, lane: chosen.step.lane };
    lanes = trimLanes(lanes, { ...step, reach, problem, value });
    moves.push(chosen === undefined ? NOWHERE : { tuner: chosen.tuner, before: chosen.step.before });
  }
  return { moves, value };
}
