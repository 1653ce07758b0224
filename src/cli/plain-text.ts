import { graphemes } from "../kit/text/graphemes.ts";

/*
 * Texts of others on a terminal: nothing in them may command it, and what is in columns must be as wide as it looks.
 */

/** Control characters (C0, DEL, C1: without them no escape sequence works), line separators, and bidirectional controls. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]/gu;
/** Characters of no width, or of a width on which terminals disagree. */
const HIDDEN = /[\u00ad\u200b\u2060-\u2064\ufeff]/g;

/** The text as one line, safe to print. */
export function plainLine(text: string): string {
  return text.replace(CONTROL_CHARACTERS, " ").replace(HIDDEN, "").replace(/\s+/g, " ").trim();
}

/** Lines that are safe to print; line ends stay. */
export function plainLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(CONTROL_CHARACTERS, " ").trimEnd())
    .join("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
const COMMANDS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text of any kind that cannot command a terminal, for the last step before it is written; tabs and line ends stay. */
export function withoutCommands(text: string): string {
  return text.replace(COMMANDS, " ");
}

/** JSON of exactly the value; control characters are written as `\u…`. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(CONTROL_CHARACTERS, (char) =>
    char === "\n" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const ASCII = /^[ -~]*$/;

/** The width of a plain text in terminal columns. */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

/** Reads no further than to the first character that does not fit: texts of others have any length. */
function isWithin(text: string, columnsMax: number): boolean {
  // A text of any length is not read again for each of its words.
  if (columnsMax === Number.POSITIVE_INFINITY) return true;
  if (text.length <= columnsMax && ASCII.test(text)) return true;
  let columns = 0;
  for (const { segment } of graphemes(text)) {
    columns += columnsOfGrapheme(segment);
    if (columns > columnsMax) return false;
  }
  return true;
}

/** Blocks that are East Asian Wide or Fullwidth throughout. @see UAX #11 */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
/** Characters shown as emoji by themselves or by a variation selector; flags and keycaps included. */
const PICTURE = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|[\p{Emoji}]\ufe0f)/u;
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

function columnsOfGrapheme(grapheme: string): 0 | 1 | 2 {
  if (WITHOUT_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) || PICTURE.test(grapheme) ? 2 : 1;
}

/** The text, cut with an … if it is too wide. A character of two columns is never halved. */
export function cutTo(text: string, columnsMax: number): string {
  if (isWithin(text, columnsMax)) return text;
  return columnsMax < 1 ? "" : `${beginOf(text, columnsMax - 1)}…`;
}

/** The longest prefix of whole characters that fits. */
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

/** Lines of at most `columnsMax` columns (at least 2), broken between words, and within an overlong word. */
export function wrapped(text: string, columnsMax: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (isWithin(joined, columnsMax)) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    let rest = word;
    while (!isWithin(rest, columnsMax)) {
      const begin = beginOf(rest, Math.max(2, columnsMax));
      lines.push(begin);
      rest = rest.slice(begin.length);
    }
    line = rest;
  }
  return [...lines, line];
}
