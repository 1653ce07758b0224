/** The character of a place in a set of 94 rows of 94 cells, both counted from 1; `undefined` where the set has none. */
export type Cells = (row: number, cell: number) => string | undefined;

/**
 * Reads a table that is written row by row, each row on lines of its own: characters between spaces, from cell 1 on, and a dot for
 * each cell without one. The table is read when its first character is asked for.
 */
export function cellsOf(rows: Readonly<Record<number, string>>): Cells {
  let table: ReadonlyMap<number, readonly string[]> | undefined;
  return (row, cell) => {
    // Each row begins with a line break.
    table ??= new Map(
      Object.entries(rows).map(([key, cells]) => [Number(key), cells.split(/[ \n]+/).slice(1)]),
    );
    const character = table.get(row)?.[cell - 1];
    return character === "." ? undefined : character;
  };
}
