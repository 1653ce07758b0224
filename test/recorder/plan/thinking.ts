import type { Plan, PlanRequest, Worth } from "../../../src/model/plan.ts";
import type { TunerFacts } from "../../../src/model/tuner.ts";
import type { Optimizer } from "../../../src/recorder/plan/optimizer.ts";
import { sumOfWorths } from "../../../src/recorder/plan/plan-value.ts";
import type { Planner } from "../../../src/recorder/plan/planner.ts";
import { solveChain } from "../../../src/recorder/plan/solve-chain.ts";
import {
  type GroupSolution,
  type PlannerOptions,
  type PlanningTask,
  solveGroup,
} from "../../../src/recorder/plan/solve-group.ts";

/** More rounds than any plan needs. */
const ROUNDS = 5;

/** Plans until all are planned, as the loop does in its turns. */
export function onLoop(
  planner: Planner,
  wishes: readonly PlanRequest[],
  tuners: readonly TunerFacts[],
): readonly Plan[] {
  const plans: Plan[] = [];
  do plans.push(planner.plan(wishes, tuners));
  while ((plans.at(-1)?.placements.length ?? 0) < wishes.length);
  return plans;
}

/** The answers of the planning thread. */
export function answersTo(
  { links, ...task }: PlanningTask,
  options: PlannerOptions & { readonly optimize: Optimizer },
): readonly GroupSolution[] {
  if (links === undefined) return [solveGroup(task, options).answer];
  return solveChain(links, { tuners: task.tuners, optimize: options.optimize });
}

/** The plan once the planning thread has answered all that was asked. */
export function thoughtThrough(
  planner: Planner,
  { wishes, tuners }: { readonly wishes: readonly PlanRequest[]; readonly tuners: readonly TunerFacts[] },
  options: PlannerOptions & { readonly optimize: Optimizer },
): Plan {
  for (let round = 0; round < ROUNDS; round += 1) {
    const plan = onLoop(planner, wishes, tuners).at(-1) as Plan;
    if (planner.pendingGroups().length === 0) return plan;
    for (const task of planner.pendingGroups()) planner.learn(task, answersTo(task, options));
  }
  throw new Error("the planner asks again and again");
}

export function worthIn({ groups }: Plan): Worth {
  return sumOfWorths(groups.map(({ worth }) => worth));
}

/** With the tuners of a plan as the previous ones. */
export function kept(wishes: readonly PlanRequest[], { placements }: Plan): readonly PlanRequest[] {
  const tunerOf = new Map(
    placements.map((one) => [one.recordingId, one.kind === "placed" ? one.tunerId : undefined]),
  );
  return wishes.map(({ previousTuner: _before, ...wish }) => {
    const tuner = wish.runningOnTuner === undefined ? tunerOf.get(wish.recordingId) : undefined;
    return tuner === undefined ? wish : { ...wish, previousTuner: tuner };
  });
}
