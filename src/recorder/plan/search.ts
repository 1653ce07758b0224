import { compare, roughLength, worthLength } from "./plan-value.ts";
import type { Job, Problem } from "./problem.ts";
import { type RemainingJobs, remainingJobsOf } from "./remaining-jobs.ts";
import { addStepValue, trimLanes } from "./step-value.ts";
import { EMPTY, type Lane, stepsOf } from "./tuner-lane.ts";

/** The destination of one recording. */
export interface Move {
  /** -1: nowhere. */
  readonly tuner: number;
  /** The recording that follows in the same place; -1 for a place of its own. */
  readonly before: number;
}

/** The limits of a search. They count work, not time, so that results are repeatable. */
export interface Budget {
  /** Partial plans kept per layer. */
  readonly width: number;
  /** Partial plans examined altogether; 0 for no search at all. */
  readonly looks: number;
  /** Partial plans kept per layer once `looks` is used up. */
  readonly narrow: number;
}

export interface SearchResult {
  /** By index of the problem's recordings. */
  readonly moves: readonly Move[];
  readonly value: Float64Array;
  /** No partial plan was dropped that could be better by the compared aims. */
  readonly isProven: boolean;
  /** An upper bound on any plan; the value itself if it is proven. */
  readonly bound: Float64Array;
  /** Per layer, the partial plans on the way to the best, with their values. */
  readonly ways: readonly ReadonlyMap<string, Float64Array>[];
  readonly looks: number;
}

interface Node {
  readonly key: string;
  readonly lanes: readonly Lane[];
  value: Float64Array;
  move: Move;
  parent: Node | undefined;
  /** Other nodes that lead to the same lanes with the same value. */
  equalParents: Node[];
  /** It holds only running recordings, so every other recording still has a place. */
  isBare: boolean;
}

/** The aims to compare: up to padding, with equal tuners merged, or all. */
export type Depth = "padding" | "all";

export const NOWHERE: Move = { tuner: -1, before: -1 };

/**
 * Places the recordings one after the other, the last end first. Of all partial plans that leave the same choices, it keeps the
 * best.
 */
export function search(
  problem: Problem,
  {
    depth,
    budget,
    restrictTo,
    isBound = false,
  }: {
    readonly depth: Depth;
    readonly budget: Budget;
    /** Restricts the search to the ways to an earlier result. */
    readonly restrictTo?: SearchResult;
    /** Every recording must be placed exactly as given; those that can share a tuner do. */
    readonly isBound?: boolean;
  },
): SearchResult | undefined {
  const { jobs, priorities, tuners, kinds } = problem;
  const ranks = priorities.length;
  const compared = depth === "all" ? worthLength(ranks) : roughLength(ranks);
  const keyOf = depth === "all" ? labelledKey : (lanes: readonly Lane[]) => canonicalKey(lanes, kinds);
  const rest = remainingJobsOf(problem);
  const start: Node = {
    key: "",
    lanes: tuners.map(() => EMPTY),
    value: new Float64Array(worthLength(ranks)),
    move: NOWHERE,
    parent: undefined,
    equalParents: [],
    isBare: jobs.some(({ forced }) => forced),
  };
  let layer: readonly Node[] = [start];
  let looks = 0;
  let lost: Float64Array | undefined;
  for (const [index, job] of jobs.entries()) {
    const { reach, may, mayTie } = rest[index] as RemainingJobs;
    const next = new Map<string, Node>();
    const follow = (node: Node, lanes: readonly Lane[], move: Move, value: Float64Array) => {
      looks += 1;
      if (restrictTo !== undefined) {
        const known = restrictTo.ways[index]?.get(canonicalKey(lanes, kinds));
        if (known === undefined || compare(value, known, roughLength(ranks)) !== 0) return;
      }
      const key = keyOf(lanes);
      const other = next.get(key);
      const order = other === undefined ? 1 : compare(value, other.value, compared);
      const isBare = node.isBare && (job.forced || move.tuner < 0);
      if (other === undefined)
        next.set(key, { key, lanes, value, move, parent: node, equalParents: [], isBare });
      else other.isBare ||= isBare;
      if (other === undefined) return;
      if (order > 0) Object.assign(other, { value, move, parent: node, equalParents: [], lanes });
      else if (order === 0) other.equalParents.push(node);
    };
    for (const node of layer) {
      let isFree = false;
      const only = isBound ? sharedBy(node.lanes, job, jobs) : -1;
      for (let tuner = 0; tuner < tuners.length; tuner += 1) {
        const lane = node.lanes[tuner] as Lane;
        if (job.may[tuner] !== true || (only >= 0 && only !== tuner)) continue;
        if (depth === "padding" && isTwin(node.lanes, tuner, kinds)) continue;
        for (const step of stepsOf(lane, index, { jobs, tuner, warmUpMs: tuners[tuner]?.warmUpMs ?? 0 })) {
          if (step.cuts.length === 0) isFree = true;
          const value = node.value.slice();
          addStepValue(value, { job, step, tuner, ranks, jobs });
          const lanes = trimLanes(node.lanes, { tuner, lane: step.lane, reach, problem, value });
          follow(node, lanes, { tuner, before: step.before }, value);
        }
      }
      if (job.forced) continue;
      if (isFree && !mayTie && !node.isBare) continue;
      const value = node.value.slice();
      follow(node, trimLanes(node.lanes, { reach, problem, value }), NOWHERE, value);
    }
    if (next.size === 0) {
      if (isBound) return undefined;
      // Running recordings continue even if the configuration no longer allows them.
      for (const node of layer) {
        const value = node.value.slice();
        follow(
          node,
          trimLanes(node.lanes, { reach, problem, value }),
          { tuner: job.may.indexOf(true), before: -1 },
          value,
        );
      }
    }
    const width = looks > budget.looks ? Math.min(budget.narrow, budget.width) : budget.width;
    layer = [...next.values()];
    if (layer.length > width) {
      const sorted = [...layer].sort(
        (a, b) => compare(b.value, a.value, compared) || (a.key < b.key ? -1 : 1),
      );
      for (const dropped of sorted.slice(width, width + 1)) {
        const bound = sum(dropped.value, may);
        // A restricted search reaches exactly this value by the aims up to padding.
        if (restrictTo !== undefined) bound.set(restrictTo.value.slice(0, roughLength(ranks)));
        if (lost === undefined || compare(bound, lost, compared) > 0) lost = bound;
      }
      const spare = sorted.slice(width).find(({ isBare }) => isBare);
      layer = [...sorted.slice(0, width), ...(spare === undefined ? [] : [spare])];
    }
  }
  const [best] = layer;
  if (best === undefined) throw new Error("a search that keeps the best of each layer finds one");
  const isProven = lost === undefined || compare(lost, best.value, compared) <= 0;
  return {
    moves: movesTo(best),
    value: best.value,
    isProven,
    bound: isProven || lost === undefined ? best.value : lost,
    ways: waysTo(best, jobs.length),
    looks,
  };
}

