/** Whether a text has no control characters, line ends or lone surrogates. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
}

/** Control characters, line ends, lone surrogates, and marks that change the direction of what follows. */
const BREAKING = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]+/gu;

/** Makes a foreign text one line that cannot change the text around it. */
export function asOneLine(text: string): string {
  return text.replace(BREAKING, " ");
}

/** The same, but keeps line ends. */
export function asLines(text: string): string {
  return text
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.replace(BREAKING, " ").trimEnd())
    .join("\n");
}
