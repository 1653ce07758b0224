import { describe, expect, it } from "vitest";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import type { TimerList } from "../../../../src/model/timer.ts";
import { ENGINE_LIMITS } from "../../../../src/recorder/engine/core/limits.ts";
import { Brain, EIGHT, EMPTY as NOTHING, timer, tuner } from "./world.ts";

const START = EIGHT - MINUTE;
const STOP = EIGHT + 32 * MINUTE;
const EMPTY: TimerList = { timers: [], malformed: [] };

function gone(brain: Brain, ...absent: readonly string[]): Brain {
  return brain.take({ kind: "timers-fetched", list: EMPTY, absent });
}

describe("R-12 a confirmed absence", () => {
  it("withdraws planned recordings without a report, because the service does not have the timer", () => {
    const brain = gone(new Brain().fetch(timer("1"), timer("2", { onChannel: 3 })).delivered(), "1");
    expect(brain.of("1")).toMatchObject({ state: "cancelled", withdrawn: true, endedAt: brain.now });
    expect(brain.of("2").state).toBe("planned");
    expect(Object.keys(brain.document.timers)).toEqual(["2"]);
    expect(brain.document.outbox).toEqual([]);
    expect(brain.facts).toContain("absence-confirmed");
  });

  it("R-14 causes no write the second time", () => {
    const brain = gone(new Brain().fetch(timer("1")), "1");
    const before = brain.document;
    expect(gone(brain, "1").document).toBe(before);
  });

  it("R-18 never ends a running recording, and then costs no write", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    const before = brain.document;
    brain.ordered();
    expect(gone(brain, "1").document).toBe(before);
    expect(brain.kinds()).toEqual([]);
    brain
      .at(STOP + SECOND)
      .ended("1")
      .closed("1");
    expect(brain.of("1").state).toBe("completed");
  });

  it("is revoked when the timer returns", () => {
    const brain = gone(new Brain().fetch(timer("1")), "1").fetch(timer("1"));
    expect(brain.of("1").state).toBe("planned");
  });
});

describe("R-42 a list full of unreadable entries", () => {
  const flood = (from: number, count: number): TimerList => ({
    timers: [],
    malformed: Array.from({ length: count }, (_, index) => ({ id: `${from + index}`, reason: "torn" })),
  });
  const take = (brain: Brain, list: TimerList) => brain.take({ kind: "timers-fetched", list });

  it("is reported up to the limit, and only once", () => {
    const brain = take(new Brain(), flood(1, ENGINE_LIMITS.refusedEntries * 3));
    expect(Object.keys(brain.document.refusedEntries)).toHaveLength(ENGINE_LIMITS.refusedEntries);
    expect(brain.document.outbox).toHaveLength(ENGINE_LIMITS.refusedEntries);
    const before = brain.document;
    expect(take(brain, flood(1, ENGINE_LIMITS.refusedEntries * 3)).document).toBe(before);
  });

  it("never exceeds the limit of stored entries, even if it changes with every poll", () => {
    const brain = new Brain();
    for (let poll = 0; poll < 5; poll += 1) {
      take(brain, flood(poll * 10_000, ENGINE_LIMITS.refusedEntries - 100)).delivered();
      expect(Object.keys(brain.document.refusedEntries).length).toBeLessThanOrEqual(
        ENGINE_LIMITS.refusedEntries,
      );
    }
    // Entries listed now are remembered; the entries that left made room for them.
    expect(brain.document.refusedEntries["40000"]).toBe("torn");
    expect(brain.document.refusedEntries["1"]).toBeUndefined();
  });

  it("does not displace good timers", () => {
    const list = { ...flood(1, ENGINE_LIMITS.refusedEntries * 2), timers: [timer("good")] };
    expect(take(new Brain(), list).of("good").state).toBe("planned");
  });
});

