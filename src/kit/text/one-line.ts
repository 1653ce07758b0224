/** Whether a text has no control characters and no lone surrogates, which lists, logs and files cannot show. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
