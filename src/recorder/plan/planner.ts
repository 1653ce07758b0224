import { oncePer } from "../../model/once-per.ts";
import type { Part, Plan, PlanRequest, Remedy } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { groupKey, keysOf } from "./group-key.ts";
import { groupsOf } from "./groups.ts";
import { worthOf } from "./plan-value.ts";
import { losers, remediesFor } from "./remedy.ts";
import { type Planned, repeatRemedies } from "./repeats.ts";
import { sameItems } from "./same-items.ts";
import { type Solution, type SolveOptions, solve } from "./solve.ts";

/** A group that competes, and the tuners that it competes for. */
export interface PlanningTask {
  readonly group: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
}

export interface GroupSolution extends Solution {
  readonly remedies: readonly Remedy[];
}

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
  /** Stores the final solution of a group; `undefined` keeps the present one. */
  learn(task: PlanningTask, answer: GroupSolution | undefined): void;
}

export interface PlannerOptions extends SolveOptions {
  /** Limit on the partial plans examined for one plan, over all its groups. */
  readonly looksMost: number;
  /** Once this many unknown recordings are planned, the remaining groups with unknown recordings wait for the next plan. */
  readonly freshMost: number;
  /** Larger groups are not searched for remedies. */
  readonly remediesUpTo: number;
  /** Another planner proves open results and looks for remedies. */
  readonly hasHelper: boolean;
}

/** Without another planner. The limits count partial plans; a group takes some tens of milliseconds at most. */
const STANDALONE: PlannerOptions = {
  budget: { width: 64, looks: 2000, narrow: 4 },
  looksMost: Number.POSITIVE_INFINITY,
  freshMost: Number.POSITIVE_INFINITY,
  remediesUpTo: 12,
  hasHelper: false,
};

/** On the daemon's event loop, which must not block: longer work goes to a thread. */
export const ON_LOOP: PlannerOptions = {
  budget: { width: 32, looks: 300, narrow: 1 },
  looksMost: 400,
  freshMost: 75,
  remediesUpTo: 0,
  hasHelper: true,
};

/** On a planning thread, with an optimizer. */
export const ON_THREAD: PlannerOptions = {
  budget: { width: 200, looks: 8000, narrow: 4 },
  looksMost: Number.POSITIVE_INFINITY,
  freshMost: Number.POSITIVE_INFINITY,
  remediesUpTo: 30,
  hasHelper: false,
};

/** Limit on unknown recordings planned for a preview. */
const PREVIEW_FRESH_MOST = 25;
/** Groups cached beyond those of the latest plan. */
const CACHED_GROUPS = 1000;

