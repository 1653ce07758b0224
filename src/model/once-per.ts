/** Calls `make` once for each value and keeps the result as long as the value. @returns the same object each time */
export function oncePer<K extends object, V extends string | object>(make: (value: K) => V): (value: K) => V {
  const made = new WeakMap<K, V>();
  return (value) => {
    const known = made.get(value);
    if (known !== undefined) return known;
    const fresh = make(value);
    made.set(value, fresh);
    return fresh;
  };
}

/** The same for two values. For each first value, only the result with the latest second value is kept. */
export function oncePerPair<A extends object, B extends object, V>(
  make: (one: A, other: B) => V,
): (one: A, other: B) => V {
  const made = new WeakMap<A, { readonly other: B; readonly value: V }>();
  return (one, other) => {
    const known = made.get(one);
    if (known?.other === other) return known.value;
    const value = make(one, other);
    made.set(one, { other, value });
    return value;
  };
}
