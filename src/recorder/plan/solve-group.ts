import { oncePer } from "../../model/once-per.ts";
import type { Placement, PlanRequest, Remedy } from "../../model/plan.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { LINK_SIZE, type LinkSize } from "./links.ts";
import { worthOf } from "./plan-value.ts";
import { losers, remediesFor } from "./remedy.ts";
import type { Budget } from "./search.ts";
import { type Solution, type SolveOptions, solve } from "./solve.ts";

/** A group that competes, and the tuners that it competes for. */
export interface PlanningTask {
  readonly group: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
  /** The links of a long group, and their plan so far. */
  readonly links?: readonly ChainLink[];
  /** It has a recording at one of its repeats, to see whether that works. */
  readonly isTrial?: boolean;
}

export interface ChainLink {
  readonly requests: readonly PlanRequest[];
  /** With the recordings that hold tuners in it. */
  readonly task: readonly PlanRequest[];
  readonly answer: GroupSolution;
  /** Its answer stays, unless another link has to change. */
  readonly isFinal: boolean;
}

export interface GroupSolution extends Solution {
  readonly remedies: readonly Remedy[];
  /** The recordings of earlier links that hold tuners: they may lose padding after their events. */
  readonly held?: readonly Placement[];
  /** Its proof is about all links of its chain. */
  readonly isOfChain?: true;
}

export interface PlannerOptions extends SolveOptions {
  /** Limit on the partial plans examined for one plan, over all its groups. */
  readonly looksMost: number;
  /** Once this many unknown recordings are planned, the remaining groups with unknown recordings wait for the next plan. */
  readonly freshMost: number;
  /** Larger groups are not searched for remedies. */
  readonly remediesUpTo: number;
  readonly linkSize: LinkSize;
  /** Another planner proves open results and looks for remedies. */
  readonly hasHelper: boolean;
}

/** Without another planner. The limits count partial plans; a group takes some tens of milliseconds at most. */
export const STANDALONE: PlannerOptions = {
  budget: { width: 64, looks: 2000, narrow: 4 },
  looksMost: Number.POSITIVE_INFINITY,
  freshMost: Number.POSITIVE_INFINITY,
  remediesUpTo: 12,
  linkSize: LINK_SIZE,
  hasHelper: false,
};

/** On the daemon's event loop, which must not block: longer work goes to a thread. */
export const ON_LOOP: PlannerOptions = {
  budget: { width: 32, looks: 300, narrow: 1 },
  looksMost: 400,
  freshMost: 75,
  remediesUpTo: 0,
  linkSize: LINK_SIZE,
  hasHelper: true,
};

/** On a planning thread, with an optimizer. */
export const ON_THREAD: PlannerOptions = {
  budget: { width: 200, looks: 8000, narrow: 4 },
  looksMost: Number.POSITIVE_INFINITY,
  freshMost: Number.POSITIVE_INFINITY,
  remediesUpTo: 30,
  linkSize: LINK_SIZE,
  hasHelper: false,
};

/** The limits for one link: a chain may have a hundred. */
export const LINK_BUDGET: Budget = { width: 16, looks: 600, narrow: 2 };

/** The optimizer looks at a whole chain, not at its links. */
export function forLinks(options: PlannerOptions): PlannerOptions {
  return options.hasHelper
    ? options
    : { ...options, budget: LINK_BUDGET, remediesUpTo: 0, optimize: undefined };
}

export function within(options: PlannerOptions, looks: number): PlannerOptions {
  const { budget } = options;
  if (looks >= budget.looks) return options;
  return { ...options, budget: { ...budget, looks: Math.max(0, looks) } };
}

export interface SolvedGroup {
  readonly answer: GroupSolution;
  readonly looks: number;
}

/** Solves one group without a cache. */
export function solveGroup(
  { group, tuners }: PlanningTask,
  {
    budget,
    optimize,
    decided,
    remediesUpTo,
  }: Pick<PlannerOptions, "budget" | "optimize" | "decided" | "remediesUpTo">,
): SolvedGroup {
  const { looks, ...solution } = solve(group, tuners, {
    budget,
    optimize,
    ...(decided === undefined ? {} : { decided }),
  });
  const { placements } = solution;
  const held = new Set(group.flatMap(({ recordingId, isHeld }) => (isHeld === true ? [recordingId] : [])));
  const again = (requests: readonly PlanRequest[], with_: readonly TunerFacts[]) =>
    solve(requests, with_, { budget: optimize === undefined ? budget : STANDALONE.budget, optimize })
      .placements;
  const remedies =
    group.length > remediesUpTo
      ? []
      : losers(group, placements).flatMap((request) =>
          remediesFor(request, { requests: group, tuners, placements, solve: again }),
        );
  if (held.size === 0) return { answer: { ...solution, remedies }, looks };
  const isHeld = ({ recordingId }: Placement) => held.has(recordingId);
  const own = placements.filter((one) => !isHeld(one));
  return { answer: { ...solution, placements: own, held: placements.filter(isHeld), remedies }, looks };
}

const NO_WORTH = worthOf(new Float64Array(0), []);

export const unplanned = oncePer((group: PlanningTask["group"]): GroupSolution => {
  const recordingIds = group.flatMap(({ recordingId, isHeld }) => (isHeld === true ? [] : [recordingId]));
  const proof = { recordingIds, proven: "none", worth: NO_WORTH, provisional: true } as const;
  return { placements: [], remedies: [], proof };
});

/** Marks a solution that may still improve. Cached, so that each plan contains the same object. */
export const asProvisional = oncePer(
  (answer: GroupSolution): GroupSolution => ({ ...answer, proof: { ...answer.proof, provisional: true } }),
);