describe("R-14 a forget that stays in the list", () => {
  const forget = timer("1", { action: "forget" });
  const forgotten = () => new Brain().fetch(timer("1")).fetch(forget);

  it("is acknowledged once until the service has the answer", () => {
    const brain = forgotten();
    const before = brain.document;
    expect(before.outbox).toMatchObject([{ state: "completed", acknowledgesForget: true }]);
    brain.now += DAY;
    expect(brain.fetch(forget).document).toBe(before);
  });

  it("is acknowledged again ever more rarely, by DELETE, if the service ignores the answer", () => {
    const brain = forgotten().delivered();
    const end = brain.now + 7 * DAY;
    const made: (boolean | undefined)[] = [];
    while (brain.now < end) {
      brain.now += 5 * MINUTE;
      brain.fetch(forget);
      made.push(...brain.document.outbox.map(({ insists }) => insists));
      brain.delivered();
    }
    expect(made.length).toBeGreaterThan(7);
    expect(made.length).toBeLessThan(20);
    expect(new Set(made)).toEqual(new Set([true]));
  });

  it("is complete once it has left the list, and a new one is acknowledged at once", () => {
    const brain = forgotten().delivered().fetch();
    expect(brain.document.forgets).toEqual({});
    brain.fetch(forget);
    expect(brain.document.outbox).toMatchObject([{ acknowledgesForget: true }]);
    expect(brain.document.outbox[0]?.insists).toBeUndefined();
  });

  it("of a timer booked again meanwhile also withdraws that one", () => {
    const brain = forgotten().delivered().fetch(timer("1"));
    expect(brain.of("1").state).toBe("planned");
    expect(brain.fetch(forget).of("1").state).toBe("cancelled");
  });
});

describe("R-16 an event with a new id", () => {
  const moved = { start: EIGHT + 2 * MINUTE, stop: EIGHT + 32 * MINUTE };

  it("keeps its recording, and its reports go to the new id", () => {
    const brain = new Brain().fetch(timer("1"));
    const { id } = brain.of("1");
    brain.fetch(timer("77", { showId: "other", event: moved }));
    expect(Object.keys(brain.document.recordings)).toEqual([id]);
    expect(brain.of("77")).toMatchObject({ id, state: "planned", event: moved });
    expect(Object.keys(brain.document.timers)).toEqual(["77"]);
    expect(brain.document.outbox).toMatchObject([{ timerId: "77", state: "waiting" }]);
  });

  it("continues without a restart while it runs, and the new id gets the running state", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1").delivered();
    brain.ordered();
    brain.fetch(timer("77"));
    expect(brain.kinds()).toEqual(["deliver"]);
    expect(brain.document.outbox).toMatchObject([{ timerId: "77", state: "running" }]);
    brain
      .at(STOP + MODEL_LIMITS.stopDelayMs)
      .ended("77")
      .closed("77");
    expect(brain.document.outbox).toMatchObject([{ timerId: "77", state: "completed" }]);
  });

  it("is not recorded again after its end, and the new id gets the result", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(STOP + SECOND)
      .ended("1");
    brain.closed("1").delivered().fetch(timer("77"));
    expect(Object.keys(brain.document.recordings)).toHaveLength(1);
    expect(brain.document.outbox).toMatchObject([{ timerId: "77", state: "completed" }]);
  });

  it("may get its old id back", () => {
    const brain = new Brain().fetch(timer("1")).fetch(timer("77")).fetch(timer("1"));
    expect(Object.values(brain.document.recordings)).toMatchObject([{ timerId: "1", state: "planned" }]);
  });

  it.each([
    ["on another channel", timer("77", { onChannel: 3 })],
    ["that starts ten minutes later", timer("77", { event: { start: EIGHT + 10 * MINUTE, stop: STOP } })],
    ["that follows", timer("77", { event: { start: EIGHT + 30 * MINUTE, stop: EIGHT + HOUR } })],
  ])("is another event %s", (_what, other) => {
    const brain = new Brain().fetch(timer("1")).fetch(other);
    expect(Object.keys(brain.document.recordings)).toHaveLength(2);
  });

  it("is another event while the first one is still listed", () => {
    const brain = new Brain().fetch(timer("1")).fetch(timer("1"), timer("77"));
    expect(Object.keys(brain.document.recordings)).toHaveLength(2);
  });

  it("R-13 finds its recording in any order of the list", () => {
    const after = [timer("71", { event: moved }), timer("72")];
    const [one, other] = [after, [...after].reverse()].map((list) => {
      const brain = new Brain().fetch(timer("1"), timer("2", { event: moved }));
      const id = brain.of("1").id;
      return { id, brain: brain.fetch(...list) };
    });
    expect(one?.brain.document).toEqual(other?.brain.document);
    expect(one?.brain.of("72").id).toBe(one?.id);
  });
});

