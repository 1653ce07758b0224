/** Work in parts: other work may run after each. The number says how many shows the part has handled. */
export type Parts<T> = Generator<number, T>;

/** The result of all parts, without a pause. */
export function atOnce<T>(parts: Parts<T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
}
