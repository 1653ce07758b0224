import type { PlanRequest } from "../src/model/plan.ts";
import type { Optimizer } from "../src/recorder/plan/optimizer.ts";
import { createPlanner } from "../src/recorder/plan/planner.ts";
import { isWhole } from "../src/recorder/plan/remedy.ts";
import { ON_THREAD } from "../src/recorder/plan/solve-group.ts";
import { greedy } from "./greedy.ts";
import { ordersOf, tunersOf } from "./orders.ts";

export const TUNERS = [1, 2, 4] as const;

/** Events recorded whole, over all the weeks. */
export interface Sums {
  readonly ordered: number;
  readonly plan: number;
  readonly first: number;
  readonly highest: number;
  /** Weeks in which the plan is better, the higher priorities counting first. */
  readonly better: { readonly first: number; readonly highest: number };
  /** Weeks in which a rule is better than the plan. */
  readonly worse: number;
  /** Groups whose plan was not proven to be the best. */
  readonly unproven: number;
}

/** The plan and two greedy rules, on the same weeks of one household each. */
export function sideBySide({
  weeks,
  tuners: count,
  optimize,
}: {
  readonly weeks: number;
  readonly tuners: number;
  readonly optimize: Optimizer;
}): Sums {
  const tuners = tunersOf(count);
  const sums = { ordered: 0, plan: 0, first: 0, highest: 0, worse: 0, unproven: 0 };
  const better = { first: 0, highest: 0 };
  for (let seed = 1; seed <= weeks; seed += 1) {
    const wishes = ordersOf({ seed, timers: 60, days: 7, multiplexes: 12 });
    const made = createPlanner({ ...ON_THREAD, optimize, remediesUpTo: 0 }).plan(wishes, tuners);
    const plan = wishes.filter((wish) => isWhole(wish, made.placements));
    const first = greedy(wishes, { tuners, rule: "first come, first served" });
    const highest = greedy(wishes, { tuners, rule: "highest priority first" });
    sums.ordered += wishes.length;
    sums.plan += plan.length;
    sums.first += first.length;
    sums.highest += highest.length;
    const overFirst = compared(plan, first);
    const overHighest = compared(plan, highest);
    if (overFirst > 0) better.first += 1;
    if (overHighest > 0) better.highest += 1;
    if (overFirst < 0 || overHighest < 0) sums.worse += 1;
    sums.unproven += made.groups.filter(({ proven }) => proven === "none").length;
  }
  return { ...sums, better };
}

/** By whole events, the highest priority first. */
function compared(a: readonly PlanRequest[], b: readonly PlanRequest[]): number {
  const count = (wishes: readonly PlanRequest[], priority: number) =>
    wishes.filter((wish) => wish.priority === priority).length;
  const priorities = [...new Set([...a, ...b].map(({ priority }) => priority))].sort((x, y) => y - x);
  for (const priority of priorities) {
    const less = count(a, priority) - count(b, priority);
    if (less !== 0) return less;
  }
  return 0;
}
