import type { PlanRequest } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { groupKey, keysOf } from "./group-key.ts";
import { compareWorth } from "./plan-value.ts";
import { keptObjects } from "./same-answer.ts";
import { sameItems } from "./same-items.ts";
import type { Solution } from "./solve.ts";
import type { ChainLink, GroupSolution, PlanningTask } from "./solve-group.ts";

/** The solution of a group, and where it comes from. */
export interface FinishedGroup {
  readonly tuners: readonly TunerFacts[];
  readonly answer: GroupSolution;
  /** Some recording that a tuner could receive is not whole. */
  readonly lacks: boolean;
}

/** More than the repeats that are tried for one plan. */
const CHAINS_ALIKE = 40;

/** The best plan for a link of a chain may be too little for the same recordings by themselves. */
export type Role = "group" | "link";

/** The solutions of earlier plans, by content: an unchanged group costs no search. */
export interface SolutionCache {
  /** Groups that need no further work. Most groups are unchanged since the previous plan. */
  readonly finished: WeakMap<PlanningTask["group"], FinishedGroup>;
  /** The latest solution for this group and its previous plan. */
  solution(task: PlanningTask): GroupSolution | undefined;
  store(task: PlanningTask, answer: GroupSolution): void;
  /** A solution that another planner found, whatever the previous plan was; `undefined` if there is none that is better. */
  learned(task: PlanningTask, as: Role): { readonly answer: GroupSolution | undefined } | undefined;
  learn(task: PlanningTask, answer: GroupSolution | undefined, as: Role): void;
  /** Whether another planner has answered about this link in any chain. */
  hasLearned(task: PlanningTask): boolean;
  /** Whether another planner has thought through exactly this chain. */
  isThoughtThrough(keys: ChainKeys): boolean;
  thoughtThrough(keys: ChainKeys): void;
  /** Whether each recording has been in some solution: a group with any other one needs no lookup. */
  knowsAll(group: readonly PlanRequest[]): boolean;
  evict(most: { readonly groups: number; readonly recordings: number }): void;
}

/** All that the plan of a chain depends on, except the previous plan: a key for each link. */
export type ChainKeys = readonly string[];

export function chainKeysOf(
  links: readonly Pick<ChainLink, "requests">[],
  tuners: readonly TunerFacts[],
): ChainKeys {
  return links.map(({ requests }) => keysOf(requests, tuners).lasting);
}

export function createSolutionCache(): SolutionCache {
  const solutions = new Map<string, GroupSolution>();
  const learned = {
    group: new Map<string, GroupSolution | undefined>(),
    link: new Map<string, GroupSolution | undefined>(),
  };
  /** By their first key: a chain, and the same with a recording at one of its repeats. */
  const chains = new Map<string, readonly ChainKeys[]>();
  const recordings = new Set<RecordingId>();
  const finished: SolutionCache["finished"] = new WeakMap();
  const note = (group: readonly PlanRequest[]) => {
    for (const { recordingId } of group) recordings.add(recordingId);
  };
  return {
    finished,
    solution: ({ group, tuners }) => {
      const key = keysOf(group, tuners).full;
      const known = solutions.get(key);
      if (known !== undefined) putLast(solutions, key, known);
      return known;
    },
    store: ({ group, tuners }, answer) => {
      const { full, lasting } = keysOf(group, tuners);
      note(group);
      putLast(solutions, full, answer);
      // With this plan as the previous one, the same plan is the best again.
      putLast(solutions, groupKey(lasting, withPlacements(group, answer)), answer);
    },
    learned: ({ group, tuners }, as) => {
      const key = keysOf(group, tuners).lasting;
      if (!learned[as].has(key)) return undefined;
      const answer = learned[as].get(key);
      putLast(learned[as], key, answer);
      return { answer };
    },
    learn: ({ group, tuners }, answer, as) => {
      const { full, lasting } = keysOf(group, tuners);
      note(group);
      finished.delete(group);
      const known = solutions.get(full);
      const isWorse = answer !== undefined && known !== undefined && isBetter(known, answer);
      const kept = answer === undefined || isWorse ? undefined : keptObjects(answer, known);
      putLast(learned[as], lasting, kept);
    },
    hasLearned: ({ group, tuners }) => learned.link.has(keysOf(group, tuners).lasting),
    isThoughtThrough: ([first = "", ...rest]) =>
      chains.get(first)?.some((known) => sameItems(known, rest)) === true,
    thoughtThrough: ([first = "", ...rest]) => {
      const others = chains.get(first)?.filter((known) => !sameItems(known, rest)) ?? [];
      putLast(chains, first, [rest, ...others].slice(0, CHAINS_ALIKE));
    },
    knowsAll: (group) => group.every(({ recordingId }) => recordings.has(recordingId)),
    evict: (most) => {
      for (const memory of [solutions, learned.group, learned.link, chains]) evict(memory, most.groups);
      evict(recordings, most.recordings);
    },
  };
}

/** A chain's answers belong together: only the whole is better or worse. */
function isBetter(one: GroupSolution, other: GroupSolution): boolean {
  return other.isOfChain !== true && compareWorth(one.proof.worth, other.proof.worth) > 0;
}

/** Moves an entry to the end: the last entry was used most recently. */
function putLast<T>(memory: Map<string, T>, key: string, value: T): void {
  memory.delete(key);
  memory.set(key, value);
}

function evict(memory: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of memory.keys()) {
    if (memory.size <= most) return;
    memory.delete(key);
  }
}

function withPlacements(group: readonly PlanRequest[], { placements }: Solution): readonly PlanRequest[] {
  const tunerOf = new Map<RecordingId, string | undefined>(
    placements.map((one) => [one.recordingId, one.kind === "placed" ? one.tunerId : undefined]),
  );
  return group.map(({ previousTuner: _before, ...request }) => {
    const previousTuner = request.runningOnTuner === undefined ? tunerOf.get(request.recordingId) : undefined;
    return previousTuner === undefined ? request : { ...request, previousTuner };
  });
}
