import { describe, expect, it } from "vitest";
import { type PriorityMatch, priorityOf } from "../../src/model/priority.ts";
import { HOUR } from "../../src/model/time.ts";
import { Brain, EIGHT, timer } from "../recorder/engine/runtime/world.ts";

const about = { channelName: "ABC Kids", timeZone: "UTC" };
const isAbout = (match: PriorityMatch, options: Parameters<typeof timer>[1] = {}, timeZone = "UTC") =>
  priorityOf(timer("1", options), { ...about, timeZone, rules: [{ match, priority: 80 }] }) === 80;

describe("a priority rule", () => {
  it("matches a title, in which * stands for any text", () => {
    const fits = (title: string, name: string) => isAbout({ title }, { name });
    expect(fits("the harbour", "The Harbour")).toBe(true);
    expect(fits("harbour", "The Harbour")).toBe(false);
    expect(fits("*harbour*", "The Harbour at Night")).toBe(true);
    expect(fits("The*Night", "The Harbour at Night")).toBe(true);
    expect(fits("The*at*at*Night", "The Harbour at Night")).toBe(false);
    expect(fits("aba*ba", "aba")).toBe(false);
    expect(fits("(a+)+$", "(a+)+$")).toBe(true);
    expect(fits("*", "")).toBe(true);
  });

  it("matches a channel by name or id, a series, a keyword", () => {
    expect(isAbout({ channel: "abc kids" })).toBe(true);
    expect(isAbout({ channel: "7" }, { channelId: "7" })).toBe(true);
    expect(isAbout({ channel: "ABC" })).toBe(false);
    expect(isAbout({ seriesId: "12" }, { seriesRecordingId: "12" })).toBe(true);
    expect(isAbout({ seriesId: "12" })).toBe(false);
    expect(isAbout({ keywordId: "3" }, { keywordId: "3" })).toBe(true);
  });

  it("matches the start time in the household's zone, even across midnight", () => {
    const at = (hours: number) => ({ event: { start: EIGHT + hours * HOUR, stop: EIGHT + 9 * HOUR } });
    const prime = { time: { from: "20:00", until: "22:00" } };
    expect([-1, 0, 1, 2].map((hours) => isAbout(prime, at(hours)))).toEqual([false, true, true, false]);
    expect(isAbout(prime, at(-1), "Europe/Berlin")).toBe(true);
    const night = { time: { from: "22:00", until: "02:00" } };
    expect([1, 2, 5, 6].map((hours) => isAbout(night, at(hours)))).toEqual([false, true, true, false]);
  });

  it("applies if all its parts match and no earlier rule did", () => {
    const rules = [
      { match: { title: "Show*", channel: "other" }, priority: 90 },
      { match: { title: "Show*" }, priority: 70 },
      { match: { channel: "ABC Kids" }, priority: 10 },
    ];
    expect(priorityOf(timer("1"), { ...about, rules })).toBe(70);
    expect(priorityOf(timer("1", { name: "News" }), { ...about, rules })).toBe(10);
    expect(priorityOf(timer("1", { name: "News" }), { ...about, rules: [] })).toBe(50);
  });
});

describe("the priority of a rule that ordered the timer", () => {
  it("yields to the configuration, and comes before the usual one", () => {
    const ordered = timer("1", { rule: { id: 3, priority: 65 } });
    const rules = [{ match: { title: "Show 1" }, priority: 10 }];
    expect(priorityOf(ordered, { ...about, rules: [] })).toBe(65);
    expect(priorityOf(ordered, { ...about, rules })).toBe(10);
    expect(priorityOf(timer("1", { rule: { id: 3 } }), { ...about, rules: [] })).toBe(50);
  });

  it("yields to a person's override", () => {
    const brain = new Brain().fetch(timer("1", { rule: { id: 3, priority: 65 } }));
    const { id: recordingId } = brain.of("1");
    brain.take({ kind: "override-changed", recordingId, change: { priority: 20 } });
    expect(brain.of("1").priority).toBe(20);
    brain.take({ kind: "override-changed", recordingId, change: { priority: null } });
    expect(brain.of("1").priority).toBe(65);
  });
});

describe("R-20 priorities in the plan", () => {
  const timers = ["1", "2", "3"].map((id, at) => timer(id, { channelId: String(2 * at + 1) }));
  const rule = (title: string) => [{ match: { title }, priority: 80 }];

  it("decide which recordings get the tuners", () => {
    for (const id of ["1", "2", "3"]) {
      const brain = new Brain();
      brain.policy = { ...brain.policy, priorities: rule(`Show ${id}`) };
      brain.fetch(...timers);
      expect(brain.of(id)).toMatchObject({ priority: 80, state: "planned" });
    }
  });

  it("follow changes of a timer, and new rules from the next start on", () => {
    const brain = new Brain();
    brain.policy = { ...brain.policy, priorities: rule("Final") };
    brain.fetch(...timers);
    const [lost = "?"] = ["1", "2", "3"].filter((id) => brain.of(id).state === "conflicted");
    brain.fetch(...timers.map((each) => (each.id === lost ? { ...each, name: "Final" } : each)));
    expect(brain.of(lost)).toMatchObject({ priority: 80, state: "planned" });
    const [other = "?"] = ["1", "2", "3"].filter((id) => brain.of(id).state === "conflicted");
    brain.policy = { ...brain.policy, priorities: rule(`Show ${other}`) };
    brain.take({ kind: "started", running: new Set() });
    expect(brain.of(other)).toMatchObject({ priority: 80, state: "planned" });
    expect(brain.of(lost)).toMatchObject({ priority: 50 });
  });
});
