import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../../../../src/model/time.ts";
import type { Timer } from "../../../../../src/model/timer.ts";
import {
  broughtUpToDate,
  expansionInput,
  type PlanView,
} from "../../../../../src/recorder/subsystems/booking/kept/known.ts";
import { withListedRules } from "../../../../../src/recorder/subsystems/booking/kept/listed-rules.ts";
import { type KeptRules, NO_RULES } from "../../../../../src/recorder/subsystems/booking/kept/store.ts";
import { timer } from "../../../engine/runtime/world.ts";
import { ended, NOW, recording } from "../../library/entries.ts";

const EVENT = { start: NOW + DAY, stop: NOW + DAY + 30 * MINUTE };
const ORDER = { ruleId: 7, episode: "s1 1", showId: 90, channelId: 1, name: "Tide", ...EVENT };
const RULE = { id: 7, name: "Tide", words: "tide", quality: "Prefer HD", deviceId: 1, createdAt: 0 } as const;
const KEPT: KeptRules = { ...NO_RULES, rules: [RULE], timers: { "5": { ...ORDER, isListed: true } } };
const listed = (id = "5", more: Partial<Timer> = {}): Timer =>
  timer(id, { name: "Tide", channelId: "1", showId: "90", event: EVENT, ...more });
const planOf = (timers: readonly Timer[], recordings: PlanView["recordings"] = []): PlanView => ({
  timers: Object.fromEntries(timers.map((one) => [one.id, one])),
  recordings,
});
const done = ({ done: all }: KeptRules) => all.map(({ episode, became }) => [episode, became]);

describe("the memory of kept rules", () => {
  it("stays the same object while nothing changes", () => {
    expect(broughtUpToDate(KEPT, planOf([listed()]), NOW)).toBe(KEPT);
  });

  it("counts a timer that disappears before its event as cancelled by a person", () => {
    const next = broughtUpToDate(KEPT, planOf([]), NOW);
    expect([next.timers, done(next)]).toEqual([{}, [["s1 1", "declined"]]]);
  });

  it("waits for a timer that the service has not listed yet, and for one that we cancel", () => {
    for (const more of [{}, { isListed: true, isLeaving: true }] as const) {
      const kept = { ...KEPT, timers: { "5": { ...ORDER, ...more } } };
      expect(broughtUpToDate(kept, planOf([]), NOW)).toBe(kept);
    }
    const fresh = { ...KEPT, timers: { "5": ORDER } };
    expect(broughtUpToDate(fresh, planOf([listed()]), NOW).timers["5"]?.isListed).toBe(true);
  });

  it("R-16 follows a timer to its new id", () => {
    const next = broughtUpToDate(KEPT, planOf([listed("6")]), NOW);
    expect([Object.keys(next.timers), next.done]).toEqual([["6"], []]);
  });

  it("counts an episode as recorded by its recording, whoever ordered it, and forgets what is over", () => {
    const past = { start: NOW - 2 * HOUR, stop: NOW - HOUR };
    const kept = { ...KEPT, timers: { "5": { ...ORDER, ...past, isListed: true as const } } };
    const next = broughtUpToDate(kept, planOf([], [ended("r1", { timerId: "5" })]), NOW);
    expect([next.timers, done(next)]).toEqual([{}, [["s1 1", "recorded"]]]);
    const theirs = ended("r2", { timerId: "9", programme: { seriesId: "s1", episodeId: "s1 4" } });
    expect(done(broughtUpToDate(KEPT, planOf([listed()], [theirs]), NOW))).toEqual([["s1 4", "recorded"]]);
  });

  it("counts a number without a season as that of another season half a year later", () => {
    const early = { ...KEPT, done: [{ episode: "s1 e4", at: NOW - 200 * DAY, became: "recorded" as const }] };
    const theirs = ended("r2", { timerId: "9", programme: { seriesId: "s1", episodeId: "s1 e4" } });
    const next = broughtUpToDate(early, planOf([listed()], [theirs]), NOW);
    expect(next.done).toEqual([{ episode: "s1 e4", at: NOW, became: "recorded" }]);
    expect(broughtUpToDate(next, planOf([listed()], [theirs]), NOW + DAY)).toBe(next);
  });

  it("wants the episode of a failed recording again", () => {
    const past = { start: NOW - 2 * HOUR, stop: NOW - HOUR };
    const kept = { ...KEPT, timers: { "5": { ...ORDER, ...past, isListed: true as const } } };
    const lost = ended("r1", { timerId: "5", state: "partial" });
    expect(done(broughtUpToDate(kept, planOf([], [lost]), NOW))).toEqual([]);
  });

  it("counts an episode as cancelled if its running recording was stopped", () => {
    const stopped = recording("r1", { timerId: "5", withdrawn: true });
    expect(done(broughtUpToDate(KEPT, planOf([listed()], [stopped]), NOW))).toEqual([["s1 1", "declined"]]);
  });
});

describe("the input of an expansion", () => {
  it("tells timers of rules from those of people, and has those that are not listed yet", () => {
    const kept = { ...KEPT, timers: { ...KEPT.timers, "8": { ...ORDER, episode: "s1 2", showId: 91 } } };
    const { timers } = expansionInput(kept, planOf([listed(), listed("6", { showId: "3" })]), {
      airings: [],
      now: NOW,
    });
    expect(timers.map(({ id, episode, ruleId }) => [id, episode, ruleId])).toEqual([
      ["5", "s1 1", 7],
      ["6", undefined, undefined],
      ["8", "s1 2", 7],
    ]);
  });
});

describe("the service's list", () => {
  const account = (timers: readonly Timer[]) =>
    ({ timers: async () => ({ timers, malformed: [] }) }) as never;
  const signal = new AbortController().signal;

  it("has the recorder's own rules, also of a timer whose id is not noted yet", async () => {
    const rule = { ...RULE, keep: 3, priority: 60, folder: "Sea", beforeMinutes: 2 };
    for (const current of [
      { ...KEPT, rules: [rule] },
      { ...KEPT, rules: [rule], timers: {}, ordering: [ORDER] },
    ]) {
      const { timers } = await withListedRules(account([listed(), listed("6", { showId: "3" })]), {
        current,
      }).timers(signal);
      expect(timers[0]).toMatchObject({
        beforeMinutes: 2,
        rule: { id: 7, keep: 3, priority: 60, folder: "Sea" },
      });
      expect(timers[1]).toEqual(listed("6", { showId: "3" }));
    }
  });
});
