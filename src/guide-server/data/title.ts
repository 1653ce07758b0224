/** A title for comparison: letters and digits, case folded, with a space between words. */
export function titleKey(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export function wordsOf(text: string): readonly string[] {
  return [...new Set(titleKey(text).split(" "))].filter((word) => word !== "");
}
