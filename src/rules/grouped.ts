import { runToEnd, type Steps } from "../model/steps.ts";

export function grouped<K, V>(values: Iterable<V>, keyOf: (value: V) => K): ReadonlyMap<K, readonly V[]> {
  return runToEnd(groupedInSteps(values, keyOf));
}

/** The same with pauses; the values must not change meanwhile. */
export function* groupedInSteps<K, V>(
  values: Iterable<V>,
  keyOf: (value: V) => K,
): Steps<ReadonlyMap<K, readonly V[]>> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    yield;
    append(groups, keyOf(value), value);
  }
  return groups;
}

/** Adds a value to the list of its key. */
export function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
