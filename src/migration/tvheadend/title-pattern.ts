import type { RuleConditions } from "../../model/rule.ts";

/** Characters with a meaning in a regular expression. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;
const ESCAPED = /\\([^A-Za-z0-9])/g;

/**
 * The condition for a title that Tvheadend matches: a regular expression (PCRE), somewhere in the text and in any case. A pattern
 * without any special character is words; people type those.
 */
export function titleCondition(pattern: string): Pick<RuleConditions, "words" | "expression"> {
  const plain = pattern.replace(ESCAPED, "");
  return SPECIAL.test(plain) ? { expression: pattern } : { words: pattern.replace(ESCAPED, "$1") };
}
