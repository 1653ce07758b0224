/** A title as part of an identity: letters and digits, case folded, with a space between words. Stored keys have it. */
export function titleKey(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
