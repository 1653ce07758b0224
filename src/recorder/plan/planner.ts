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

/** Plans, and remembers what it planned: a group that is as it was costs no search. */
export interface Planner {
  plan(wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]): Plan;
  /**
   * The same for those who only look on: hardly anything is planned for them that waits for its turn, and nothing where much does. What
   * there is of the plan by then is what they see.
   */
  preview(wishes: () => readonly PlanRequest[], tuners: readonly TunerFacts[]): Plan;
  /** The groups of the latest plan that are provisional, the earliest first: better answers are to be learnt. */
  pendingGroups(): readonly PlanningTask[];
  /** Takes over the last word on a group; none: what is known of it stays so. */
  learn(task: PlanningTask, answer: GroupSolution | undefined): void;
}

export interface PlannerOptions extends SolveOptions {
  /** Partial plans that may be looked at for one plan, over all its groups. */
  readonly looksMost: number;
  /** Once so many recordings were planned of which nothing was known, the other groups of that kind wait for the next plan. */
  readonly freshMost: number;
  /** Larger groups are not searched for remedies. */
  readonly remediesUpTo: number;
  /** What is not proven here, or has remedies to be looked for, is somebody else's to be thought through. */
  readonly isHelped: boolean;
}

/** On its own. Counted in partial plans: some tens of milliseconds at most for a group. */
const ALONE: PlannerOptions = {
  budget: { width: 64, looks: 2000, narrow: 4 },
  looksMost: Number.POSITIVE_INFINITY,
  freshMost: Number.POSITIVE_INFINITY,
  remediesUpTo: 12,
  isHelped: false,
};

/** In the loop of the daemon, which must not wait: what takes longer is thought through beside it. */
export const IN_LOOP: PlannerOptions = {
  budget: { width: 32, looks: 300, narrow: 1 },
  looksMost: 400,
  freshMost: 75,
  remediesUpTo: 0,
  isHelped: true,
};

/** Beside the loop, with somebody's help. */
export const BESIDE: PlannerOptions = {
  budget: { width: 200, looks: 8000, narrow: 4 },
  looksMost: Number.POSITIVE_INFINITY,
  freshMost: Number.POSITIVE_INFINITY,
  remediesUpTo: 30,
  isHelped: false,
};

/** What somebody who only looks on has planned at most, where time has passed since. */
const LOOKED_AT = 25;
/** Groups that are remembered beyond those of the latest plan. */
const REMEMBERED = 1000;

export function createPlanner(options: PlannerOptions = ALONE): Planner {
  const answered = new Map<string, GroupSolution>();
  /** What was learnt, whatever the plan before was; `undefined` where there is nothing to be learnt. */
  const learnt = new Map<string, GroupSolution | undefined>();
  /** Of groups about which there is no more to be said: most are as they were in the plan before, and a group is for the same tuners always. */
  const settled = new WeakMap<PlanningTask["group"], GroupSolution>();
  /** Of these something is known. A group with another one in it need not be looked up. */
  const met = new Set<RecordingId>();
  let open: readonly PlanningTask[] = [];
  let latest: (PlanningTask & { readonly plan: Plan }) | undefined;
  /** There is more to it by now than the latest plan knows. */
  let isMore = false;

  function learn(task: PlanningTask, answer: GroupSolution | undefined): void {
    isMore = true;
    open = open.filter((other) => other !== task);
    meet(task.group);
    remember(learnt, keysOf(task.group, task.tuners).lasting, answer);
  }

  /** Wishes are values: the very same ones, as with each heartbeat, are planned already. */
  function known(wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]): Plan | undefined {
    return latest?.tuners === tuners && sameItems(latest.group, wishes) ? latest.plan : undefined;
  }

  function replan(group: readonly PlanRequest[], tuners: readonly TunerFacts[], freshMost: number): Plan {
    const plan = planAnew(group, { tuners, freshMost });
    latest = { group, tuners, plan };
    // What waits is planned with the next occasion.
    isMore = leavesSome(plan);
    return plan;
  }

  function meet(group: readonly PlanRequest[]): void {
    for (const { recordingId } of group) met.add(recordingId);
  }

  function answerTo(
    task: PlanningTask,
    { key, lasting, looks }: { readonly key: string; readonly lasting: string; readonly looks: number },
  ): Found {
    const before = answered.get(key);
    const found =
      before === undefined ? solveGroup(task, within(options, looks)) : { answer: before, looks: 0 };
    remember(answered, key, found.answer);
    if (before !== undefined) return found;
    meet(task.group);
    // Planned again with this plan as the one before, it is the best one still.
    remember(answered, groupKey(lasting, after(task.group, found.answer)), found.answer);
    return found;
  }

  function planAnew(
    wishes: readonly PlanRequest[],
    { tuners, freshMost }: Pick<PlanningTask, "tuners"> & Pick<PlannerOptions, "freshMost">,
  ): Plan {
    const { groups, apart, lost, hasRepeats, warmUpMs } = groupsOf(wishes, tuners);
    const provisional: PlanningTask[] = [];
    let left = options.looksMost;
    let fresh = 0;
    const answerFor = (group: readonly PlanRequest[]): GroupSolution => {
      const said = settled.get(group);
      if (said !== undefined) return said;
      const task = { group, tuners };
      if (fresh >= freshMost && !group.every(({ recordingId }) => met.has(recordingId))) {
        provisional.push(task);
        return unplanned(group);
      }
      const { lasting, whole: key } = keysOf(group, tuners);
      const better = learnt.get(lasting);
      if (better !== undefined) {
        remember(learnt, lasting, better);
        settled.set(group, better);
        return better;
      }
      const isFresh = !answered.has(key);
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
      if (options.isHelped && !learnt.has(lasting) && !isSettled(task, answer)) {
        provisional.push(task);
        return asProvisional(answer);
      }
      settled.set(group, answer);
      return answer;
    };
    const first = groups.map(answerFor);
    // Who only wants to know how the plan is, is not told what would help.
    const seeks = hasRepeats && (options.isHelped || options.remediesUpTo > 0);
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
    for (const memory of [answered, learnt]) forget(memory, REMEMBERED + 2 * groups.length);
    forget(met, REMEMBERED + 2 * wishes.length);
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
      apart: { wishes: apart, placements: alone, remedies: [] },
      placements: [...answers.flatMap(({ placements }) => placements), ...alone],
      remedies: [...repeats.remedies, ...answers.flatMap(({ remedies }) => remedies)],
      groups: answers.map(({ proof }) => proof),
    };
  }

  return {
    plan: (wishes, tuners) => {
      const before = isMore ? undefined : known(wishes, tuners);
      return before ?? replan(wishes, tuners, options.freshMost);
    },
    preview: (asked, tuners) => {
      if (latest?.tuners === tuners && leavesSome(latest.plan)) return latest.plan;
      const wishes = asked();
      return known(wishes, tuners) ?? replan(wishes, tuners, Math.min(LOOKED_AT, options.freshMost));
    },
    pendingGroups: () => open,
    learn,
  };
}

