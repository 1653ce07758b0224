import { RE2JS, RE2JSException } from "re2js";
import { Automaton } from "./automaton.ts";
import { withoutDiacritics } from "./fold.ts";
import { RULE_LIMITS } from "./limits.ts";
import { linesWith } from "./lines.ts";
import { requiredPart } from "./required-part.ts";

/** A regular expression for folded texts. */
export interface Expression {
  /** Instructions of its program: times the characters of a text, they bound the cost of one match. */
  readonly size: number;
  matches(foldedText: string): boolean;
  /** Whether it may match, at a small part of the cost: ask this first. */
  mayMatch(foldedText: string): boolean;
  /** The numbers of the lines that may match, at a smaller part; few others than those that do. */
  linesOf(foldedTexts: string): readonly number[];
}

/** Why an expression cannot be used: the rest of a sentence that begins with it. */
export type ExpressionProblem = { readonly problem: string };

/**
 * Compiles an expression in the syntax of RE2, which has neither backreferences nor look-around: its time is linear
 * in the text. Case and diacritics do not matter.
 */
export function compileExpression(text: string): Expression | ExpressionProblem {
  const { textLength, expressionCounts, expressionSize, expressionText } = RULE_LIMITS;
  if (text.length > textLength) return { problem: `has more than ${textLength} characters` };
  const counts = [...text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) => Number(to || from));
  if (counts.reduce((sum, count) => sum + count, 0) > expressionCounts) {
    return { problem: `repeats too often: its counts in braces may add up to ${expressionCounts}` };
  }
  try {
    const program = RE2JS.compile(withoutDiacritics(text), RE2JS.CASE_INSENSITIVE);
    const size = program.programSize();
    if (size > expressionSize) return { problem: "is too complex: shorten it, or repeat less" };
    const part = requiredPart(withoutDiacritics(text));
    const pattern = part && new RegExp(part.source);
    const everywhere = new RegExp(part?.source ?? "^", "gm");
    const mayMatch = (folded: string) => pattern?.test(folded) !== false;
    // Many expressions are only checked, or never get so far.
    let made: Automaton | undefined;
    const automaton = () => (made ??= new Automaton(program));
    return {
      size,
      mayMatch,
      linesOf: (texts) =>
        linesWith(everywhere, texts, (from, end) => {
          const until = Math.min(end, from + expressionText);
          return automaton().matches(texts, from, until) !== false;
        }),
      matches: (folded) => {
        const read = folded.slice(0, expressionText);
        return automaton().matches(read, 0, read.length) ?? program.test(read);
      },
    };
  } catch (error) {
    if (error instanceof RE2JSException) return { problem: problemOf(text, error) };
    throw error;
  }
}

/** Matches texts that have all these parts, folded words, and match the expression. */
export function withParts(parts: readonly string[], expression: Expression | undefined): Expression {
  const [longest = ""] = parts.toSorted((a, b) => b.length - a.length);
  const anywhere = new RegExp(longest, "g");
  const hasParts = (text: string) => parts.every((part) => text.includes(part));
  return {
    size: expression?.size ?? 0,
    mayMatch: (text) => hasParts(text) && expression?.mayMatch(text) !== false,
    linesOf: (texts) => linesWith(anywhere, texts, () => true),
    matches: (text) => hasParts(text) && expression?.matches(text) !== false,
  };
}

/** The mistake with its place; the library says in English what it is, and quotes the part. */
function problemOf(text: string, error: RE2JSException): string {
  const { error: what, input: part } = error as { readonly error?: unknown; readonly input?: unknown };
  if (typeof what !== "string" || typeof part !== "string") return "cannot be used";
  const place = part === "" || part === text ? -1 : withoutDiacritics(text).indexOf(part);
  return place < 0 ? `has a mistake: ${what}` : `has a mistake at character ${place + 1}, ${part}: ${what}`;
}
