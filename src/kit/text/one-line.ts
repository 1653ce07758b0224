/** A text of characters alone: without control characters and halves of surrogate pairs, which lists, logs and files cannot show. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
