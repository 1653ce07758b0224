import { oncePer } from "../../model/once-per.ts";
import type { Plan, PlanRequest } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import { type TunerFacts, warmUpMost } from "../../model/tuner.ts";
import { answerInChain } from "./chain-proof.ts";
import { groupKey, keysOf } from "./group-key.ts";
import { groupsOf } from "./groups.ts";
import { LINK_MOST, linksOf } from "./links.ts";
import { type PlannedLink, partsOf } from "./make-parts.ts";
import { planLinks } from "./plan-links.ts";
import { compareWorth } from "./plan-value.ts";
import { losers } from "./remedy.ts";
import { type Planned, repeatRemedies } from "./repeats.ts";
import { sameItems } from "./same-items.ts";
import type { Solution } from "./solve.ts";
import { solveChain } from "./solve-chain.ts";
import {
  type ChainLink,
  forLinks,
  type GroupSolution,
  type PlannerOptions,
  type PlanningTask,
  type SolvedGroup,
  STANDALONE,
  solveGroup,
  unplanned,
  within,
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

/** A plan of a group, and whether it may still improve. */
interface Answer {
  readonly answer: GroupSolution;
  readonly isFinal: boolean;
}

interface FinishedGroup {
  readonly tuners: readonly TunerFacts[];
  readonly answer: GroupSolution;
}

/** Limit on unknown recordings planned for a preview. */
const PREVIEW_FRESH_MOST = 25;
/** Groups cached beyond those of the latest plan. */
const CACHED_GROUPS = 1000;

export function createPlanner(options: PlannerOptions = STANDALONE): Planner {
  const solutions = new Map<string, GroupSolution>();
  /** Final solutions, whatever the previous plan was; `undefined` if there is no better one. */
  const finalSolutions = new Map<string, GroupSolution | undefined>();
  /** Groups that need no further work. Most groups are unchanged since the previous plan. */
  const finished = new WeakMap<PlanningTask["group"], FinishedGroup>();
  /** Recordings with a cached solution. A group with any other recording needs no lookup. */
  const solvedRecordings = new Set<RecordingId>();
  let open: readonly PlanningTask[] = [];
  let latest: (PlanningTask & { readonly plan: Plan }) | undefined;
  /** A later plan can be better or more complete than the latest one. */
  let isOutdated = false;

  function learn(task: PlanningTask, answers: readonly GroupSolution[] | undefined): void {
    isOutdated = true;
    open = open.filter((other) => other !== task);
    noteSolved(task.group);
    const { group, tuners, links = [{ requests: group, task: group }] } = task;
    const store = (about: readonly PlanRequest[], answer: GroupSolution | undefined) => {
      finished.delete(about);
      const known = solutions.get(keysOf(about, tuners).full);
      const isWorse = answer !== undefined && known !== undefined && isBetter(known, answer);
      putLast(finalSolutions, keysOf(about, tuners).lasting, isWorse ? undefined : answer);
    };
    if (answers === undefined) for (const link of links) store(link.task, undefined);
    else {
      let at = 0;
      const answerFor = (about: readonly PlanRequest[]) => {
        const answer = answers[at] ?? unplanned(about);
        at += 1;
        store(about, answer);
        return answer;
      };
      planLinks(
        links.map(({ requests }) => requests),
        { warmUpMs: warmUpMost(tuners), answerFor, unplanned },
      );
    }
  }

  /** Plan requests are values: identical ones, as at each heartbeat, need no new plan. */
  function unchangedPlan(requests: readonly PlanRequest[], tuners: readonly TunerFacts[]): Plan | undefined {
    return latest?.tuners === tuners && sameItems(latest.group, requests) ? latest.plan : undefined;
  }

  function replan(group: readonly PlanRequest[], tuners: readonly TunerFacts[], freshMost: number): Plan {
    const plan = makePlan(group, { tuners, freshMost });
    latest = { group, tuners, plan };
    // The remaining groups are planned next time.
    isOutdated = leavesSome(plan);
    return plan;
  }

  function noteSolved(group: readonly PlanRequest[]): void {
    for (const { recordingId } of group) solvedRecordings.add(recordingId);
  }

  function answerTo(
    task: PlanningTask,
    {
      key,
      lasting,
      looks,
      isLink,
    }: {
      readonly key: string;
      readonly lasting: string;
      readonly looks: number;
      readonly isLink: boolean;
    },
  ): SolvedGroup {
    const before = solutions.get(key);
    const found =
      before === undefined
        ? solveGroup(task, within(isLink ? forLinks(options) : options, looks))
        : { answer: before, looks: 0 };
    putLast(solutions, key, found.answer);
    if (before !== undefined) return found;
    noteSolved(task.group);
    // With this plan as the previous one, the same plan is the best again.
    putLast(solutions, groupKey(lasting, withPlacements(task.group, found.answer)), found.answer);
    return found;
  }

  function makePlan(
    requests: readonly PlanRequest[],
    { tuners, freshMost }: Pick<PlanningTask, "tuners"> & Pick<PlannerOptions, "freshMost">,
  ): Plan {
    const { groups, apart, lost, hasRepeats, warmUpMs } = groupsOf(requests, tuners);
    const provisional: PlanningTask[] = [];
    let left = options.looksMost;
    let fresh = 0;
    const answerFor = (group: readonly PlanRequest[], isLink: boolean): Answer => {
      const done = finished.get(group);
      if (done?.tuners === tuners) return { ...done, isFinal: true };
      if (fresh >= freshMost && !group.every(({ recordingId }) => solvedRecordings.has(recordingId)))
        return { answer: unplanned(group), isFinal: false };
      const { lasting, full: key } = keysOf(group, tuners);
      const better = finalSolutions.get(lasting);
      if (better !== undefined) {
        putLast(finalSolutions, lasting, better);
        finished.set(group, { tuners, answer: better });
        return { answer: better, isFinal: true };
      }
      const isFresh = !solutions.has(key);
      if (isFresh && fresh >= freshMost) return { answer: unplanned(group), isFinal: false };
      if (isFresh) fresh += group.length;
      const task = { group, tuners };
      const { answer, looks } = answerTo(task, {
        key,
        lasting,
        looks: group.length === 1 ? options.budget.looks : left,
        isLink,
      });
      left -= looks;
      const isFinal = !options.hasHelper || finalSolutions.has(lasting) || isSettled(task, answer);
      if (isFinal) finished.set(group, { tuners, answer });
      return { answer, isFinal };
    };
    const groupFor = (group: readonly PlanRequest[]): PlannedLink => {
      const { answer, isFinal } = answerFor(group, false);
      if (isFinal) return { requests: group, answer };
      provisional.push({ group, tuners });
      return { requests: group, answer: asProvisional(answer) };
    };
    const chainFor = (group: readonly PlanRequest[]): readonly PlannedLink[] => {
      const links: ChainLink[] = [];
      const planned = planLinks(linksOf(group), {
        warmUpMs,
        unplanned,
        answerFor: (task, requests) => {
          const { answer, isFinal } = answerFor(task, true);
          links.push({ requests, task, answer, isFinal });
          return answer;
        },
      });
      const { hasHelper, optimize } = options;
      if (!hasHelper && optimize !== undefined) {
        const answers = solveChain(links, { ...options, tuners, optimize });
        return planned.map(({ requests }, at) => ({ requests, answer: answers[at] ?? unplanned(requests) }));
      }
      const isComplete = planned.every(({ answer }) => answer.placements.length > 0);
      if (isComplete && links.some(({ isFinal }) => !isFinal)) provisional.push({ group, tuners, links });
      return planned.map(({ requests, answer }, at) => {
        const own = answer.isOfChain === true ? answer : answerAlone(answer, requests);
        return { requests, answer: links[at]?.isFinal === true ? own : asProvisional(own) };
      });
    };
    const linksFor = (group: readonly PlanRequest[]) =>
      group.length > LINK_MOST ? chainFor(group) : [groupFor(group)];
    const first = groups.map(linksFor);
    // A preview looks for no remedies.
    const seeks = hasRepeats && (options.hasHelper || options.remediesUpTo > 0);
    const repeats = seeks
      ? repeatRemedies({ planned: first.flat().map(asPlanned), lost, tuners, warmUpMs }, (group) =>
          asWhole(linksFor(group)),
        )
      : NO_REPEATS;
    const isOpen = ({ proof }: GroupSolution) => proof.recordingIds.some((id) => repeats.open.has(id));
    const chains =
      repeats.open.size === 0
        ? first
        : first.map((links) =>
            links.map((link) =>
              isOpen(link.answer) ? { ...link, answer: asProvisional(link.answer) } : link,
            ),
          );
    const parts = chains.flatMap((links) => partsOf(links, repeats.remedies));
    open = provisional;
    for (const memory of [solutions, finalSolutions]) evict(memory, CACHED_GROUPS + 2 * parts.length);
    evict(solvedRecordings, CACHED_GROUPS + 2 * requests.length);
    const alone = apart.map(({ recordingId, runningOnTuner = "", window, event }) => {
      const { start: begin } = event;
      return {
        kind: "placed" as const,
        recordingId,
        tunerId: runningOnTuner,
        span: window,
        begin,
        seamMs: 0,
      };
    });
    const answers = chains.flat().map(({ answer }) => answer);
    return {
      parts,
      apart: { requests: apart, placements: alone, remedies: [] },
      placements: [...parts.flatMap(({ placements }) => placements), ...alone],
      remedies: [...repeats.remedies, ...answers.flatMap(({ remedies }) => remedies)],
      groups: answers.map(({ proof }) => proof),
    };
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
    learn,
  };
}

/** Whether some groups wait for the next plan. */
function leavesSome({ parts }: Plan): boolean {
  return parts.some(({ requests, placements }) => placements.length < requests.length);
}

/** Cached, so that each plan contains the same object. */
const answerAlone = (answer: GroupSolution, requests: readonly PlanRequest[]) => {
  const known = ALONE.get(answer);
  if (known?.requests === requests) return known.answer;
  const made = answerInChain(answer, { requests, isProven: false });
  ALONE.set(answer, { requests, answer: made });
  return made;
};
const ALONE = new WeakMap<GroupSolution, PlannedLink>();

/** A chain's answers belong together: only the whole is better or worse. */
function isBetter(one: GroupSolution, other: GroupSolution): boolean {
  return other.isOfChain !== true && compareWorth(one.proof.worth, other.proof.worth) > 0;
}

const NO_REPEATS: ReturnType<typeof repeatRemedies> = { remedies: [], open: new Set() };

/** Marks a solution that may still improve. Cached, so that each plan contains the same object. */
const asProvisional = oncePer(
  (answer: GroupSolution): GroupSolution => ({ ...answer, proof: { ...answer.proof, provisional: true } }),
);

function asPlanned({ requests, answer: { placements, proof } }: PlannedLink): Planned {
  return { group: requests, placements, isOpen: proof.provisional === true };
}

function asWhole(links: readonly PlannedLink[]): Omit<Planned, "group"> {
  return {
    placements: links.flatMap(({ answer }) => answer.placements),
    isOpen: links.some(({ answer }) => answer.proof.provisional === true),
  };
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

/** The solution cannot improve, and needs no remedy. */
function isSettled({ group }: PlanningTask, { proof, placements }: GroupSolution): boolean {
  return (proof.proven === "all" || proof.proven === "padding") && losers(group, placements).length === 0;
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
