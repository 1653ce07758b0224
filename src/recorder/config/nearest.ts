/** The word that is most likely meant by `given`, if one is close enough. */
export function nearest(given: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, distance: distance(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance: apart }) => apart <= Math.ceil(word.length / 3))
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

/** The number of letters to insert, delete or replace (Levenshtein), in the first 100 letters. */
function distance(a: string, b: string): number {
  const from = a.slice(0, 100);
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= b.length; column += 1) {
      const same = letter === b[column - 1];
      const replaced = (row[column - 1] ?? 0) + (same ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
