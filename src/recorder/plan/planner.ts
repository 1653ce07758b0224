import type { Part, Plan, PlanRequest } from "../../model/plan.ts";
import { type TunerFacts, warmUpMost } from "../../model/tuner.ts";
import { groupsOf } from "./groups.ts";
import { type PlannedLink, partsOf } from "./make-parts.ts";
import { planChain } from "./plan-chain.ts";
import { planLinks } from "./plan-links.ts";
import { createTurn } from "./planning-turn.ts";
import { type Planned, repeatRemedies } from "./repeats.ts";
import { keptObjects } from "./same-answer.ts";
import { sameItems } from "./same-items.ts";
import { chainKeysOf, createSolutionCache, type SolutionCache } from "./solution-cache.ts";
import {
  asProvisional,
  type ChainLink,
  type GroupSolution,
  type PlannerOptions,
  type PlanningTask,
  STANDALONE,
  unplanned,
} from "./solve-group.ts";

/** Makes plans and caches them: an unchanged group costs no search. */
export interface Planner {
  plan(requests: readonly PlanRequest[], tuners: readonly TunerFacts[]): Plan;
  /**
   * The plan for readers: it plans little of a backlog, and nothing while the previous plan is incomplete. It then returns the
   * plan so far.
   */
  preview(requests: () => readonly PlanRequest[], tuners: readonly TunerFacts[]): Plan;
  /** The provisional groups of the latest plan, the earliest first; better solutions are expected through `learn`. */
  pendingGroups(): readonly PlanningTask[];
  /** Stores the final solution of a group, or of the links of a chain; `undefined` keeps the present one. */
  learn(task: PlanningTask, answers: readonly GroupSolution[] | undefined): void;
}

/** Limit on unknown recordings planned for a preview. */
const PREVIEW_FRESH_MOST = 25;
/** Groups cached beyond those of the latest plan. */
const CACHED_GROUPS = 1000;

export function createPlanner(options: PlannerOptions = STANDALONE): Planner {
  const cache = createSolutionCache();
  let open: readonly PlanningTask[] = [];
  let latest: (PlanningTask & { readonly plan: Plan }) | undefined;
  /** A later plan can be better or more complete than the latest one. */
  let isOutdated = false;

  /** Plan requests are values: identical ones, as at each heartbeat, need no new plan. */
  function unchangedPlan(requests: readonly PlanRequest[], tuners: readonly TunerFacts[]): Plan | undefined {
    return latest?.tuners === tuners && sameItems(latest.group, requests) ? latest.plan : undefined;
  }

  function replan(group: readonly PlanRequest[], tuners: readonly TunerFacts[], freshMost: number): Plan {
    const made = makePlan(group, { tuners, freshMost, options, cache });
    open = made.open;
    latest = { group, tuners, plan: made.plan };
    // The remaining groups are planned next time.
    isOutdated = leavesSome(made.plan);
    return made.plan;
  }

  return {
    plan: (requests, tuners) => {
      const before = isOutdated ? undefined : unchangedPlan(requests, tuners);
      return before ?? replan(requests, tuners, options.freshMost);
    },
    preview: (requestsNow, tuners) => {
      if (latest?.tuners === tuners && leavesSome(latest.plan)) return latest.plan;
      const requests = requestsNow();
      return (
        unchangedPlan(requests, tuners) ??
        replan(requests, tuners, Math.min(PREVIEW_FRESH_MOST, options.freshMost))
      );
    },
    pendingGroups: () => open,
    learn: (task, answers) => {
      isOutdated = true;
      const { links, ...alone } = task;
      const same = open.filter((other) => other === task || isSameChain(other, task));
      if (links === undefined) cache.learn(alone, answers?.[0], "group");
      // A chain that has changed meanwhile is asked again: what was given up for one link may gain nothing there any more.
      else if (same.length > 0) learnChain(cache, { ...task, links }, answers);
      open = open.filter((other) => !same.includes(other));
    },
  };
}

function isSameChain(a: PlanningTask, b: PlanningTask): boolean {
  if (a.links === undefined || b.links === undefined) return false;
  return sameItems(chainKeysOf(a.links, a.tuners), chainKeysOf(b.links, b.tuners));
}

