/** A title as it is compared: letters and digits, whatever their case, with a space between words. */
export function titleKey(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The words of a title, or of what is sought in titles. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(titleKey(text).split(" "))].filter((word) => word !== "");
}
