import { describe, expect, it } from "vitest";
import { MINUTE } from "../../../../src/model/time.ts";
import type { RuleQuestion } from "../../../../src/model/what-if.ts";
import { ruleBurden } from "../../../../src/recorder/engine/core/rule-burden.ts";
import { createPlanner } from "../../../../src/recorder/plan/planner.ts";
import { Brain, EIGHT, timer } from "../runtime/world.ts";

const ask = (brain: Brain, question: RuleQuestion, freeBytes = 1e12) =>
  ruleBurden(question, brain.document, {
    world: brain.world,
    plans: async (problems) => problems.map(({ requests, tuners }) => createPlanner().plan(requests, tuners)),
    space: { kind: "online", freeBytes, lowBytes: 2e9, stopBytes: 1e9, bytesPerSecond: () => 1e6 },
  });

/** A show on one of six channels, each on a multiplex of its own with the next one. */
const show = (id: string, channelId: string, more: Parameters<typeof timer>[1] = {}) =>
  timer(id, { channelId, showId: id, ...more });
const later = (minutes: number) => ({
  event: { start: EIGHT + minutes * MINUTE, stop: EIGHT + (minutes + 30) * MINUTE },
});

describe("the burden of a rule", () => {
  it("is nothing but space while there are tuners", async () => {
    const brain = new Brain().fetch(show("1", "1"));
    const { displaced, unplaced } = await ask(brain, {
      timers: [show("90", "3"), show("91", "3", later(60))],
    });
    expect(displaced).toEqual([]);
    expect(unplaced).toEqual([]);
  });

  it("names recordings of less priority that lose, and for how long", async () => {
    const brain = new Brain().fetch(show("1", "1"), show("2", "3", { rule: { id: 7, priority: 40 } }));
    const { displaced, unplaced } = await ask(brain, {
      timers: [show("90", "5", { rule: { id: 0, priority: 60 } })],
    });
    expect(displaced).toEqual([
      {
        recordingId: brain.of("2").id,
        timerId: "2",
        title: "Show 2",
        start: EIGHT,
        stop: EIGHT + 30 * MINUTE,
        lostMs: 30 * MINUTE,
      },
    ]);
    expect(unplaced).toEqual([]);
  });

  it("names shows that get no tuner, also those of a channel without a service", async () => {
    const brain = new Brain().fetch(show("1", "1"), show("2", "3"));
    const timers = [show("90", "5", { rule: { id: 0, priority: 10 } }), show("91", "77", later(120))];
    expect(await ask(brain, { timers })).toMatchObject({ displaced: [], unplaced: ["90", "91"] });
  });

  it("compares with the plan without the rule, whether its timers are known already or not", async () => {
    const rule = { id: 7, priority: 60 };
    const mine = [show("90", "3", { rule }), show("91", "5", { rule })];
    const before = new Brain().fetch(show("1", "1"));
    const after = new Brain().fetch(show("1", "1"), ...mine);
    const fresh = await ask(before, { timers: mine });
    expect(fresh.displaced.map(({ timerId, lostMs }) => [timerId, lostMs])).toEqual([["1", 30 * MINUTE]]);
    const stored = await ask(after, { timers: mine, ruleId: 7 });
    expect(stored.displaced.map(({ timerId }) => timerId)).toEqual(["1"]);
    expect(stored.unplaced).toEqual([]);
  });

  it("leaves a running recording of the rule on its tuner", async () => {
    const rule = { id: 7, priority: 10 };
    const brain = new Brain()
      .fetch(show("1", "1", { rule }))
      .at(EIGHT)
      .flowing("1");
    const timers = [show("1", "1", { rule }), show("90", "3"), show("91", "5")];
    expect(await ask(brain, { timers, ruleId: 7 })).toMatchObject({
      displaced: [],
      unplaced: [expect.any(String)],
    });
  });

  it("needs the space of its recordings, or of the number that it keeps and the running one", async () => {
    const brain = new Brain().fetch(show("1", "1"));
    const timers = [0, 60, 120, 180].map((minutes, at) => show(`9${at}`, "3", later(minutes)));
    // 33 minutes with padding, at a megabyte in a second.
    const each = 33 * 60 * 1e6;
    expect((await ask(brain, { timers })).space).toEqual({
      needsBytes: 4 * each,
      freeBytes: 1e12 - 1e9 - each,
    });
    expect((await ask(brain, { timers, keep: 1 })).space?.needsBytes).toBe(2 * each);
    expect((await ask(brain, { timers }, 2e9)).space?.freeBytes).toBe(0);
  });

  it("changes nothing", async () => {
    const brain = new Brain().fetch(show("1", "1"));
    const { document } = brain;
    await ask(brain, { timers: [show("90", "3")], ruleId: 7 });
    expect(brain.document).toBe(document);
  });
});
