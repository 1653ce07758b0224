import { mistakenField } from "../state/api.ts";
import { say } from "../state/language.ts";

const KINDS = {
  name: "name",
  words: "words",
  without: "words",
  expression: "expression",
  folder: "folder",
  minMinutes: "number",
  maxMinutes: "number",
  keep: "number",
  priority: "number",
  beforeMinutes: "number",
  afterMinutes: "number",
} as const;

/** A mistake that belongs at a field of the dialog. */
export interface Mistake {
  readonly field: string;
  readonly text: string;
}

/** @returns `undefined` where the refusal is about no field of the dialog: its own message says what is wrong */
export function mistakeOf(failure: unknown): Mistake | undefined {
  const field = mistakenField(failure);
  return field !== undefined && hasOwnText(field)
    ? { field, text: say(`rules-mistake-${KINDS[field]}`) }
    : undefined;
}

function hasOwnText(field: string): field is keyof typeof KINDS {
  return Object.hasOwn(KINDS, field);
}
