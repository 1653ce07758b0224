import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import type { DescribedShow } from "../../src/rules/airing.ts";
import { compileRule } from "../../src/rules/compiled-rule.ts";
import { compileExpression, type Expression, requiredText } from "../../src/rules/expression.ts";
import { folded, withoutDiacritics } from "../../src/rules/fold.ts";
import { RULE_LIMITS } from "../../src/rules/limits.ts";
import { localTimeIn } from "../../src/rules/local-time.ts";
import { RuleSet } from "../../src/rules/rule-set.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";

function compiled(text: string): Expression {
  const expression = compileExpression(text);
  if ("problem" in expression) throw new Error(expression.problem);
  return expression;
}

function problemOf(text: string): string {
  const expression = compileExpression(text);
  return "problem" in expression ? expression.problem : "";
}

const LONG = `${"a".repeat(RULE_LIMITS.expressionText - 1)}!`;

describe("an expression", () => {
  // Backtracking would take longer than the age of the universe.
  it.each(["(a+)+$", "(a|a)*b", "(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)x$", "((a?){30}a{30})+$"])(
    "that is hostile ends: %s",
    (text) => {
      expect(compiled(text).matches(LONG)).toBe(false);
    },
  );

  it.each([
    ["a backreference", "(a)\\1", "character 4"],
    ["a look-ahead", "ab(?=c)", "character 3"],
    ["an open group", "(ab", "missing closing )"],
    ["nested groups, one of them closed twice", `${"(".repeat(99)}a${")".repeat(100)}`, "unexpected )"],
    ["more characters than allowed", "a".repeat(201), "200 characters"],
    ["many counts", "(a{50}){50}b{1,5}", "add up to 100"],
    ["a huge program", "([a-z][0-9][a-z][0-9]){40}(.?){50}(xy|z){9}", "too complex"],
  ])("is refused with its problem: %s", (_what, text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });

  it.each([
    ["smugglers? .*lantern", "smuggler"],
    ["^The  Café 24$", "the  cafe 24"],
    ["ab{0,20}c", "a"],
    ["a+b*cde?", "cd"],
    ["[abc]def.gh\\d+ij", "def"],
    ["x{2}yz", "yz"],
    ["(the )?news", ""],
    ["news|sport", ""],
    ["[[:alpha:]]news", ""],
    ["\\Qa*\\Enews", ""],
  ])("looks first for a text that every match of %s contains", (expression, text) => {
    expect(requiredText(withoutDiacritics(expression))).toBe(text);
  });

  it("matches as its library does, whatever text it looks for first", () => {
    const piece = fc.constantFrom(
      ...["a", "b", "K", "s", "ſ", "é", " ", "0", "1", ".", "*", "+", "?", "{0,1}", "{1}", "{,2}", "^", "$"],
      ...[
        "[ab]",
        "[^a]",
        "[]a]",
        "\\d",
        "\\b",
        "\\.",
        "\\x61",
        "\\x{62}",
        "\\pN",
        "\\012",
        "(a)?",
        "|",
        "-",
        "\\Qa?\\E",
      ],
    );
    let matches = 0;
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 7 }),
        fc.array(fc.stringMatching(/^[abks 01.é-]{0,8}$/), { minLength: 20, maxLength: 20 }),
        (pieces, texts) => {
          const text = pieces.join("");
          const expression = compileExpression(text);
          if ("problem" in expression) return;
          const program = RE2JS.compile(withoutDiacritics(text), RE2JS.CASE_INSENSITIVE);
          for (const one of texts.map(folded)) {
            expect(expression.matches(one)).toBe(program.test(one));
            if (program.test(one) && requiredText(withoutDiacritics(text)) !== "") matches += 1;
          }
        },
      ),
      { numRuns: casesOf({ sample: 500, all: 20_000 }) },
    );
    expect(matches).toBeGreaterThan(100);
  });

  it("sees the begin of a long text only", () => {
    expect(compiled("!$").matches(LONG)).toBe(true);
    expect(compiled("!$").matches(`a${LONG}`)).toBe(false);
  });

  it("finds nothing more after its part of the work of one search", () => {
    const rule = compileRule({
      ...{ kind: "rule", id: 1, createdAt: 0, quality: "Prefer HD" },
      wants: { expression: "(e|n)(.|x){60}(k|q)$|^found", within: "all" },
    });
    const set = new RuleSet([rule], localTimeIn("UTC"));
    const show = (id: number): DescribedShow => ({
      ...{ id, channelId: 1, seriesId: "", episodeId: "", start: id, durationMinutes: 30, subtitle: "" },
      ...{ title: "Found", desc: "o".repeat(RULE_LIMITS.expressionText), category: [] },
    });
    const place = { isHd: false, networkId: undefined };
    expect(set.wanting({ show: show(1), ...place })).toHaveLength(1);
    const each = set.takeSpent();
    expect(each).toBeGreaterThan(100_000);
    let seen = 1;
    while (set.exhausted.length === 0) {
      set.wanting({ show: show(seen), ...place });
      seen += 1;
    }
    expect(seen).toBeLessThanOrEqual(Math.ceil(RULE_LIMITS.expressionWork / each) + 1);
    expect(set.wanting({ show: show(1), ...place })).toEqual([]);
  });
});
