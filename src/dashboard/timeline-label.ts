import { isolated } from "../words/isolated.ts";

/** The width of a text in pixels. */
type Measure = (text: string) => number;

const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The text, or as much of its beginning as fits, with `…` behind it.
 *
 * @returns an empty text if not even two letters fit
 */
export function fitted(text: string, widthPx: number, measure: Measure): string {
  if (measure(text) <= widthPx) return text;
  const letters = Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
  const begun = (count: number) => `${letters.slice(0, count).join("").trimEnd()}…`;
  let [fits, tooMany] = [1, letters.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (measure(begun(middle)) <= widthPx) fits = middle;
    else tooMany = middle;
  }
  return fits < 2 ? "" : begun(fits);
}

/** A mark with the name behind it, or what fits of them: the name is shortened first, and then left out. */
export function markedLabel(
  { mark, name }: { readonly mark: string; readonly name: string },
  widthPx: number,
  measure: Measure,
): string {
  const short = fitted(name, widthPx - measure(`${mark} `), measure);
  if (short !== "") return `${mark} ${isolated(short)}`;
  return measure(mark) <= widthPx ? mark : "";
}
