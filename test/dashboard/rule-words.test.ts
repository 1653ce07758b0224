import { beforeAll, describe, expect, it } from "vitest";
import {
  formOf,
  hasMoreConditions,
  looksForSomething,
  orderOf,
  type RuleDraft,
} from "../../src/dashboard/rules/form.ts";
import { ruleLine } from "../../src/dashboard/rules/line.ts";
import { countText, exceeds, matchDays, reasonText } from "../../src/dashboard/rules/matches.ts";
import { nextOfTimers } from "../../src/dashboard/rules/next.ts";
import { setReader } from "../../src/dashboard/state/language.ts";
import { GENRES, QUALITIES, RULE_OUTCOMES, type RuleMatch, type RuleOrder } from "../../src/model/rule.ts";
import { HOUR } from "../../src/model/time.ts";
import { createReader } from "../../src/words/reader.ts";
import { en } from "../../src/words/texts/en.ts";
import { fc } from "../properties.ts";

beforeAll(() =>
  setReader(createReader({ language: "en", locale: "en-GB", timeZone: "Europe/Berlin", text: en })),
);

const channelName = (id: number) => `Channel ${id}`;
const order = (more: RuleDraft): RuleOrder => ({
  name: "Tide",
  words: "Tide",
  quality: "Prefer HD",
  ...more,
});
const line = (more: RuleDraft) => ruleLine(order(more), channelName);

const text = fc.string({ minLength: 1, maxLength: 20 }).filter((one) => one.trim() === one && one !== "");
const count = fc.integer({ min: 0, max: 500 });
const minute = fc.integer({ min: 0, max: 1439 });
/** Orders as a keeper stores them: times that say nothing are absent. */
const orders: fc.Arbitrary<RuleOrder> = fc
  .record(
    {
      name: text,
      words: text,
      expression: text,
      seriesId: text,
      genres: fc.uniqueArray(fc.constantFrom(...GENRES, "Krimi", "True crime"), { minLength: 1 }),
      within: fc.constant("all" as const),
      without: text,
      channelIds: fc.uniqueArray(fc.integer({ min: 1 }), { minLength: 1 }),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      between: fc.record({ from: minute, until: minute }).filter((one) => one.from + one.until > 0),
      minMinutes: count,
      maxMinutes: count,
      newOnly: fc.constant(true as const),
      airing: fc.constant("first" as const),
      quality: fc.constantFrom(...QUALITIES),
      keep: count,
      priority: count,
      beforeMinutes: count,
      afterMinutes: count,
      folder: text,
      isPaused: fc.constant(true as const),
    },
    { requiredKeys: ["name", "quality"] },
  )
  // The form lists genres before categories of the guide.
  .map((one) => ({
    ...one,
    ...(one.genres === undefined
      ? {}
      : { genres: one.genres.toSorted((a, b) => Number(isCategory(a)) - Number(isCategory(b))) }),
  }));

function isCategory(genre: string): boolean {
  return !(GENRES as readonly string[]).includes(genre);
}

describe("the form of a rule", () => {
  it("loses nothing of an order that a person opens and saves", () => {
    fc.assert(
      fc.property(orders, (one) => {
        expect(orderOf(formOf(one))).toEqual(one);
      }),
    );
  });

  it("takes the name from what the rule looks for, until a person names it", () => {
    const form = { ...formOf({}), words: "tide" };
    expect(orderOf(form)).toEqual({ name: "tide", words: "tide", quality: "Prefer HD" });
    expect(orderOf({ ...formOf(orderOf(form)), words: "low tide" }).name).toBe("low tide");
    expect(orderOf({ ...form, name: " Sea " }).name).toBe("Sea");
    expect(orderOf({ ...form, words: "", genres: ["news"] }).name).toBe("news");
  });

  it("reads an empty end of the time of day as midnight", () => {
    const timed = (from: string, until: string) => orderOf({ ...formOf({}), from, until }).between;
    expect(timed("18:00", "")).toEqual({ from: 1080, until: 0 });
    expect(timed("", "09:30")).toEqual({ from: 0, until: 570 });
    expect(timed("", "")).toBeUndefined();
    expect(formOf({ between: { from: 1080, until: 1440 } })).toMatchObject({ from: "18:00", until: "" });
  });

  it("unfolds only where a condition would be hidden", () => {
    expect(hasMoreConditions(formOf(order({ channelIds: [1], newOnly: true, expression: "x" })))).toBe(false);
    expect(hasMoreConditions(formOf(order({ keep: 5 })))).toBe(true);
    expect(hasMoreConditions(formOf(order({ name: "Sea" })))).toBe(true);
  });

  it("looks for something only with words, an expression, a series or a genre", () => {
    const looks = (draft: RuleDraft) => looksForSomething(orderOf(formOf(draft)));
    expect(looks({ channelIds: [1], newOnly: true, without: "x" })).toBe(false);
    expect([{ words: "x" }, { expression: "x" }, { seriesId: "x" }, { genres: ["x"] }].every(looks)).toBe(
      true,
    );
  });
});

