/** Work in small parts: other work may run after each. */
export type Parts<T> = Generator<void, T>;

/** The result of all parts, without a pause. */
export function atOnce<T>(parts: Parts<T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
}