function learnChain(
  cache: SolutionCache,
  { tuners, links, isTrial = false }: PlanningTask & { readonly links: readonly ChainLink[] },
  answers: readonly GroupSolution[] | undefined,
): void {
  let made = 0;
  if (answers !== undefined)
    planLinks(
      links.map(({ requests }) => requests),
      {
        warmUpMs: warmUpMost(tuners),
        answerFor: (group, link) => {
          const answer = keptObjects(answers[made] ?? unplanned(link), links[made]?.answer);
          made += 1;
          // A trial changes nothing in the links that it shares with the chain itself.
          if (!isTrial || !cache.hasLearned({ group, tuners }))
            cache.learn({ group, tuners }, answer, "link");
          return answer;
        },
        unplanned,
      },
    );
  cache.thoughtThrough(chainKeysOf(links, tuners));
}

interface PlanWork extends Pick<PlanningTask, "tuners"> {
  readonly freshMost: number;
  readonly options: PlannerOptions;
  readonly cache: SolutionCache;
}

function makePlan(
  requests: readonly PlanRequest[],
  { tuners, freshMost, options, cache }: PlanWork,
): { readonly plan: Plan; readonly open: readonly PlanningTask[] } {
  const { groups, apart, lost, hasRepeats, warmUpMs } = groupsOf(requests, tuners);
  const open: PlanningTask[] = [];
  const turn = createTurn({ cache, options, tuners, freshMost });
  const linksFor = (group: readonly PlanRequest[], isTrial: boolean): readonly PlannedLink[] => {
    if (group.length > options.linkSize.most) {
      const chain = planChain(group, { tuners, warmUpMs, options, cache, turn });
      if (chain.open !== undefined) open.push({ ...chain.open, isTrial });
      return chain.links;
    }
    const { answer, isFinal } = turn.answerFor(group, "group");
    if (isFinal) return [{ requests: group, answer }];
    open.push({ group, tuners });
    return [{ requests: group, answer: asProvisional(answer) }];
  };
  const first = groups.map((group) => linksFor(group, false));
  // A preview looks for no remedies.
  const seeks = hasRepeats && (options.hasHelper || options.remediesUpTo > 0);
  const repeats = seeks
    ? repeatRemedies({ planned: first.flat().map(asPlanned), lost, tuners, warmUpMs }, (group) =>
        asWhole(linksFor(group, true)),
      )
    : NO_REPEATS;
  const isOpen = ({ proof }: GroupSolution) => proof.recordingIds.some((id) => repeats.open.has(id));
  const chains =
    repeats.open.size === 0
      ? first
      : first.map((links) =>
          links.map((link) => (isOpen(link.answer) ? { ...link, answer: asProvisional(link.answer) } : link)),
        );
  const parts = chains.flatMap((links) => partsOf(links, repeats.remedies));
  cache.evict({
    groups: CACHED_GROUPS + 2 * parts.length,
    recordings: CACHED_GROUPS + 2 * requests.length,
  });
  const alone = partApart(apart);
  const answers = chains.flat().map(({ answer }) => answer);
  const plan = {
    parts,
    apart: alone,
    placements: [...parts.flatMap(({ placements }) => placements), ...alone.placements],
    remedies: [...repeats.remedies, ...answers.flatMap(({ remedies }) => remedies)],
    groups: answers.map(({ proof }) => proof),
  };
  return { plan, open };
}

/** Recordings on tuners that are no longer configured stay where they are. */
function partApart(requests: readonly PlanRequest[]): Part {
  const placements = requests.map(({ recordingId, runningOnTuner = "", window, event }) => {
    const { start: begin } = event;
    return { kind: "placed" as const, recordingId, tunerId: runningOnTuner, span: window, begin, seamMs: 0 };
  });
  return { requests, placements, remedies: [] };
}

/** Whether some groups wait for the next plan. */
function leavesSome({ parts }: Plan): boolean {
  return parts.some(({ requests, placements }) => placements.length < requests.length);
}

const NO_REPEATS: ReturnType<typeof repeatRemedies> = { remedies: [], open: new Set() };

function asPlanned({ requests, answer: { placements, proof } }: PlannedLink): Planned {
  return { group: requests, placements, isOpen: proof.provisional === true };
}

function asWhole(links: readonly PlannedLink[]): Omit<Planned, "group"> {
  return {
    placements: links.flatMap(({ answer }) => answer.placements),
    isOpen: links.some(({ answer }) => answer.proof.provisional === true),
  };
}
