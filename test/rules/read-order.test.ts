import { describe, expect, it } from "vitest";
import { readRuleOrder } from "../../src/rules/read-order.ts";

const ORDER = { name: "Films", words: "night train" };

function mistakesOf(fields: object) {
  const read = readRuleOrder(fields);
  return "mistakes" in read ? read.mistakes : [];
}

describe("the order of a rule", () => {
  it("is trimmed and sorted, with each entry once", () => {
    expect(
      readRuleOrder({ ...ORDER, name: " Films ", weekdays: [7, 1, 7], genres: ["movie", "movie"] }),
    ).toEqual({ ...ORDER, quality: "Prefer HD", weekdays: [1, 7], genres: ["movie"] });
  });

  it.each([
    ["name", { name: " " }, "A name is a text"],
    ["name", { name: undefined }, "needs a name"],
    ["words", { words: undefined }, "needs words, an expression, a series or a genre"],
    ["words", { words: "!?" }, "needs a word"],
    ["words", { words: "a\u0000b" }, "on one line"],
    ["name", { name: "a\u2028b" }, "on one line"],
    ["expression", { expression: "(a" }, "has a mistake"],
    ["within", { within: "title" }, "all, or title"],
    ["genres", { genres: [] }, "list of names"],
    ["genres", { genres: ["a,b"] }, "comma"],
    ["channelIds", { channelIds: [0] }, "whole number"],
    ["weekdays", { weekdays: [8] }, "from 1 to 7"],
    ["between", { between: { from: 0, until: 1440 } }, "0 to 1439"],
    ["maxMinutes", { minMinutes: 60, maxMinutes: 30 }, "less than the shortest"],
    ["keep", { keep: 0 }, "from 1"],
    ["priority", { priority: 101 }, "from 0 to 100"],
    ["beforeMinutes", { beforeMinutes: 0.5 }, "whole number"],
    ["quality", { quality: "Best" }, "one of Prefer HD"],
    ["folder", { folder: "/etc" }, "begins with /"],
    ["folder", { folder: "a/../b" }, "begins or ends with a dot"],
    ["folder", { folder: "a//b" }, "without a name"],
    ["folder", { folder: "a/b/c/d/e" }, "more than 4 levels"],
    ["folder", { folder: "C:\\Films" }, "disks refuse"],
    ["folder", { folder: "Films/con" }, "reserved"],
    ["folder", { folder: `${"ü".repeat(60)}` }, "more than 100 bytes"],
  ])("is refused at %s: %j", (field, change, problem) => {
    const mistakes = mistakesOf({ ...ORDER, ...change });
    expect(mistakes).toEqual([{ field, problem: expect.stringContaining(problem) }]);
  });

  it("says of each mistake what is wrong: screens show the sentence alone", () => {
    const all = Object.fromEntries(
      ["name", "isPaused", "words", "expression", "seriesId", "genres", "within", "without", "channelIds"]
        .concat(["weekdays", "between", "minMinutes", "maxMinutes", "newOnly", "airing", "quality", "keep"])
        .concat(["priority", "beforeMinutes", "afterMinutes", "folder"])
        .map((field) => [field, -0.5]),
    );
    const mistakes = mistakesOf(all);
    expect(mistakes.map(({ field }) => field).sort()).toEqual(Object.keys(all).sort());
    expect(mistakesOf({ ...all, words: "!" }).concat(mistakes)).not.toContainEqual(
      expect.objectContaining({ problem: expect.stringMatching(/^It /) }),
    );
  });

  it("tells all of its mistakes at once", () => {
    expect(mistakesOf({ ...ORDER, keep: -1, folder: "..", weekdays: "x" }).map(({ field }) => field)).toEqual(
      ["weekdays", "keep", "folder"],
    );
  });
});
