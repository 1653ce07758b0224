import { RE2JS, RE2JSException } from "re2js";
import { withoutDiacritics } from "./fold.ts";
import { RULE_LIMITS } from "./limits.ts";

/** A regular expression for folded texts. */
export interface Expression {
  /** Instructions of its program: times the characters of a text, they bound the cost of one match. */
  readonly size: number;
  matches(foldedText: string): boolean;
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
    const literal = requiredText(withoutDiacritics(text));
    return {
      size,
      matches: (folded) => {
        const read = folded.slice(0, expressionText);
        return read.includes(literal) && program.test(read);
      },
    };
  } catch (error) {
    if (error instanceof RE2JSException) return { problem: problemOf(text, error) };
    throw error;
  }
}

/** A part of an expression: an escape, a class, a count, or a character. */
const PART = /\\(?:[pPx]\{[^}]*\}|[pP]\w|x..|[\s\S])|\[[^\]]+\]|\{[^}]*\}?|[\s\S]/gu;

/**
 * A text that every match contains, often empty: looking for it costs a small part of a match. Only ASCII letters,
 * digits and spaces count, since folding leaves one form of them, and only expressions of plain syntax.
 */
export function requiredText(expression: string): string {
  // A group may be optional, an alternative has another text; quotations and odd classes have their own rules.
  if (/[(|]|\\[QE0-9]|\[[^\]]*[[\\]|\[\^?\]/.test(expression)) return "";
  const runs = [""];
  for (const [part] of expression.matchAll(PART)) {
    const run = runs.at(-1) ?? "";
    if (/^[a-zA-Z0-9 ]$/.test(part)) runs.splice(-1, 1, run + part.toLowerCase());
    else if (/^[*?{]/.test(part)) runs.splice(-1, 1, run.slice(0, -1), "");
    else runs.push("");
  }
  return runs.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

/** The mistake with its place; the library says in English what it is, and quotes the part. */
function problemOf(text: string, error: RE2JSException): string {
  const { error: what, input: part } = error as { readonly error?: unknown; readonly input?: unknown };
  if (typeof what !== "string" || typeof part !== "string") return "cannot be used";
  const place = part === "" || part === text ? -1 : withoutDiacritics(text).indexOf(part);
  return place < 0 ? `has a mistake: ${what}` : `has a mistake at character ${place + 1}, ${part}: ${what}`;
}
