import { literal } from "../conditions.ts";
import type { FoundRule } from "../found.ts";
import { ruleName } from "../names.ts";

/** The text that a search of epgsearch looks for, as conditions of a rule. */
export interface SearchedText {
  readonly name: string;
  readonly conditions: Pick<FoundRule["order"], "words" | "expression" | "within">;
  readonly notes: readonly string[];
}

/** Why a search cannot be a rule, a sentence. */
export interface NoText {
  readonly name: string;
  readonly cannot: string;
}

/** Field 9: how the term is looked for. */
const MODES = {
  phrase: "0",
  allTerms: "1",
  anyTerm: "2",
  exactly: "3",
  expression: "4",
  fuzzy: "5",
} as const;
const SEPARATORS = /[ ,;|~]+/;

/** @param fields of epgsearch.conf, the first one at 1 */
export function searchedText(fields: readonly string[]): SearchedText | NoText {
  // A colon is written as "|"; where a "|" is meant, something else stands for it.
  const term = (fields[2] ?? "").replaceAll("|", ":").replaceAll("!^pipe^!", "|").trim();
  const name = ruleName(term) ?? `Search ${fields[1]}`;
  const searchesTitle = fields[10] === "1";
  const searchesMore = fields[11] === "1" || fields[12] === "1";
  if (!searchesTitle && !searchesMore)
    return { name, cannot: "It searches by categories of epgsearch only." };
  if (term === "") return { name, cannot: "It searches for no text." };
  if (searchesMore && fields[9] === MODES.exactly)
    return { name, cannot: "It compares title, subtitle and description as one text." };
  const found = conditionsOf(term, fields[9] ?? "");
  if (typeof found === "string") return { name, cannot: found };
  return {
    name,
    conditions: { ...found, ...(searchesMore ? { within: "all" } : {}) },
    notes: searchesMore && !isWhole(fields) ? ["It searches title, subtitle and description."] : [],
  };
}

function isWhole(fields: readonly string[]): boolean {
  return [10, 11, 12].every((at) => fields[at] === "1");
}

/** @returns a sentence where there are none */
function conditionsOf(
  term: string,
  mode: string,
): Pick<SearchedText["conditions"], "words" | "expression"> | string {
  const terms = term.split(SEPARATORS).filter((one) => one !== "");
  switch (mode) {
    case MODES.phrase:
      return { expression: literal(term) };
    case MODES.allTerms:
      return { words: terms.join(" ") };
    case MODES.anyTerm:
      return { expression: terms.map(literal).join("|") };
    case MODES.exactly:
      return { expression: `^${literal(term)}$` };
    case MODES.expression:
      return { expression: term };
    case MODES.fuzzy:
      return "It also finds similar texts, which rules here cannot do.";
    default:
      return `Its way of searching (${mode.slice(0, 10)}) is unknown.`;
  }
}
