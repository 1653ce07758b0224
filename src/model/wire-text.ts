import { MODEL_LIMITS } from "./limits.ts";

/** Added to a text that was cut. */
const MORE = " […]";

/**
 * A foreign text as we store it: without NUL, which file names and environments cannot hold, with U+FFFD for lone surrogates, and
 * at most `lengthMax` UTF-16 units long. Idempotent.
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

/** A JSON value with all its texts within the limits, and the number of texts that were not. */
interface WithinWire<T> {
  readonly value: T;
  readonly changed: number;
}

/**
 * The same for all texts of a JSON value. An entry with a longer name is dropped, because its cut name might be another entry's;
 * so is `__proto__`, which a copy would lose. Unchanged values are not copied.
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
