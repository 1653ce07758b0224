/** Made when one is needed: it brings 2 MB of Node's tables into memory. */
let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as people count them, and where each begins. */
export function graphemes(text: string): Iterable<Pick<Intl.SegmentData, "segment" | "index">> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}