describe("the line about a rule", () => {
  it("says what it wants, where and when, and what it keeps", () => {
    const between = { from: 1080, until: 0 };
    expect(line({ newOnly: true, channelIds: [1], weekdays: [5, 4, 3, 2, 1], between, keep: 5 })).toBe(
      "New episodes on Channel 1, weekdays after 18:00, keep the newest 5",
    );
  });

  it.each<[RuleDraft, string]>([
    [{}, "All shows"],
    [{ within: "all" }, "All shows, “Tide” in title or description"],
    [{ name: "Sea", airing: "first" }, "First airing of each episode, “Tide” in the title"],
    [{ airing: "first", newOnly: true }, "First airing of each new episode"],
    [{ expression: "^Low" }, "All shows, title matches ^Low"],
    [
      { genres: ["movie", "Krimi"], without: "trailer" },
      "All shows, genre: Films and series, Krimi, without “trailer”",
    ],
    [{ channelIds: [1, 2, 3, 4, 5] }, "All shows on Channel 1, Channel 2, Channel 3 and 2 others"],
    [{ weekdays: [6, 7] }, "All shows, weekends"],
    [{ weekdays: [7, 1] }, "All shows, Mon and Sun"],
    [{ between: { from: 0, until: 540 } }, "All shows, before 09:00"],
    [{ between: { from: 1200, until: 60 } }, "All shows, between 20:00 and 01:00"],
    [{ minMinutes: 90 }, "All shows, at least 1 h 30 min"],
    [{ minMinutes: 20, maxMinutes: 60 }, "All shows, 20 min to 1 h"],
    [{ maxMinutes: 45 }, "All shows, at most 45 min"],
  ])("of %j is: %s", (more, expected) => {
    expect(line(more)).toBe(expected);
  });
});

describe("the preview of a rule", () => {
  const now = Date.parse("2026-11-25T12:00:00Z");
  const match = (showId: number, hours: number, more: Partial<RuleMatch> = {}): RuleMatch => ({
    showId,
    channelId: 1,
    title: "Tide",
    start: now + hours * HOUR,
    stop: now + (hours + 1) * HOUR,
    outcome: "records",
    isIdentified: true,
    ...more,
  });
  const preview = { total: 3, records: 2, unidentified: 1 };

  it("groups its shows by the days of the reader", () => {
    const matches = [match(1, 1), match(2, 10.5), match(3, 11.5)];
    const days = matchDays({ ...preview, matches }, now);
    // 23:30 and 00:30 in Berlin.
    expect(days.map(({ day, lines }) => [day, lines.map(({ showId }) => showId)])).toEqual([
      ["Today", [1, 2]],
      ["Tomorrow", [3]],
    ]);
  });

  it("says which of the recorded shows gets no tuner, and only of those", () => {
    const matches = [match(1, 1), match(2, 2), match(3, 3, { outcome: "repeat" })];
    const unplaced = [2, 3].map((showId) => ({ showId, title: "Tide", start: now }));
    const [today] = matchDays({ ...preview, matches, unplaced }, now);
    expect(today?.lines.map(({ fate }) => fate)).toEqual(["records", "noTuner", "repeat"]);
  });

  it("has a reason for each show that is not recorded, and for one that the guide does not identify", () => {
    for (const fate of [...RULE_OUTCOMES, "noTuner"] as const) {
      const reason = reasonText({ ...match(1, 1), fate });
      expect(reason === undefined, fate).toBe(fate === "records");
      expect(reason).not.toBe(`rules-reason-${fate}`);
    }
    expect(reasonText({ ...match(1, 1, { isIdentified: false }), fate: "records" })).toContain(
      "which episode",
    );
  });

  it("counts in one sentence", () => {
    const of = (records: number, total: number) => ({ ...preview, matches: [], records, total });
    expect(countText(of(12, 17), false)).toBe("Records 12 of 17 shows in the next two weeks.");
    expect(countText(of(1, 1), false)).toBe("Records 1 of 1 show in the next two weeks.");
    expect(countText(of(0, 0), true)).toBe("No show in the next two weeks matches.");
    expect(countText({ ...of(9, 17), countedUntil: Date.UTC(2030, 0, 1, 20) }, false)).toMatch(
      /^So many shows match that only those before .+ are counted: records 9 of 17\.$/,
    );
    expect(countText(of(1, 2), true)).toBe("Paused: it would record 1 of 2 shows in the next two weeks.");
  });

  it("exceeds something if another recording loses, a tuner is missing, or the space", () => {
    const plain = { ...preview, matches: [], displaced: [], unplaced: [] };
    expect(exceeds(plain)).toBe(false);
    expect(exceeds({ ...plain, needsBytes: 5, freeBytes: 5 })).toBe(false);
    expect(exceeds({ ...plain, needsBytes: 6, freeBytes: 5 })).toBe(true);
    const displaced = [{ timerId: "1", title: "News", start: 0, stop: 1, lostMs: 1 }];
    expect(exceeds({ ...plain, displaced })).toBe(true);
    expect(exceeds({ ...plain, unplaced: [{ showId: 1, title: "Tide", start: 0 }] })).toBe(true);
  });
});

describe("the next recording of an order", () => {
  it("is the earliest of its timers", () => {
    const timers = [
      { ruleId: 1, channelId: 5, start: 30 },
      { ruleId: 1, keywordId: 2, channelId: 4, start: 20 },
      { seriesId: "tide", channelId: 3, start: 10 },
    ];
    expect([...nextOfTimers(timers, channelName)]).toEqual([
      ["series tide", { start: 10, channel: "Channel 3" }],
      ["rule 1", { start: 20, channel: "Channel 4" }],
      ["keyword 2", { start: 20, channel: "Channel 4" }],
    ]);
  });
});
