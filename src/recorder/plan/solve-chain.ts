import type { PlanRequest, Worth } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { EpochMs } from "../../model/time.ts";
import { type TunerFacts, warmUpMost } from "../../model/tuner.ts";
import { chainEvents } from "./chain-events.ts";
import { answerInChain } from "./chain-proof.ts";
import { forwardMoves } from "./forward-moves.ts";
import { keysOf } from "./group-key.ts";
import type { PlannedLink } from "./make-parts.ts";
import type { Optimizer } from "./optimizer.ts";
import { planLinks } from "./plan-links.ts";
import { compareEvents, compareWorth, sumOfWorths, worthOf } from "./plan-value.ts";
import { problemOf } from "./problem.ts";
import { type ChainLink, type GroupSolution, LINK_BUDGET, solveGroup, unplanned } from "./solve-group.ts";

/** The best events of the whole chain. */
interface Target {
  readonly begins: ReadonlyMap<RecordingId, EpochMs>;
  readonly decided: ReadonlyMap<RecordingId, number>;
  /** No plan is better by the first aims. */
  readonly most: Worth;
}

interface ChainOptions {
  readonly tuners: readonly TunerFacts[];
}

/**
 * Improves the plan of a chain. The optimizer looks at all links at once, so it knows the most that any plan can reach. The links
 * that lag behind are planned again, the earliest first, and the result is never worse than the plan so far.
 */
export function solveChain(
  links: readonly ChainLink[],
  { tuners, optimize }: ChainOptions & { readonly optimize: Optimizer },
): readonly GroupSolution[] {
  const before: readonly PlannedLink[] = links.map(({ requests, answer }) => ({ requests, answer }));
  const target = targetOf(links, { tuners, optimize });
  const options = { tuners };
  const plans = [before, replanned(links, options)];
  const isReached = () => target !== undefined && plans.some((plan) => reaches(plan, target));
  for (const fates of ["lagging", "all"] as const)
    if (target !== undefined && !isReached()) plans.push(replanned(links, { ...options, target, fates }));
  let best = before;
  for (const plan of plans) if (compareWorth(worthIn(plan), worthIn(best)) > 0) best = plan;
  return best.map(({ requests, answer }) => answerInChain(answer, { requests, isProven: isReached() }));
}

function worthIn(plan: readonly PlannedLink[]): Worth {
  return sumOfWorths(plan.map(({ answer }) => answer.proof.worth));
}

function reaches(plan: readonly PlannedLink[], { most }: Target): boolean {
  return compareEvents(worthIn(plan), most) >= 0;
}

function targetOf(
  links: readonly ChainLink[],
  { tuners, optimize }: Pick<ChainOptions, "tuners"> & { readonly optimize: Optimizer },
): Target | undefined {
  const all = links.flatMap(({ requests }) => requests);
  // Every running recording would make a kind of its own of its tuner. Without them the bound holds all the more.
  const problem = problemOf(
    all.map(({ runningOnTuner: _running, ...request }) => request),
    tuners,
  );
  const found = chainEvents(problem, optimize);
  if (found === undefined) return undefined;
  const { fates, bound } = found;
  const moves = forwardMoves(problemOf(all, tuners), { fates, kinds: problem.kinds });
  const begins = new Map<RecordingId, EpochMs>();
  const decided = new Map<RecordingId, number>();
  for (const [index, { recordingId }] of problem.requests.entries()) {
    const { begin } = fates[index] ?? {};
    if (begin !== undefined) begins.set(recordingId, begin);
    decided.set(recordingId, moves[index]?.tuner ?? -1);
  }
  return { begins, decided, most: worthOf(bound, problem.priorities) };
}

function replanned(
  links: readonly ChainLink[],
  {
    tuners,
    target,
    fates,
  }: ChainOptions & {
    readonly target?: Target;
    /** The links that record what the optimizer gives them: those that record less, or all. */
    readonly fates?: "lagging" | "all";
  },
): readonly PlannedLink[] {
  const known = new Map(links.map((link) => [keysOf(link.task, tuners).lasting, link]));
  const limits = { budget: LINK_BUDGET, remediesUpTo: 0 };
  const answerFor = (group: readonly PlanRequest[]): GroupSolution => {
    const task = { group, tuners };
    const same = known.get(keysOf(group, tuners).lasting);
    if (target !== undefined) {
      const isLagging =
        same === undefined || compareEvents(same.answer.proof.worth, shareOf(group, target)) !== 0;
      if (fates === "all" || isLagging)
        return solveGroup(task, { ...limits, decided: target.decided }).answer;
    }
    if (same?.isFinal === true) return same.answer;
    return better(same?.answer, solveGroup(task, limits).answer);
  };
  return planLinks(
    links.map(({ requests }) => requests),
    { warmUpMs: warmUpMost(tuners), answerFor, unplanned },
  );
}

function better(one: GroupSolution | undefined, other: GroupSolution): GroupSolution {
  return one !== undefined && compareWorth(one.proof.worth, other.proof.worth) >= 0 ? one : other;
}

/** The part of the most possible that falls to a link. */
function shareOf(group: readonly PlanRequest[], { begins }: Target): Worth {
  const worths = group.flatMap((request): readonly Worth[] => {
    const { recordingId, event, isLate, isHeld, priority } = request;
    const begin = begins.get(recordingId);
    if (isHeld === true || begin === undefined) return [];
    const isWhole = !isLate && begin <= event.start;
    const value = Float64Array.of(isWhole ? 1 : 0, isWhole ? 0 : event.stop - begin);
    return [worthOf(value, [priority])];
  });
  return sumOfWorths(worths);
}
