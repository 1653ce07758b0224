/**
 * A text for comparison: lower case, without diacritics, with one space between words. Expressions are matched
 * against it. Marks of other scripts stay: without them, Japanese and Indic words would be others.
 */
export function folded(text: string): string {
  const plain = isAscii(text) ? text : withoutDiacritics(text);
  return plain.toLowerCase().replace(/\s+/gu, " ").trim();
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
  return ` ${foldedText.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim()} `;
}

/** The folded words of a text, each once. */
export function wordsOf(text: string): readonly string[] {
  const words = wordsText(folded(text)).trim();
  return words === "" ? [] : [...new Set(words.split(" "))];
}

export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(` ${word} `));
}