function sum(value: Float64Array, more: Float64Array): Float64Array {
  return value.map((one, at) => one + (more[at] ?? 0));
}

/** The tuner that holds the multiplex while the recording ends and can take it as well; -1: none. */
function sharedBy(
  lanes: readonly Lane[],
  { multiplex, event, may, atOnce }: Job,
  jobs: readonly Job[],
): number {
  return lanes.findIndex(
    (lane, tuner) =>
      may[tuner] === true &&
      lane.multiplex === multiplex &&
      (atOnce[tuner] ?? 0) >= jobs.length &&
      lane.front.some(({ job, begin }) => begin - (jobs[job]?.gapMs[tuner] ?? 0) < event.stop),
  );
}

/** An earlier tuner of the same kind has the same lane, so trying this one finds nothing new. */
function isTwin(lanes: readonly Lane[], tuner: number, kinds: readonly number[]): boolean {
  for (let other = 0; other < tuner; other += 1) {
    if (kinds[other] === kinds[tuner] && lanes[other]?.key === lanes[tuner]?.key) return true;
  }
  return false;
}

function movesTo(best: Node): readonly Move[] {
  const moves: Move[] = [];
  for (let node = best; node.parent !== undefined; node = node.parent) moves.unshift(node.move);
  return moves;
}

/** A best plan passes only through best partial plans (principle of optimality). */
function waysTo(best: Node, layers: number): SearchResult["ways"] {
  const ways = Array.from({ length: layers }, () => new Map<string, Float64Array>());
  let layer: ReadonlySet<Node> = new Set([best]);
  for (let index = layers - 1; index >= 0; index -= 1) {
    const before = new Set<Node>();
    for (const node of layer) {
      ways[index]?.set(node.key, node.value);
      if (node.parent !== undefined) before.add(node.parent);
      for (const other of node.equalParents) before.add(other);
    }
    layer = before;
  }
  return ways;
}

/** Plans with the same key leave the same choices for the rest, tuner by tuner. */
function labelledKey(lanes: readonly Lane[]): string {
  let key = "";
  for (const lane of lanes) key += `${lane.key}/`;
  return key;
}

/** The same for tuners of one kind in any order. Unused tuners are left out: they follow from the others, and a fleet has many. */
function canonicalKey(lanes: readonly Lane[], kinds: readonly number[]): string {
  const keys: string[] = [];
  for (const [tuner, { key }] of lanes.entries()) if (key !== EMPTY.key) keys.push(`${kinds[tuner]} ${key}`);
  return keys.sort().join("/");
}
