import type { Placement, PlanRequest, Proof } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { EpochMs } from "../../model/time.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { bestEvents } from "./best-events.ts";
import { layOut } from "./layout.ts";
import type { Optimizer } from "./optimizer.ts";
import { planAsBefore, planFromMoves, type ValuedPlan } from "./partial-plan.ts";
import { compare, PADDING, roughLength, worthOf } from "./plan-value.ts";
import { type Problem, problemOf } from "./problem.ts";
import { realize } from "./realize.ts";
import { mostOf } from "./remaining-jobs.ts";
import { type Budget, NOWHERE, search } from "./search.ts";

/** The plan of one group of recordings that compete, and its proof. */
export interface Solution {
  readonly placements: readonly Placement[];
  readonly proof: Proof;
}

/** With the number of partial plans examined. */
interface Solved extends Solution {
  readonly looks: number;
}

/** A plan, and an upper bound on the value of any other. */
interface BoundedPlan extends ValuedPlan {
  readonly proven: Proof["proven"];
  /** A bound on the value; it covers only the aims it was computed for. */
  readonly bound: Float64Array;
  readonly looks: number;
}

/** Smaller groups are always searched, so that their last aims are best, too. */
const MANY = 16;
/** No bound is known. */
const UNBOUNDED = new Float64Array(0);

/** The limits of a search, and an optimizer that proves the first aims if the search cannot. */
export interface SolveOptions {
  readonly budget: Budget;
  readonly optimize?: Optimizer | undefined;
  readonly decided?: Decided;
}

/** The recorded part of each recording that gets a tuner, if that is decided. */
export interface Decided {
  readonly begins: ReadonlyMap<RecordingId, EpochMs>;
  /** A tuner for each of them: its index. */
  readonly tuners: ReadonlyMap<RecordingId, number>;
  /** Whether better tuners are looked for. */
  readonly seeksTuners: boolean;
}

/**
 * The best plan for a group, by all aims in their order, within the budget.
 *
 * It first optimizes the aims that depend only on the kinds of tuners; then, among all plans that are best by these, the others.
 */
export function solve(
  group: readonly PlanRequest[],
  tuners: readonly TunerFacts[],
  options: SolveOptions,
): Solved {
  const problem = problemOf(group, tuners);
  const decided = options.decided && decidedPlan(problem, { ...options, decided: options.decided });
  const found = decided ?? planBySearch(problem, options.budget);
  const best = found.proven === "none" ? optimized(problem, found, options) : found;
  return { placements: layOut(problem, best.moves), proof: proofOf(problem, best), looks: found.looks };
}

function planBySearch(problem: Problem, budget: Budget): BoundedPlan {
  const asBefore = planAsBefore(problem);
  // Most changes of a long chain have room beside all that was planned before.
  if (asBefore !== undefined && problem.jobs.length > MANY && isPerfect(problem, asBefore))
    return { ...asBefore, proven: "padding", bound: asBefore.value, looks: 0 };
  if (budget.looks === 0 && asBefore !== undefined)
    return { ...asBefore, proven: "none", bound: UNBOUNDED, looks: 0 };
  const rough = search(problem, { depth: "padding", budget });
  const fine = rough && search(problem, { depth: "all", budget, restrictTo: rough });
  if (rough === undefined || fine === undefined)
    throw new Error("a search that may leave out whatever it likes finds a plan");
  const looks = rough.looks + fine.looks;
  if (rough.isProven) return { ...fine, proven: fine.isProven ? "all" : "padding", looks };
  return { ...boundedPlan(problem, better(fine, asBefore), rough.bound), looks };
}

/** All events are whole, on good tuners, with all their padding. */
function isPerfect({ priorities, ...problem }: Problem, { value }: ValuedPlan): boolean {
  const most = mostOf({ priorities, ...problem });
  return compare(value, most, roughLength(priorities.length)) >= 0;
}

function decidedPlan(
  problem: Problem,
  { decided: { begins, tuners, seeksTuners }, budget }: SolveOptions & { readonly decided: Decided },
): BoundedPlan | undefined {
  const moves = problem.requests.map(({ recordingId, runningOnTuner }, index) => {
    const forced = runningOnTuner === undefined ? undefined : problem.jobs[index]?.may.indexOf(true);
    return { tuner: forced ?? tuners.get(recordingId) ?? NOWHERE.tuner, before: -1 };
  });
  const fates = problem.requests.map(({ recordingId, runningOnTuner, event }) => {
    const begin = runningOnTuner === undefined ? begins.get(recordingId) : event.start;
    return begin === undefined ? undefined : { begin };
  });
  const given = planFromMoves(problem, moves);
  const sought = seeksTuners ? realize(problem, { fates }, budget) : undefined;
  const found = sought && planFromMoves(problem, sought);
  const best = given === undefined ? found : better(given, found);
  return best && { ...best, proven: "none", bound: UNBOUNDED, looks: 0 };
}

function optimized(problem: Problem, found: BoundedPlan, { budget, optimize }: SolveOptions): BoundedPlan {
  const events = optimize && bestEvents(problem, optimize);
  if (events === undefined) return found;
  const moves = realize(problem, events, budget);
  const walked = moves === undefined ? undefined : planFromMoves(problem, moves);
  return { ...boundedPlan(problem, better(found, walked), events.bound), looks: found.looks };
}

function better(one: ValuedPlan, other: ValuedPlan | undefined): ValuedPlan {
  return other !== undefined && compare(other.value, one.value, one.value.length) > 0 ? other : one;
}

function boundedPlan(
  { priorities }: Problem,
  { moves, value }: ValuedPlan,
  bound: Float64Array,
): Omit<BoundedPlan, "looks"> {
  const isReached = compare(value, bound, 2 * priorities.length) >= 0;
  return { moves, value, bound, proven: isReached ? "events" : "none" };
}

function proofOf({ requests, priorities, jobs }: Problem, { value, bound, proven }: BoundedPlan): Proof {
  const recordingIds = requests.flatMap(({ recordingId, isHeld }) => (isHeld === true ? [] : [recordingId]));
  const worth = worthOf(withoutHeld(value, { jobs, priorities }), priorities);
  if (proven !== "none") return { recordingIds, proven, worth };
  const wholeAtMost = priorities.map((_, rank) =>
    Math.min(
      bound[rank] ?? Number.POSITIVE_INFINITY,
      jobs.filter((job) => job.rank === rank && !job.isLate && !job.held).length,
    ),
  );
  return { recordingIds, proven, worth, wholeAtMost };
}

/** Held recordings have their padding in their own link: here they can only lose some of it. */
function withoutHeld(
  value: Float64Array,
  { jobs, priorities }: Pick<Problem, "jobs" | "priorities">,
): Float64Array {
  const own = value.slice();
  const at = 2 * priorities.length + PADDING;
  for (const { held, window, event } of jobs)
    if (held) own[at] = (own[at] ?? 0) - (window.stop - window.start) + (event.stop - event.start);
  return own;
}