describe("R-15 an unreadable entry", () => {
  const broken = (...timers: TimerList["timers"]): TimerList => ({
    timers,
    malformed: [{ id: "1", reason: "start_time is soon" }],
  });

  it("does not fail a timer that was read before: it is recorded as before, with a notice", () => {
    const brain = new Brain().fetch(timer("1")).delivered();
    brain.take({ kind: "timers-fetched", list: broken() });
    expect(brain.of("1").state).toBe("planned");
    expect(brain.told("1")).toMatchObject({ message: expect.stringContaining("start_time is soon") });
    expect(brain.told("1")?.state).toBeUndefined();
  });

  it("next to a good one with the same id is ignored", () => {
    const brain = new Brain().take({ kind: "timers-fetched", list: broken(timer("1")) });
    expect(brain.document.outbox).toMatchObject([{ timerId: "1", state: "waiting" }]);
  });

  it("R-14 in two versions costs one report and no further write", () => {
    const twice = { timers: [], malformed: ["a", "b"].map((reason) => ({ id: "1", reason })) };
    const brain = new Brain().take({ kind: "timers-fetched", list: twice });
    const before = brain.document;
    expect(before.outbox).toHaveLength(1);
    brain.take({ kind: "timers-fetched", list: { ...twice, malformed: [...twice.malformed].reverse() } });
    expect(brain.document).toBe(before);
  });
});

describe("R-45 with several causes", () => {
  it("the conflict is reported once if the tuner was lost after a tuning failure", () => {
    const brain = new Brain({ tuners: [tuner("a"), tuner("b")] });
    brain
      .fetch(timer("1"), timer("2", { onChannel: 3 }))
      .at(START)
      .flowing("2")
      .ended("1", "TUNER_NO_LOCK");
    expect(brain.told("1")?.message).toContain("TUNER_NO_LOCK.");
    brain.tuners.splice(0, 1);
    brain.at(brain.now + SECOND);
    expect(brain.told("1")?.message).toContain("b records “Show 2” 19:59–20:32");
    expect(brain.document.outbox.filter(({ timerId }) => timerId === "1")).toHaveLength(1);
  });

  it("a missing capable tuner is reported only without a better cause", () => {
    const brain = new Brain({ tuners: [tuner("a")] }).fetch(timer("1")).at(START);
    brain.ended("1", "TUNER_NO_LOCK");
    brain.tuners.splice(0, 1);
    brain.at(STOP + SECOND).closed("1", NOTHING);
    expect(brain.told("1")).toMatchObject({ state: "failed", message: "Not recorded: TUNER_NO_LOCK." });
    expect(brain.document.outbox).toHaveLength(1);
  });

  it("one list gives one report for each timer, whatever its contents", () => {
    const brain = new Brain({ tuners: [tuner("a")], channels: [1, 3] });
    const list = {
      timers: [
        timer("1"),
        timer("1", { onChannel: 3 }),
        timer("2"),
        timer("3", { onChannel: 5 }),
        timer("3", { action: "forget" as const }),
      ],
      malformed: ["1", "2", "3", "4", "4"].map((id) => ({ id, reason: "torn" })),
    };
    brain.take({ kind: "timers-fetched", list });
    expect(brain.document.outbox.map(({ timerId }) => timerId).sort()).toEqual(["1", "2", "3", "4"]);
    expect(brain.told("2")?.message).toContain("Conflict");
  });
});
