/** Whether a text has no control characters and no lone surrogates, which lists, logs and files cannot show. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** Control characters, line ends, lone surrogates, and marks that change the direction of what follows. */
const BREAKING = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]+/gu;

/** Makes one line of a text from outside, which cannot change what stands beside it. */
export function asOneLine(text: string): string {
  return text.replace(BREAKING, " ");
}

/** The same for a text of several lines, which stay. */
export function asLines(text: string): string {
  return text
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.replace(BREAKING, " ").trimEnd())
    .join("\n");
}
