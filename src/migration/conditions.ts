import type { RuleConditions } from "../model/rule.ts";

/** Every show. */
export const ANY_TEXT = { expression: "." } as const satisfies RuleConditions;

/** A text as an expression that matches it and nothing else. */
export function literal(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

/** The note of a rule that lacks a condition it had. Such a rule is paused: it would record what nobody wants. */
export function widerNote(lacking: string): string {
  return `It is paused, because it would record more shows than before: rules here cannot have ${lacking}.`;
}

/** The note of a rule for a time of day, whatever is on. */
export function spanNote(recorder: string): string {
  return `${recorder} records this span of time; the rule records the shows that begin in this span.`;
}
