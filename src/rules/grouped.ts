import { atOnce, type Parts } from "./parts.ts";

export function grouped<K, V>(values: Iterable<V>, keyOf: (value: V) => K): ReadonlyMap<K, readonly V[]> {
  return atOnce(groupedInParts(values, keyOf));
}

/** The same with pauses; the values must not change meanwhile. */
export function* groupedInParts<K, V>(
  values: Iterable<V>,
  keyOf: (value: V) => K,
): Parts<ReadonlyMap<K, readonly V[]>> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    yield 1;
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
