/** Created on first use: it loads Node's tables of words. */
let segmenter: Intl.Segmenter | undefined;

/** A text of at most this length. It ends after a whole word, also in languages without spaces. */
export function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  let end = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    if (index + segment.length >= lengthMax) break;
    end = index + segment.length;
  }
  const words = text.slice(0, end).replace(/[\s\p{P}]+$/u, "");
  // A single word that is longer has no better place.
  return `${words === "" ? text.slice(0, lengthMax - 1).toWellFormed() : words}…`;
}
