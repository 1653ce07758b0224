import { isJsonObject } from "../../kit/text/parse-json.ts";
import type { Past } from "./past-file.ts";

/** The stored form of a document: its live part and its past. */
export interface StoredForm {
  readonly now: object;
  readonly past: Past;
}

/**
 * A difference between two stored forms. `now` and `past` name the part; then come a property and, where only one of
 * its entries differs, the entry's name. Without a value the property or the entry is removed.
 */
export type Change =
  | readonly ["now", string]
  | readonly ["now", string, { readonly value: unknown }]
  | readonly ["now" | "past", string, string]
  | readonly ["now" | "past", string, string, unknown];

type Values = Readonly<Record<string, unknown>>;

/** Compares by identity, two levels deep: values are never edited. */
export function changesBetween(before: StoredForm, after: StoredForm): readonly Change[] {
  const changes: Change[] = [];
  for (const [key, value] of Object.entries(after.now)) {
    const known = (before.now as Values)[key];
    if (known === value) continue;
    if (isJsonObject(known) && isJsonObject(value)) addEntryChanges(changes, key, { known, value });
    else changes.push(value === undefined ? ["now", key] : ["now", key, { value }]);
  }
  for (const key of Object.keys(before.now)) if (!Object.hasOwn(after.now, key)) changes.push(["now", key]);
  for (const [collection, values] of Object.entries(after.past)) {
    const known = before.past[collection];
    if (known === values) continue;
    for (const [id, value] of values) {
      if (known?.get(id) !== value) changes.push(["past", collection, id, value]);
    }
    for (const id of known?.keys() ?? []) if (!values.has(id)) changes.push(["past", collection, id]);
  }
  return changes;
}

function addEntryChanges(
  changes: Change[],
  key: string,
  { known, value }: { readonly known: Values; readonly value: Values },
): void {
  for (const [id, entry] of Object.entries(value)) {
    if (Object.hasOwn(known, id) && known[id] === entry) continue;
    changes.push(entry === undefined ? ["now", key, id] : ["now", key, id, entry]);
  }
  for (const id of Object.keys(known)) if (!Object.hasOwn(value, id)) changes.push(["now", key, id]);
}

/** The stored form after these changes, which come from lines. */
export function withChanges(before: StoredForm, lines: readonly (readonly Change[])[]): StoredForm {
  if (lines.length === 0) return before;
  // Maps: an id may be any text, also the name of an inherited property.
  const now = new Map<string, unknown>(Object.entries(before.now));
  const past = new Map<string, Map<string, unknown>>(
    Object.entries(before.past).map(([collection, values]) => [collection, new Map(values)]),
  );
  const parts = new Map<string, Map<string, unknown>>();
  const entriesOf = (part: Change[0], key: string): Map<string, unknown> => {
    const all = part === "now" ? parts : past;
    const known = all.get(key);
    if (known !== undefined) return known;
    const value = part === "now" ? now.get(key) : undefined;
    const entries = new Map<string, unknown>(isJsonObject(value) ? Object.entries(value) : []);
    all.set(key, entries);
    return entries;
  };
  for (const line of lines) {
    for (const [part, key, what, ...values] of line) {
      if (typeof what === "string") {
        const entries = entriesOf(part, key);
        if (values.length === 0) entries.delete(what);
        else entries.set(what, values[0]);
        continue;
      }
      parts.delete(key);
      if (what === undefined) now.delete(key);
      else now.set(key, what.value);
    }
  }
  for (const [key, entries] of parts) now.set(key, Object.fromEntries(entries));
  return { now: Object.fromEntries(now), past: Object.fromEntries(past) };
}
