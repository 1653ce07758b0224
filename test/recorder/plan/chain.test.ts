import { beforeAll, describe, expect, it } from "vitest";
import { chainOf, later, tunersOf } from "../../../bench/orders.ts";
import { loadIntegerPrograms } from "../../../src/kit/integer-program.ts";
import type { Plan, PlanRequest } from "../../../src/model/plan.ts";
import { multiplexKey } from "../../../src/model/service.ts";
import { bestEvents } from "../../../src/recorder/plan/best-events.ts";
import type { Optimizer } from "../../../src/recorder/plan/optimizer.ts";
import { compareWorth, sumOfWorths } from "../../../src/recorder/plan/plan-value.ts";
import { createPlanner, type Planner } from "../../../src/recorder/plan/planner.ts";
import { problemOf } from "../../../src/recorder/plan/problem.ts";
import { solveChain } from "../../../src/recorder/plan/solve-chain.ts";
import {
  type GroupSolution,
  ON_LOOP,
  ON_THREAD,
  type PlanningTask,
  solveGroup,
} from "../../../src/recorder/plan/solve-group.ts";

const TUNERS = tunersOf(4);
/** More than the tuners can record, and about as much as they can. */
const CROWDED = { timers: 200, atOnce: 5, multiplexes: 9 };
const BUSY = { timers: 200, atOnce: 3.5, multiplexes: 6 };

let optimize: Optimizer;
beforeAll(async () => {
  optimize = await loadIntegerPrograms(60_000);
});

/** Plans until all are planned, as the loop does in its turns. */
function onLoop(planner: Planner, wishes: readonly PlanRequest[]): readonly Plan[] {
  const plans: Plan[] = [];
  do plans.push(planner.plan(wishes, TUNERS));
  while ((plans.at(-1)?.placements.length ?? 0) < wishes.length);
  return plans;
}

function answersTo(task: PlanningTask): readonly GroupSolution[] {
  const { tuners, links } = task;
  const options = { ...ON_THREAD, budget: { width: 8, looks: 500, narrow: 2 }, tuners, optimize };
  return links === undefined ? [solveGroup(task, options).answer] : solveChain(links, options);
}

/** With the answers of the planning thread. */
function thoughtThrough(planner: Planner, wishes: readonly PlanRequest[]): Plan {
  onLoop(planner, wishes);
  for (const task of planner.pendingGroups()) planner.learn(task, answersTo(task));
  return onLoop(planner, wishes).at(-1) as Plan;
}

function worthIn({ groups }: Plan) {
  return sumOfWorths(groups.map(({ worth }) => worth));
}

/** With the tuners of a plan as the previous ones. */
function kept(wishes: readonly PlanRequest[], { placements }: Plan): readonly PlanRequest[] {
  const tunerOf = new Map(
    placements.map((one) => [one.recordingId, one.kind === "placed" ? one.tunerId : ""]),
  );
  return wishes.map((wish) => ({ ...wish, previousTuner: tunerOf.get(wish.recordingId) ?? "" }));
}

describe("a chain of overlapping timers", () => {
  it.each([CROWDED, BUSY])(
    "has the most whole events and minutes that any plan has, and is proven",
    (size) => {
      for (const seed of [1, 2, 3]) {
        const wishes = chainOf({ ...size, seed });
        const plan = thoughtThrough(createPlanner(ON_LOOP), wishes);
        const bound = bestEvents(problemOf(wishes, TUNERS), optimize, "events")?.bound ?? [];
        const { whole, partMs } = worthIn(plan);
        expect([...whole, ...partMs], `seed ${seed}`).toEqual([
          ...bound.slice(0, whole.length + partMs.length),
        ]);
        expect(
          plan.groups.map(({ proven }) => proven),
          `seed ${seed}`,
        ).not.toContain("none");
      }
    },
  );

  it.each([ON_LOOP, { ...ON_THREAD }])("R-22 never has two multiplexes on one tuner at once", (options) => {
    for (const seed of [1, 2]) {
      const wishes = chainOf({ ...CROWDED, seed });
      const plans = onLoop(createPlanner(options), wishes);
      const wishOf = new Map(wishes.map((wish) => [wish.recordingId, wish]));
      const placed = plans.at(-1)?.placements.filter((one) => one.kind === "placed") ?? [];
      for (const one of placed)
        for (const other of placed) {
          const meets = one.span.start < other.span.stop && other.span.start < one.span.stop;
          if (one.tunerId !== other.tunerId || !meets) continue;
          const [a, b] = [wishOf.get(one.recordingId), wishOf.get(other.recordingId)];
          expect(a && multiplexKey(a.service), `${one.recordingId} ${other.recordingId}`).toBe(
            b && multiplexKey(b.service),
          );
        }
    }
  });

  it("gets a plan on the thread that is never worse than the one on the loop", () => {
    for (const seed of [4, 5, 6]) {
      const wishes = chainOf({ ...CROWDED, seed });
      const planner = createPlanner(ON_LOOP);
      const first = onLoop(planner, wishes).at(-1) as Plan;
      const last = thoughtThrough(planner, wishes);
      expect(compareWorth(worthIn(last), worthIn(first)), `seed ${seed}`).toBeGreaterThan(0);
      expect(planner.pendingGroups()).toEqual([]);
    }
  });

  it("stays the same object in the parts far from a change, and all of it for the same timers in another order", () => {
    const planner = createPlanner(ON_LOOP);
    const wishes = kept(
      chainOf({ ...BUSY, seed: 1 }),
      thoughtThrough(planner, chainOf({ ...BUSY, seed: 1 })),
    );
    const before = thoughtThrough(planner, wishes);
    const changed = wishes.map((wish, at) =>
      at === 150 ? { ...wish, event: later(wish.event), window: later(wish.window) } : wish,
    );
    const after = onLoop(planner, changed)[0];
    expect(before.parts.length).toBeGreaterThan(4);
    expect(after?.parts.slice(0, 2)).toEqual(before.parts.slice(0, 2));
    expect(after?.parts[0]).toBe(before.parts[0]);
    const permuted = [...wishes].reverse();
    expect(onLoop(createPlanner(ON_LOOP), permuted).at(-1)?.placements).toEqual(
      onLoop(createPlanner(ON_LOOP), wishes).at(-1)?.placements,
    );
  });

  it("keeps running recordings on their tuners", () => {
    const wishes = chainOf({ ...CROWDED, seed: 1 }).map((wish, at) =>
      at < 3 ? { ...wish, runningOnTuner: `tuner-${at + 1}` } : wish,
    );
    const apart = wishes.filter(({ runningOnTuner }) => runningOnTuner !== undefined);
    const plan = thoughtThrough(createPlanner(ON_LOOP), wishes);
    for (const { recordingId, runningOnTuner } of apart)
      expect(plan.placements.find((one) => one.recordingId === recordingId)).toMatchObject({
        tunerId: runningOnTuner,
      });
  });
});
