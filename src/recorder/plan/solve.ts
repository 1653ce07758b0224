import type { Placement, PlanRequest, Proof } from "../../model/plan.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { bestEvents } from "./best-events.ts";
import { layOut } from "./layout.ts";
import type { Optimizer } from "./optimizer.ts";
import { planAsBefore, planFromMoves, type ValuedPlan } from "./partial-plan.ts";
import { compare, worthOf } from "./plan-value.ts";
import { type Problem, problemOf } from "./problem.ts";
import { realize } from "./realize.ts";
import { type Budget, search } from "./search.ts";

/** The plan of one group of recordings that compete, and what is known of it. */
export interface Solution {
  readonly placements: readonly Placement[];
  readonly proof: Proof;
}

/** With the partial plans that were looked at for it. */
interface Solved extends Solution {
  readonly looks: number;
}

/** A plan of which it is known how good another one could be at most. */
interface BoundedPlan extends ValuedPlan {
  readonly proven: Proof["proven"];
  /** As a worth; by the aims that it knows. */
  readonly bound: Float64Array;
  readonly looks: number;
}

/** Nothing is known of what is possible. */
const UNBOUNDED = new Float64Array(0);

/** How far a search may go, and somebody who proves the first aims where that is not enough. */
export interface SolveOptions {
  readonly budget: Budget;
  readonly optimize?: Optimizer | undefined;
}

/**
 * The best plan for a group, by all the aims in their order, as far as the budget goes.
 *
 * First for the aims that depend on the kinds of tuners only; then, among all plans that are best by these, for the others.
 */
export function solve(
  group: readonly PlanRequest[],
  tuners: readonly TunerFacts[],
  options: SolveOptions,
): Solved {
  const problem = problemOf(group, tuners);
  const found = searched(problem, options.budget);
  const best = found.proven === "none" ? helped(problem, found, options) : found;
  return { placements: layOut(problem, best.moves), proof: proofOf(problem, best), looks: found.looks };
}

function searched(problem: Problem, budget: Budget): BoundedPlan {
  const asBefore = planAsBefore(problem);
  if (budget.looks === 0 && asBefore !== undefined)
    return { ...asBefore, proven: "none", bound: UNBOUNDED, looks: 0 };
  const rough = search(problem, { depth: "padding", budget });
  const fine = rough && search(problem, { depth: "all", budget, along: rough });
  if (rough === undefined || fine === undefined)
    throw new Error("a search that may leave out whatever it likes finds a plan");
  const looks = rough.looks + fine.looks;
  if (rough.isProven) return { ...fine, proven: fine.isProven ? "all" : "padding", looks };
  return { ...known(problem, better(fine, asBefore), rough.bound), looks };
}

function helped(problem: Problem, found: BoundedPlan, { budget, optimize }: SolveOptions): BoundedPlan {
  const events = optimize && bestEvents(problem, optimize);
  if (events === undefined) return found;
  const moves = realize(problem, events, budget);
  const walked = moves === undefined ? undefined : planFromMoves(problem, moves);
  return { ...known(problem, better(found, walked), events.bound), looks: found.looks };
}

function better(one: ValuedPlan, other: ValuedPlan | undefined): ValuedPlan {
  return other !== undefined && compare(other.value, one.value, one.value.length) > 0 ? other : one;
}

function known(
  { priorities }: Problem,
  { moves, value }: ValuedPlan,
  bound: Float64Array,
): Omit<BoundedPlan, "looks"> {
  const isReached = compare(value, bound, 2 * priorities.length) >= 0;
  return { moves, value, bound, proven: isReached ? "events" : "none" };
}

function proofOf({ wishes, priorities, jobs }: Problem, { value, bound, proven }: BoundedPlan): Proof {
  const recordingIds = wishes.map(({ recordingId }) => recordingId);
  const worth = worthOf(value, priorities);
  if (proven !== "none") return { recordingIds, proven, worth };
  const wholeAtMost = priorities.map((_, rank) =>
    Math.min(
      bound[rank] ?? Number.POSITIVE_INFINITY,
      jobs.filter((job) => job.rank === rank && !job.isLate).length,
    ),
  );
  return { recordingIds, proven, worth, wholeAtMost };
}