export function createPlanner(options: PlannerOptions = STANDALONE): Planner {
  const solutions = new Map<string, GroupSolution>();
  /** Final solutions, whatever the previous plan was; `undefined` if there is no better one. */
  const finalSolutions = new Map<string, GroupSolution | undefined>();
  /** Groups that need no further work. Most groups are unchanged since the previous plan, and a group always has the same tuners. */
  const finished = new WeakMap<PlanningTask["group"], GroupSolution>();
  /** Recordings with a cached solution. A group with any other recording needs no lookup. */
  const solvedRecordings = new Set<RecordingId>();
  let open: readonly PlanningTask[] = [];
  let latest: (PlanningTask & { readonly plan: Plan }) | undefined;
  /** A later plan can be better or more complete than the latest one. */
  let isOutdated = false;

  function learn(task: PlanningTask, answer: GroupSolution | undefined): void {
    isOutdated = true;
    open = open.filter((other) => other !== task);
    noteSolved(task.group);
    putLast(finalSolutions, keysOf(task.group, task.tuners).lasting, answer);
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
    { key, lasting, looks }: { readonly key: string; readonly lasting: string; readonly looks: number },
  ): SolvedGroup {
    const before = solutions.get(key);
    const found =
      before === undefined ? solveGroup(task, within(options, looks)) : { answer: before, looks: 0 };
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
    const answerFor = (group: readonly PlanRequest[]): GroupSolution => {
      const done = finished.get(group);
      if (done !== undefined) return done;
      const task = { group, tuners };
      if (fresh >= freshMost && !group.every(({ recordingId }) => solvedRecordings.has(recordingId))) {
        provisional.push(task);
        return unplanned(group);
      }
      const { lasting, full: key } = keysOf(group, tuners);
      const better = finalSolutions.get(lasting);
      if (better !== undefined) {
        putLast(finalSolutions, lasting, better);
        finished.set(group, better);
        return better;
      }
      const isFresh = !solutions.has(key);
      if (isFresh && fresh >= freshMost) {
        provisional.push(task);
        return unplanned(group);
      }
      if (isFresh) fresh += group.length;
      const { answer, looks } = answerTo(task, {
        key,
        lasting,
        looks: group.length === 1 ? options.budget.looks : left,
      });
      left -= looks;
      if (options.hasHelper && !finalSolutions.has(lasting) && !isSettled(task, answer)) {
        provisional.push(task);
        return asProvisional(answer);
      }
      finished.set(group, answer);
      return answer;
    };
    const first = groups.map(answerFor);
    // A preview looks for no remedies.
    const seeks = hasRepeats && (options.hasHelper || options.remediesUpTo > 0);
    const repeats = seeks
      ? repeatRemedies(
          { planned: first.map((answer, at) => asPlanned(groups[at] ?? [], answer)), lost, tuners, warmUpMs },
          (group) => asPlanned(group, answerFor(group)),
        )
      : NO_REPEATS;
    const isOpen = ({ proof }: GroupSolution) => proof.recordingIds.some((id) => repeats.open.has(id));
    const answers =
      repeats.open.size === 0
        ? first
        : first.map((answer) => (isOpen(answer) ? asProvisional(answer) : answer));
    const parts = answers.map((answer, at) => partOf(groups[at] ?? [], answer, repeats.remedies));
    open = provisional;
    for (const memory of [solutions, finalSolutions]) evict(memory, CACHED_GROUPS + 2 * groups.length);
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
    return {
      parts,
      apart: { requests: apart, placements: alone, remedies: [] },
      placements: [...answers.flatMap(({ placements }) => placements), ...alone],
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

/** Cached per group of placements: they are made together, and most groups are unchanged. */
const PARTS = new WeakMap<GroupSolution["placements"], Part>();

function partOf(
  group: readonly PlanRequest[],
  { placements, remedies: own }: GroupSolution,
  repeats: readonly Remedy[],
): Part {
  const its = repeats.filter((remedy) => group.some(({ recordingId }) => recordingId === remedy.recordingId));
  const remedies = its.length === 0 ? own : [...its, ...own];
  const known = PARTS.get(placements);
  if (known !== undefined && known.requests === group && sameItems(known.remedies, remedies)) return known;
  const part = { requests: group, placements, remedies };
  PARTS.set(placements, part);
  return part;
}

const NO_REPEATS: ReturnType<typeof repeatRemedies> = { remedies: [], open: new Set() };

/** Marks a solution that may still improve. Cached, so that each plan contains the same object. */
const asProvisional = oncePer(
  (answer: GroupSolution): GroupSolution => ({ ...answer, proof: { ...answer.proof, provisional: true } }),
);

function asPlanned(group: readonly PlanRequest[], { placements, proof }: GroupSolution): Planned {
  return { group, placements, isOpen: proof.provisional === true };
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

const NO_WORTH = worthOf(new Float64Array(0), []);

const unplanned = oncePer((group: PlanningTask["group"]): GroupSolution => {
  const recordingIds = group.map(({ recordingId }) => recordingId);
  const proof = { recordingIds, proven: "none", worth: NO_WORTH, provisional: true } as const;
  return { placements: [], remedies: [], proof };
});

function within(options: PlannerOptions, looks: number): PlannerOptions {
  const { budget } = options;
  if (looks >= budget.looks) return options;
  return { ...options, budget: { ...budget, looks: Math.max(0, looks) } };
}

/** The solution cannot improve, and needs no remedy. */
function isSettled({ group }: PlanningTask, { proof, placements }: GroupSolution): boolean {
  return (proof.proven === "all" || proof.proven === "padding") && losers(group, placements).length === 0;
}

interface SolvedGroup {
  readonly answer: GroupSolution;
  readonly looks: number;
}

/** Solves one group without a cache. */
export function solveGroup(
  { group, tuners }: PlanningTask,
  { budget, optimize, remediesUpTo }: Pick<PlannerOptions, "budget" | "optimize" | "remediesUpTo">,
): SolvedGroup {
  const { looks, ...solution } = solve(group, tuners, { budget, optimize });
  const { placements } = solution;
  const again = (requests: readonly PlanRequest[], with_: readonly TunerFacts[]) =>
    solve(requests, with_, { budget: optimize === undefined ? budget : STANDALONE.budget, optimize })
      .placements;
  const remedies =
    group.length > remediesUpTo
      ? []
      : losers(group, placements).flatMap((request) =>
          remediesFor(request, { requests: group, tuners, placements, solve: again }),
        );
  return { answer: { ...solution, remedies }, looks };
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
