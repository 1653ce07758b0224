/**
 * A text for comparison: lower case, without diacritics, with one space between words. Expressions are matched
 * against it. Marks of other scripts stay: without them, Japanese and Indic words would be others.
 */
export function folded(text: string): string {
  const lower = (isAscii(text) ? text : withoutDiacritics(text)).toLowerCase();
  // A null character would end the text in the database.
  const single = /\s\s|[^\S ]|\0/.test(lower) ? lower.replace(/[\s\0]+/g, " ") : lower;
  return single.trim();
}

export function withoutDiacritics(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** The words of a folded text with a space before and after each one, so that whole words are found in it. */
export function wordsText(foldedText: string): string {
  const between = isAscii(foldedText) ? /[^a-z0-9]+/g : /[^\p{L}\p{N}\p{M}]+/gu;
  return ` ${foldedText.replace(between, " ").trim()} `;
}

/** The folded words of a text, each once. */
export function wordsOf(text: string): readonly string[] {
  return wordsIn(folded(text));
}

/** The words of a folded text, each once. */
export function wordsIn(foldedText: string): readonly string[] {
  const words = wordsText(foldedText).trim();
  return words === "" ? [] : [...new Set(words.split(" "))];
}

export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(` ${word} `));
}
