import { describe, expect, it } from "vitest";
import type { Plan, PlanRequest } from "../../../../src/model/plan.ts";
import { DAY, HOUR } from "../../../../src/model/time.ts";
import { createPlanner, type Planner } from "../../../../src/recorder/plan/planner.ts";
import { ON_LOOP, solveGroup } from "../../../../src/recorder/plan/solve-group.ts";
import { Brain, EIGHT, timer, tripletOf, tuner } from "./world.ts";

const FULL = { budget: { width: 64, looks: 2000, narrow: 4 }, remediesUpTo: 12 };

/** Two events at once, of two multiplexes, on one tuner; the conflict is solved outside the loop. */
function crowded() {
  const planner = createPlanner(ON_LOOP);
  const brain = new Brain({ tuners: [tuner("a")], planner });
  return { planner, brain: brain.fetch(timer("1"), timer("2", { onChannel: 3 })) };
}

describe("a provisional plan", () => {
  it("is reported only once it is final, and then once, with remedies", () => {
    const { planner, brain } = crowded();
    expect(brain.document.outbox).toEqual([]);
    for (const task of planner.pendingGroups()) planner.learn(task, [solveGroup(task, FULL).answer]);
    brain.at(brain.now);
    const told = brain.document.outbox.map(({ message }) => message).sort();
    expect(told).toEqual([
      expect.stringMatching(/^Conflict, no tuner is free: .* Without “Show \d” it would be recorded\.$/),
      expect.stringMatching(/^Scheduled on tuner a/),
    ]);
    brain.at(brain.now + 1000);
    expect(brain.document.outbox).toHaveLength(2);
  });

  it("is reported again if the policy changes its wording, although the plan stays", () => {
    const { planner, brain } = crowded();
    for (const task of planner.pendingGroups()) planner.learn(task, undefined);
    const [loser] = brain.at(brain.now).document.outbox.filter(({ message }) => /^Conflict/.test(message));
    expect(loser?.message).toContain(" 19:59–");
    brain.at(brain.now);
    brain.policy = { ...brain.policy, timeZone: "Asia/Tokyo" };
    brain.at(brain.now + 1);
    const again = brain.document.outbox.find(({ timerId }) => timerId === loser?.timerId);
    expect(again?.message).toContain(" 04:59–");
  });

  it("is reported as it is if no better one was found", () => {
    const { planner, brain } = crowded();
    for (const task of planner.pendingGroups()) planner.learn(task, undefined);
    brain.at(brain.now);
    expect(brain.document.outbox).toHaveLength(2);
  });

  it("keeps its places if an addition makes it hard", () => {
    const { planner, brain } = crowded();
    for (const task of planner.pendingGroups()) planner.learn(task, [solveGroup(task, FULL).answer]);
    brain.at(brain.now);
    const before = ["1", "2"].map((id) => brain.of(id).tunerId);
    brain.fetch(timer("1"), timer("2", { onChannel: 3 }), timer("3", { onChannel: 5 }));
    expect(["1", "2"].map((id) => brain.of(id).tunerId)).toEqual(before);
  });
});

describe("a plan that exceeds the time of the loop", () => {
  it("is not continued by mere readers", () => {
    const planner = createPlanner({ ...ON_LOOP, freshMost: 2 });
    const tuners = [tuner("a")];
    const wishes = ["1", "2", "3", "4", "5"].map((id, day): PlanRequest => {
      const start = EIGHT + day * DAY;
      const event = { start, stop: start + HOUR };
      const rest = { priority: 50, isLate: false, lateMs: 0, avoid: [] };
      return { recordingId: id, service: tripletOf(1), event, window: event, ...rest };
    });
    const placed = ({ placements }: Plan) => placements.map(({ recordingId }) => recordingId);
    expect(placed(planner.plan(wishes, tuners))).toEqual(["1", "2"]);
    expect(placed(planner.preview(() => [...wishes], tuners))).toEqual(["1", "2"]);
    expect(placed(planner.plan(wishes, tuners))).toEqual(["1", "2", "3", "4"]);
  });

  it("includes the near future at once, leaves the rest, and is complete a few decisions later", () => {
    const planner = createPlanner({ ...ON_LOOP, freshMost: 2 });
    const days = ["1", "2", "3", "4", "5"].map((id, day) => {
      const start = EIGHT + day * DAY;
      return timer(id, { event: { start, stop: start + HOUR } });
    });
    const brain = new Brain({ tuners: [tuner("a")], planner }).fetch(...days);
    const planned = () => days.filter(({ id }) => brain.of(id).state === "planned").map(({ id }) => id);
    expect(planned()).toEqual(["1", "2"]);
    expect(brain.rest).toEqual({ kind: "instant" });
    expect(brain.document.outbox.map(({ timerId }) => timerId)).toEqual(["1", "2"]);
    brain.at(brain.now);
    expect(planned()).toEqual(["1", "2", "3", "4"]);
    brain.at(brain.now);
    expect(planned()).toEqual(["1", "2", "3", "4", "5"]);
    expect(planner.pendingGroups()).toEqual([]);
    expect(brain.document.outbox).toHaveLength(5);
  });

  it("includes the known part, provisional or not, however much is new before it", () => {
    const inner = createPlanner({ ...ON_LOOP, freshMost: 2 });
    const plans: Plan[] = [];
    const planner: Planner = {
      ...inner,
      plan: (wishes, tuners) => {
        const plan = inner.plan(wishes, tuners);
        plans.push(plan);
        return plan;
      },
    };
    const on = (id: string, day: number, onChannel = 1) => {
      const start = EIGHT + day * DAY;
      return timer(id, { onChannel, event: { start, stop: start + HOUR } });
    };
    const known = [on("1", 4), on("2", 4, 3), on("3", 5)];
    const brain = new Brain({ tuners: [tuner("a")], planner }).fetch(...known);
    brain.at(brain.now);
    brain.fetch(...known, on("4", 1), on("5", 1, 3), on("6", 2), on("7", 3));
    const placed = plans
      .at(-1)
      ?.placements.map(({ recordingId }) => brain.document.recordings[recordingId]?.timerId);
    expect(placed?.sort()).toEqual(["1", "2", "3", "4", "5"]);
  });
});
