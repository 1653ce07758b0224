/** Limits a map or set to `most` entries, after each insertion. To keep the last used ones, delete an entry before it is set again. */
export function forgetOldest(entries: Map<unknown, unknown> | Set<unknown>, most: number): void {
  const [oldest] = entries.keys();
  if (entries.size > most) entries.delete(oldest);
}
