/** The character at a row and cell of a 94 × 94 set, both counted from 1; `undefined` for an empty cell. */
export type Cells = (row: number, cell: number) => string | undefined;

/**
 * Parses a table of rows: characters separated by spaces, from cell 1 on, with a dot for an empty cell. Parsing happens on
 * first use.
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
