import type { Collector } from "./collector.ts";

/** States what is wrong with a line. Never leaves `readLines`. */
export class BadLine extends Error {}

/**
 * Calls `read` for each line that is neither empty nor a comment. A line for which it throws `BadLine` is a problem, and stops
 * nothing.
 */
export function readLines(
  { file, text, into }: { readonly file: string; readonly text: string; readonly into: Collector },
  read: (line: string) => void,
): void {
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    try {
      read(line);
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      into.problem({ file, line: index + 1, what: error.message });
    }
  }
}

/** A whole number in a line. @throws BadLine */
export function wholeNumber(text: string | undefined, what: string): number {
  if (text !== undefined && /^-?\d{1,9}$/.test(text)) return Number(text);
  throw new BadLine(`Expected ${what}, a whole number; found "${(text ?? "").slice(0, 40)}".`);
}
