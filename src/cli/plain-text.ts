import { graphemes } from "../kit/text/graphemes.ts";

/*
 * Texts of others on a terminal: nothing in them may command it, and what is in columns must be as wide as it looks.
 */

/** Control characters (C0, DEL, C1: without them no escape sequence is one), line separators, and what reorders text. */
const COMMANDING = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]/gu;
/** Takes no room, and terminals disagree about that. */
const HIDDEN = /[\u00ad\u200b\u2060-\u2064\ufeff]/g;

/** The text as one line that is harmless to show. */
export function plainLine(text: string): string {
  return text.replace(COMMANDING, " ").replace(HIDDEN, "").replace(/\s+/g, " ").trim();
}

/** Lines that are harmless to show; the ends of lines stay. */
export function plainLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(COMMANDING, " ").trimEnd())
    .join("\n");
}

/** JSON that says exactly the value; what a terminal would obey is written as `\u…`. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(COMMANDING, (char) =>
    char === "\n" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const ASCII = /^[ -~]*$/;

/** How many columns of a terminal a plain text takes. */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

/** Blocks that are East Asian Wide or Fullwidth throughout. @see UAX #11 */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
/** Shown as a picture by itself, or by the variation selector that asks for one; flags and keycaps included. */
const PICTURE = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|[\p{Emoji}]\ufe0f)/u;
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

function columnsOfGrapheme(grapheme: string): 0 | 1 | 2 {
  if (WITHOUT_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) || PICTURE.test(grapheme) ? 2 : 1;
}

/** The text, or as much of it as fits with an … at its end. A character of two columns is never halved. */
export function cutTo(text: string, columnsMax: number): string {
  if (columnsOf(text) <= columnsMax) return text;
  return columnsMax < 1 ? "" : `${beginOf(text, columnsMax - 1)}…`;
}

/** As many whole characters as fit. */
function beginOf(text: string, columnsMax: number): string {
  let begin = "";
  let columns = 0;
  for (const { segment } of graphemes(text)) {
    columns += columnsOfGrapheme(segment);
    if (columns > columnsMax) break;
    begin += segment;
  }
  return begin;
}

/** Lines of at most so many columns (at least 2), broken between words, and within one that is longer than a line. */
export function wrapped(text: string, columnsMax: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (columnsOf(joined) <= columnsMax) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    let rest = word;
    while (columnsOf(rest) > columnsMax) {
      const begin = beginOf(rest, Math.max(2, columnsMax));
      lines.push(begin);
      rest = rest.slice(begin.length);
    }
    line = rest;
  }
  return [...lines, line];
}
