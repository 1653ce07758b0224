import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import type { DescribedShow } from "../../src/rules/airing.ts";
import { Automaton } from "../../src/rules/automaton.ts";
import { compileRule } from "../../src/rules/compiled-rule.ts";
import { compileExpression, type Expression } from "../../src/rules/expression.ts";
import { folded, withoutDiacritics } from "../../src/rules/fold.ts";
import { RULE_LIMITS } from "../../src/rules/limits.ts";
import { localTimeIn } from "../../src/rules/local-time.ts";
import { requiredPart } from "../../src/rules/required-part.ts";
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
    ["abc{0,20}d", "ab"],
    ["a.b+", "a[^\\n]{1,2}b"],
    ["z(.)a...q$", "z[^\\n]{1,2}a[^\\n]{1,2}[^\\n]{1,2}[^\\n]{1,2}q"],
    ["a.", undefined],
    ["a+b*cde?", "cd"],
    ["[ABC]def.gh\\d+ij", "[abc]def[^\\n]{1,2}gh[0-9]"],
    ["x{2}y\\d{4}z", "x{2}y[0-9]{4}z"],
    ["(night|Dawn) (train|ferry)", "(?:night|dawn) (?:train|ferry)"],
    ["(?:.*harbou?r|x).* the quay", " the quay"],
    ["^found|x[^a](news|sport)", "(?:found|(?:news|sport))"],
    ["der \\.\\?\\bcode", "der \\.\\?code"],
    ["劇場版|[新]アニメ", "(?:劇場版|アニメ)"],
    ["(the )?news", "news"],
    ["\\d+[a-f]+ *\\w$", "[0-9][a-f]"],
    ["(ab|c)+?x{2,3}(y|z){2}", "(?:ab|c)x"],
    ["a+b*c+d", "cd"],
    ["news|sport|.", undefined],
    ["[[:alpha:]]news", undefined],
    ["\\Qa*\\Enews", undefined],
    ["(?i)news", undefined],
    ["news|", undefined],
    [`(${"a|".repeat(30)}b)${"(x|y)".repeat(3)}`, "(?:x|y)(?:x|y)(?:x|y)"],
  ])("looks first for a part that every match of %s contains", (expression, source) => {
    expect(requiredPart(withoutDiacritics(expression))?.source).toBe(source);
  });

  it("matches as its library does, whatever part it looks for first", () => {
    const piece = fc.constantFrom(
      ...[
        "a",
        "b",
        "K",
        "s",
        "ſ",
        "é",
        " ",
        "0",
        "1",
        ".",
        "*",
        "+",
        "?",
        "{0,1}",
        "{1}",
        "{2}",
        "{,2}",
        "^",
        "$",
      ],
      ...[
        "[ab]",
        "[^a]",
        "[]a]",
        "[a-]",
        "[A-S]",
        "\\d",
        "\\w",
        "\\s",
        "\\b",
        "\\.",
        "\\-",
        "\\x61",
        "\\x{62}",
      ],
      ...[
        "\\pN",
        "\\012",
        "(a)?",
        "ab",
        "ab",
        "sa",
        "(a|b1)",
        "(?:s|ab|)",
        "(",
        ")",
        "(?:",
        "|",
        "-",
        "パ",
        "\\Qa?\\E",
        "*?",
        "+?",
      ],
    );
    const part = fc.constantFrom("ab", "sa", "b1", ..."abks 01.é-パ", "😀", "\ud83d");
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
    let [matches, others] = [0, 0];
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 7 }),
        fc.array(text, { minLength: 20, maxLength: 20 }),
        (pieces, texts) => {
          const text = pieces.join("");
          const expression = compileExpression(text);
          if ("problem" in expression) return;
          const program = RE2JS.compile(withoutDiacritics(text), RE2JS.CASE_INSENSITIVE);
          const lines = texts.map(folded);
          const matching = lines.flatMap((line, index) => (program.test(line) ? [index] : []));
          const may = expression.linesOf(lines.join("\n"));
          expect(lines.flatMap((line, index) => (expression.matches(line) ? [index] : []))).toEqual(matching);
          expect(may).toEqual(expect.arrayContaining(matching));
          others += may.length - matching.length;
          expect(lines.flatMap((line, index) => (expression.mayMatch(line) ? [index] : []))).toEqual(
            expect.arrayContaining(matching),
          );
          matches += matching.length;
        },
      ),
      { numRuns: casesOf({ sample: 400, all: 20_000 }) },
    );
    expect(matches).toBeGreaterThan(100);
    // Only those of expressions whose table is too large.
    expect(others).toBeLessThan(matches / 10);
  });

  it("matches as its library does where its table would become too large", () => {
    const hostile = "(e|x)(.|x){16}(k|q)$";
    const program = RE2JS.compile(hostile);
    const [expression, automaton] = [compiled(hostile), new Automaton(program)];
    const text = fc.string({ unit: fc.constantFrom("e", "n", "k"), minLength: 20, maxLength: 60 });
    let tooLarge = 0;
    fc.assert(
      fc.property(fc.array(text, { minLength: 300, maxLength: 300 }), (texts) => {
        const matching = texts.filter((each) => program.test(each));
        tooLarge += texts.filter((each) => automaton.matches(each, 0, each.length) === undefined).length;
        expect(texts.filter((each) => expression.matches(each))).toEqual(matching);
        expect(expression.linesOf(texts.join("\n")).flatMap((line) => texts[line] ?? [])).toEqual(
          expect.arrayContaining(matching),
        );
      }),
      { numRuns: 5 },
    );
    expect(tooLarge).toBeGreaterThan(0);
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
    const each = (rule.expression?.size ?? 0) * RULE_LIMITS.expressionText;
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
