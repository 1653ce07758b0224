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

/** A text in quotation marks, and what is between two of them. */
const QUOTED = /["„“”«»「」]([^"„“”«»「」]*)["„“”«»「」]|[^"„“”«»「」]+/g;

/** The terms of a search: each word, and words in quotation marks as one term with a space between them. Folded. */
export function termsOf(text: string): readonly string[] {
  const terms = [...text.matchAll(QUOTED)].flatMap(([part, phrase]) =>
    phrase === undefined ? wordsOf(part) : [wordsText(folded(phrase)).trim()],
  );
  return [...new Set(terms)].filter((term) => term !== "");
}

/** @param text of `wordsText` @param needles as `needleOf` makes them */
export function hasTerms(text: string, needles: readonly string[]): boolean {
  return needles.every((needle) => text.includes(needle));
}

/** Whether a folded text has a word, as `wordsText` separates words. It costs less than separating all. */
export function hasWord(foldedText: string, word: string): boolean {
  for (let at = foldedText.indexOf(word); at >= 0; at = foldedText.indexOf(word, at + 1)) {
    const end = at + word.length;
    // A character has at most two units.
    const [before, after] = [foldedText.slice(Math.max(0, at - 2), at), foldedText.slice(end, end + 2)];
    if (!ENDS_IN_WORD.test(before) && !BEGINS_IN_WORD.test(after)) return true;
  }
  return false;
}

const ENDS_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;
const BEGINS_IN_WORD = /^[\p{L}\p{N}\p{M}]/u;

/** @param needles as `needleOf` makes them */
export function lacksTerms(foldedText: string, needles: readonly string[]): boolean {
  return !needles.some((needle) => {
    const term = needle.trim();
    if (term.includes(" ")) return wordsText(foldedText).includes(needle);
    return isUnspaced(term) ? foldedText.includes(term) : hasWord(foldedText, term);
  });
}

/** The term as a text of `wordsText` contains it. */
export function needleOf(term: string): string {
  return isUnspaced(term) ? term : ` ${term} `;
}

/** Scripts without spaces between words: there a word is a part of the text. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export function isUnspaced(term: string): boolean {
  return UNSPACED.test(term);
}
