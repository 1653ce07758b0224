import { LIMITS } from "../model/limits.ts";

/** What a text that was cut ends with, so that whoever reads it sees that there was more. */
const MORE = " […]";

/**
 * A text of the other side as we keep it: without NUL, which no file name or environment takes, with U+FFFD for halves of surrogate
 * pairs, and no longer than `LIMITS.wireTextLength` UTF-16 units. Idempotent.
 */
export function withinWire(text: string): string {
  if (text.length <= LIMITS.wireTextLength) return cleaned(text);
  return `${cleaned(wholePairs(text.slice(0, LIMITS.wireTextLength - MORE.length)))}${MORE}`;
}

function cleaned(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function wholePairs(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.slice(0, -1) : text;
}
