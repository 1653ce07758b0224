/** Created on first use: it loads 2 MB of Node's tables. */
let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as people count them, with their offsets. */
export function graphemes(text: string): Iterable<Pick<Intl.SegmentData, "segment" | "index">> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}
