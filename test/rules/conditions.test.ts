import { describe, expect, it } from "vitest";
import type { RuleConditions } from "../../src/model/rule.ts";
import type { DescribedShow } from "../../src/rules/airing.ts";
import { compileRule } from "../../src/rules/compiled-rule.ts";
import { localTimeIn } from "../../src/rules/local-time.ts";
import { RuleSet } from "../../src/rules/rule-set.ts";

/** Saturday, 20:15 in Berlin. */
const START = Date.UTC(2026, 9, 24, 18, 15);
const SHOW: DescribedShow = {
  ...{ id: 1, channelId: 7, seriesId: "10", episodeId: "10 s1e1", start: START, durationMinutes: 90 },
  ...{
    title: "Küchen-Duell: Das Finale",
    subtitle: "Der Nachtzug",
    desc: "Zwei Köche, ein Café & ein Sturm.",
  },
  category: [{ name: "Krimi" }, { name: "Fußball", eit: "0x43" }],
};

function wants(conditions: RuleConditions, change: Partial<DescribedShow> = {}): boolean {
  const rule = compileRule({
    ...{ kind: "rule", id: 1, createdAt: 0, quality: "Prefer HD", wants: conditions },
  });
  const set = new RuleSet([rule], localTimeIn("Europe/Berlin"));
  return set.wanting({ show: { ...SHOW, ...change }, isHd: false, networkId: undefined }).length === 1;
}

describe("a rule", () => {
  it.each<readonly [string, RuleConditions, boolean]>([
    ["words of the title, in any order, case and accents", { words: "FINALE kuchen" }, true],
    ["words that the title has only in part", { words: "final" }, false],
    ["words of the description without asking for it", { words: "koche" }, false],
    ["words of title and description together", { words: "duell sturm", within: "all" }, true],
    ["an expression at the begin of the title", { expression: "^küchen-" }, true],
    ["an expression without accents", { expression: "kuchen-duell: das (finale|ende)$" }, true],
    ["an expression that needs a description", { expression: "koche, ein cafe" }, false],
    ["the same, with the description", { expression: "koche, ein cafe", within: "all" }, true],
    ["words and an expression, of which one fails", { words: "finale", expression: "^finale" }, false],
    ["no word of the description", { words: "finale", without: "sturm" }, false],
    ["no word that is only part of one", { words: "finale", without: "stur" }, true],
    ["the series", { seriesId: "10" }, true],
    ["another series", { seriesId: "11" }, false],
    ["a category by its name", { genres: ["movie", "KRIMI"] }, true],
    ["a genre by the content code", { genres: ["sports"] }, true],
    ["another genre", { genres: ["movie"] }, false],
    ["one of several channels", { words: "finale", channelIds: [3, 7] }, true],
    ["another channel", { words: "finale", channelIds: [3] }, false],
    ["Saturdays", { words: "finale", weekdays: [6] }, true],
    ["Sundays", { words: "finale", weekdays: [7] }, false],
    ["a time that begins with the show", { words: "finale", between: { from: 1215, until: 1216 } }, true],
    ["a time that ends with its begin", { words: "finale", between: { from: 1200, until: 1215 } }, false],
    ["a time over midnight", { words: "finale", between: { from: 1200, until: 60 } }, true],
    [
      "a time over midnight that begins later",
      { words: "finale", between: { from: 1300, until: 60 } },
      false,
    ],
    ["exactly its length", { words: "finale", minMinutes: 90, maxMinutes: 90 }, true],
    ["more than its length", { words: "finale", minMinutes: 91 }, false],
    ["less than its length", { words: "finale", maxMinutes: 89 }, false],
  ])("that asks for %s", (_what, conditions, isWanted) => {
    expect(wants(conditions)).toBe(isWanted);
  });

  it("goes by the clock on the wall when the clocks change", () => {
    const nextDay = { start: START + 25 * 60 * 60_000 };
    expect(wants({ words: "finale", weekdays: [7], between: { from: 1215, until: 1216 } }, nextDay)).toBe(
      true,
    );
  });

  it.each<readonly [string, number, boolean]>([
    ["on Friday evening", Date.UTC(2026, 9, 23, 20, 30), true],
    ["after midnight on Saturday morning", Date.UTC(2026, 9, 23, 22, 30), true],
    ["at the end of that time", Date.UTC(2026, 9, 24, 0, 0), false],
    ["after midnight on Friday morning", Date.UTC(2026, 9, 22, 22, 30), false],
    ["on Saturday evening", Date.UTC(2026, 9, 24, 20, 30), false],
  ])("for Fridays from 22:00 to 02:00 judges a show %s", (_when, start, isWanted) => {
    const friday = { words: "finale", weekdays: [5], between: { from: 1320, until: 120 } };
    expect(wants(friday, { start })).toBe(isWanted);
  });

  it("for Sundays over midnight wants a show on Monday morning", () => {
    const sunday = { words: "finale", weekdays: [7], between: { from: 1320, until: 1320 } };
    expect(wants(sunday, { start: Date.UTC(2026, 9, 25, 23, 30) })).toBe(true);
  });

  it("keeps marks that make other words in other scripts", () => {
    expect(wants({ words: "ハハ" }, { title: "パパ" })).toBe(false);
    expect(wants({ words: "パパ" }, { title: "パパ と ママ" })).toBe(true);
  });
});
