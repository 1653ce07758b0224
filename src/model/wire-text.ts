import { MODEL_LIMITS } from "./limits.ts";

/** The end of a text that was cut, so that readers see it. */
const MORE = " […]";

/**
 * A text of others as we keep it: without NUL, which no file name or environment takes, with U+FFFD for halves of surrogate
 * pairs, and no longer than `lengthMax` UTF-16 units. Idempotent.
 */
export function withinWire(text: string, lengthMax: number = MODEL_LIMITS.wireTextLength): string {
  if (text.length <= lengthMax) return cleaned(text);
  return `${cleaned(wholePairs(text.slice(0, lengthMax - MORE.length)))}${MORE}`;
}

function cleaned(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function wholePairs(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.slice(0, -1) : text;
}

/** A value of JSON with all its texts within the wire's limits, and how many were not. */
interface WithinWire<T> {
  readonly value: T;
  readonly changed: number;
}

/**
 * The same for all texts of a value as JSON has it. An entry whose name is longer than a text may be is left out: cut, it would be
 * another's. So is one named `__proto__`, which a copy would lose. What needs no change is not copied.
 */
export function textsWithinWire<T>(value: T): WithinWire<T> {
  let changed = 0;
  const of = (part: unknown): unknown => {
    if (typeof part === "string") {
      const text = withinWire(part);
      if (text !== part) changed += 1;
      return text;
    }
    if (typeof part !== "object" || part === null) return part;
    return Array.isArray(part) ? listOf(part) : recordOf(part as Readonly<Record<string, unknown>>);
  };
  const listOf = (list: readonly unknown[]): readonly unknown[] => {
    const before = changed;
    const next = list.map(of);
    return changed === before ? list : next;
  };
  const recordOf = (record: Readonly<Record<string, unknown>>): object => {
    const before = changed;
    const next: [string, unknown][] = [];
    for (const [key, part] of Object.entries(record)) {
      if (key.length <= MODEL_LIMITS.wireTextLength && key !== "__proto__") next.push([key, of(part)]);
      else changed += 1;
    }
    return changed === before ? record : Object.fromEntries(next);
  };
  return { value: of(value) as T, changed };
}