/** Whether some groups wait for the next plan. */
function leavesSome({ parts }: Plan): boolean {
  return parts.some(({ wishes, placements }) => placements.length < wishes.length);
}

/** Of the placements of a group: they are made together, and most groups are as they were in the plan before. */
const PARTS = new WeakMap<GroupSolution["placements"], Part>();

function partOf(
  group: readonly PlanRequest[],
  { placements, remedies: own }: GroupSolution,
  repeats: readonly Remedy[],
): Part {
  const its = repeats.filter((remedy) => group.some(({ recordingId }) => recordingId === remedy.recordingId));
  const remedies = its.length === 0 ? own : [...its, ...own];
  const known = PARTS.get(placements);
  if (known !== undefined && known.wishes === group && sameItems(known.remedies, remedies)) return known;
  const part = { wishes: group, placements, remedies };
  PARTS.set(placements, part);
  return part;
}

const NO_REPEATS: ReturnType<typeof repeatRemedies> = { remedies: [], open: new Set() };

/** Its last word is not spoken. With each plan until it is: the same one each time. */
const asProvisional = oncePer(
  (answer: GroupSolution): GroupSolution => ({ ...answer, proof: { ...answer.proof, provisional: true } }),
);

function asPlanned(group: readonly PlanRequest[], { placements, proof }: GroupSolution): Planned {
  return { group, placements, isOpen: proof.provisional === true };
}

/** The last entry is the latest one that was of use. */
function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  memory.delete(key);
  memory.set(key, value);
}

function forget(memory: Map<string, unknown> | Set<string>, most: number): void {
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

/** Nothing better is to be found, and nothing that would help. */
function isSettled({ group }: PlanningTask, { proof, placements }: GroupSolution): boolean {
  return (proof.proven === "all" || proof.proven === "padding") && losers(group, placements).length === 0;
}

interface Found {
  readonly answer: GroupSolution;
  readonly looks: number;
}

/** Thinks one group through, without memory. */
export function solveGroup(
  { group, tuners }: PlanningTask,
  { budget, optimize, remediesUpTo }: Pick<PlannerOptions, "budget" | "optimize" | "remediesUpTo">,
): Found {
  const { looks, ...solution } = solve(group, tuners, { budget, optimize });
  const { placements } = solution;
  const again = (wishes: readonly PlanRequest[], with_: readonly TunerFacts[]) =>
    solve(wishes, with_, { budget: optimize === undefined ? budget : ALONE.budget, optimize }).placements;
  const remedies =
    group.length > remediesUpTo
      ? []
      : losers(group, placements).flatMap((wish) =>
          remediesFor(wish, { wishes: group, tuners, placements, solve: again }),
        );
  return { answer: { ...solution, remedies }, looks };
}

function after(group: readonly PlanRequest[], { placements }: Solution): readonly PlanRequest[] {
  const tunerOf = new Map<RecordingId, string | undefined>(
    placements.map((one) => [one.recordingId, one.kind === "placed" ? one.tunerId : undefined]),
  );
  return group.map(({ had: _before, ...wish }) => {
    const had = wish.runningOnTuner === undefined ? tunerOf.get(wish.recordingId) : undefined;
    return had === undefined ? wish : { ...wish, had };
  });
}
