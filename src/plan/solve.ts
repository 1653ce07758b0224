import type { Placement, Proof, Wish } from "../model/plan.ts";
import type { TunerFacts } from "../model/tuner.ts";
import { layOut } from "./layout.ts";
import { type Problem, problemOf } from "./problem.ts";
import { type Budget, type Found, search } from "./search.ts";
import { worthOf } from "./worth.ts";

/** The plan of one group of recordings that compete, and what is known of it. */
export interface Solution {
  readonly placements: readonly Placement[];
  readonly proof: Proof;
}

/**
 * The best plan for a group, by all the aims in their order.
 *
 * First for the aims that depend on the kinds of tuners only; then, among all plans that are best by these, for the others.
 */
export function solve(group: readonly Wish[], tuners: readonly TunerFacts[], budget: Budget): Solution {
  const problem = problemOf(group, tuners);
  const rough = search(problem, { depth: "padding", budget });
  const fine = search(problem, { depth: "all", budget, along: rough });
  return { placements: layOut(problem, fine.moves), proof: proofOf(problem, rough, fine) };
}

function proofOf({ wishes, priorities }: Problem, rough: Found, fine: Found): Proof {
  const recordingIds = wishes.map(({ recordingId }) => recordingId);
  const worth = worthOf(fine.value, priorities);
  if (!rough.isProven) {
    const wholeAtMost = [...rough.bound.slice(0, priorities.length)];
    return { recordingIds, proven: "none", worth, wholeAtMost };
  }
  return { recordingIds, proven: fine.isProven ? "all" : "padding", worth };
}
