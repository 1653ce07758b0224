/**
 * Finds the one that gives way to a newcomer when all places are taken: the latest of the visitor that has most. The older ones of a visitor with
 * many may be films that somebody watches.
 *
 * @param byVisitor those of each visitor, in the order of their arrival
 * @param own how many the newcomer's visitor has already
 * @returns `undefined` if that visitor would have as many then: the newcomer gets no place
 */
export function whoGivesWay<T>(byVisitor: Iterable<ReadonlySet<T>>, own: number): T | undefined {
  const most = [...byVisitor].reduce((a, b) => (b.size > a.size ? b : a), new Set<T>());
  return most.size <= own + 1 ? undefined : [...most].at(-1);
}
