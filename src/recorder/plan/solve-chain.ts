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
import { problemOf, relaxedProblemOf } from "./problem.ts";
import type { Decided } from "./solve.ts";
import { type ChainLink, type GroupSolution, LINK_BUDGET, solveGroup, unplanned } from "./solve-group.ts";

/** The best events of the whole chain. */
interface Target extends Omit<Decided, "seeksTuners"> {
  /** No plan is better by the first aims. */
  readonly most: Worth;
}

/** A way to plan the links of a chain again. */
type Way =
  /** All recordings stay on their previous tuners. */
  | { readonly kind: "stay" }
  /** The links are searched, with or without those whose answer was final. */
  | { readonly kind: "search"; readonly keepsFinal: boolean }
  /** Links record what the optimizer gives them: those that record something else, or all. */
  | { readonly kind: "target"; readonly which: "lagging" | "all"; readonly seeksTuners: boolean };

/** Until a plan reaches the best events. */
const WAYS: readonly Way[] = [
  { kind: "target", which: "lagging", seeksTuners: true },
  { kind: "target", which: "all", seeksTuners: false },
  { kind: "target", which: "all", seeksTuners: true },
  { kind: "search", keepsFinal: true },
  { kind: "stay" },
  { kind: "search", keepsFinal: false },
];
/** The events are the best already; other aims may not be. */
const TO_POLISH: Way = { kind: "search", keepsFinal: true };

interface ChainOptions {
  readonly tuners: readonly TunerFacts[];
  readonly optimize: Optimizer;
}

/**
 * Improves the plan of a chain. The optimizer looks at all links at once, so it knows the most that any plan can reach. Links are
 * planned again until a plan reaches that; the result is never worse than the plan so far.
 */
export function solveChain(links: readonly ChainLink[], options: ChainOptions): readonly GroupSolution[] {
  const target = targetOf(links, options);
  const before: readonly PlannedLink[] = links.map(({ requests, answer }) => ({ requests, answer }));
  const isReached = (plan: readonly PlannedLink[]) =>
    target !== undefined && compareEvents(worthIn(plan), target.most) === 0;
  let best = before;
  const tries = (way: Way) => {
    if (way.kind === "target" && target === undefined) return;
    const plan = replanned(links, { ...options, target, way });
    if (compareWorth(worthIn(plan), worthIn(best)) > 0) best = plan;
  };
  if (isReached(best)) tries(TO_POLISH);
  else for (const way of WAYS) if (!isReached(best)) tries(way);
  return best.map(({ requests, answer }) => answerInChain(answer, { requests, isProven: isReached(best) }));
}

function worthIn(plan: readonly PlannedLink[]): Worth {
  return sumOfWorths(plan.map(({ answer }) => answer.proof.worth));
}

function targetOf(links: readonly ChainLink[], { tuners, optimize }: ChainOptions): Target | undefined {
  const all = links.flatMap(({ requests }) => requests);
  const relaxed = relaxedProblemOf(all, tuners);
  const strict = problemOf(all, tuners);
  const found = chainEvents({ relaxed, strict }, optimize);
  if (found === undefined) return undefined;
  const { fates, bound } = found;
  const moves = forwardMoves(strict, { fates, kinds: relaxed.kinds });
  const begins = new Map<RecordingId, EpochMs>();
  const tunerOf = new Map<RecordingId, number>();
  for (const [index, { recordingId }] of relaxed.requests.entries()) {
    const { begin } = fates[index] ?? {};
    if (begin !== undefined) begins.set(recordingId, begin);
    tunerOf.set(recordingId, moves[index]?.tuner ?? -1);
  }
  return { begins, tuners: tunerOf, most: worthOf(bound, relaxed.priorities) };
}

function replanned(
  links: readonly ChainLink[],
  { tuners, target, way }: ChainOptions & { readonly target: Target | undefined; readonly way: Way },
): readonly PlannedLink[] {
  const known = new Map(links.map((link) => [keysOf(link.task, tuners).lasting, link]));
  const answerFor = (group: readonly PlanRequest[]): GroupSolution => {
    const same = known.get(keysOf(group, tuners).lasting);
    return answerTo(group, { tuners, same, target, way });
  };
  return planLinks(
    links.map(({ requests }) => requests),
    { warmUpMs: warmUpMost(tuners), answerFor, unplanned },
  );
}

function answerTo(
  group: readonly PlanRequest[],
  {
    tuners,
    same,
    target,
    way,
  }: Pick<ChainOptions, "tuners"> & {
    /** The link with the same task in the plan so far. */
    readonly same: ChainLink | undefined;
    readonly target: Target | undefined;
    readonly way: Way;
  },
): GroupSolution {
  const limits = { budget: LINK_BUDGET, remediesUpTo: 0 };
  const task = { group, tuners };
  if (way.kind === "stay")
    return solveGroup(task, { ...limits, budget: { ...LINK_BUDGET, looks: 0 } }).answer;
  if (way.kind === "target" && target !== undefined) {
    const { which, seeksTuners } = way;
    const lags = same === undefined || compareEvents(same.answer.proof.worth, shareOf(group, target)) !== 0;
    if (which === "all" || lags)
      return solveGroup(task, { ...limits, decided: { ...target, seeksTuners } }).answer;
  }
  if (same?.isFinal === true && !(way.kind === "search" && !way.keepsFinal)) return same.answer;
  return better(same?.answer, solveGroup(task, limits).answer);
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
