import { NOTIFY_LIMITS } from "./limits.ts";

/** Created on first use: it loads Node's tables of words. */
let segmenter: Intl.Segmenter | undefined;

/** A name from outside at a length that a telephone shows. It ends after a whole word, also in languages without spaces. */
export function shortened(name: string): string {
  const lengthMax = NOTIFY_LIMITS.nameLength;
  if (name.length <= lengthMax) return name;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  let end = 0;
  for (const { segment, index } of segmenter.segment(name)) {
    if (index + segment.length >= lengthMax) break;
    end = index + segment.length;
  }
  const words = name.slice(0, end).replace(/[\s\p{P}]+$/u, "");
  // A single word that is longer has no better place.
  return `${words === "" ? name.slice(0, lengthMax - 1).toWellFormed() : words}…`;
}
