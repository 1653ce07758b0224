import type { RuleConditions } from "../../model/rule.ts";
import { ANY_TEXT, literal } from "../conditions.ts";

/**
 * The pattern of a pattern timer (vdr(5)): a part of the title, `^` and `$` for its ends, `*` for every title. A leading `@`
 * avoids repeats, as our rules always do.
 */
export function patternOf(pattern: string): Pick<RuleConditions, "expression"> {
  const text = pattern.replace(/^@/, "");
  if (text === "*" || text === "") return ANY_TEXT;
  const [, start = "", middle = "", end = ""] = /^(\^?)(.*?)(\$?)$/.exec(text) ?? [];
  return { expression: `${start}${literal(middle)}${end}` };
}
