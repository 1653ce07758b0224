/**
 * Asks `make` once for each value. Values do not change, so neither does what is made of them; it is given up with its value.
 *
 * @returns the very same thing each time
 */
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
