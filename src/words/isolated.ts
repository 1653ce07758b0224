/** Letters of Hebrew, Arabic and their relatives. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;

/**
 * A text of unknown language for a place in a sentence. If it runs from right to left, invisible marks keep it from taking the
 * numbers and words around it along. Other texts stay as they are: marks would only be in the way of those who copy them.
 *
 * @see Unicode Standard Annex 9, FSI and PDI
 */
export function isolated(text: string): string {
  return FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
}
