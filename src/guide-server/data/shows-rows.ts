import { z } from "zod";
import type { Sqlite } from "../../kit/sqlite.ts";
import { Show } from "./show.ts";

const SeriesKey = z.strictObject({ key: z.string().min(1), series: z.int() });
const Source = z.strictObject({ id: z.string().min(1), facts: z.record(z.string(), z.unknown()) });

/** The tables of `shows.db` that cannot be derived: titles are built from the shows. */
export const SHOWS_TABLES = { shows: Show, series_keys: SeriesKey, sources: Source } as const;

export type ShowsRow =
  | readonly [table: "shows", row: Show]
  | readonly [table: "series_keys", row: z.infer<typeof SeriesKey>]
  | readonly [table: "sources", row: z.infer<typeof Source>];

/** Rows per read, to limit memory. */
const ROWS_AT_ONCE = 500;

/** All rows in the order of their keys, independent of the order of writing. */
export function* rowsOf(sql: Sqlite): Generator<ShowsRow> {
  for (const { body } of portions(sql, { table: "shows", key: "id", first: Number.MIN_SAFE_INTEGER })) {
    yield ["shows", JSON.parse(String(body)) as Show];
  }
  for (const { key, series } of portions(sql, { table: "series_keys", key: "key", first: "" })) {
    yield ["series_keys", { key: String(key), series: Number(series) }];
  }
  for (const { id, facts } of portions(sql, { table: "sources", key: "id", first: "" })) {
    yield ["sources", { id: String(id), facts: JSON.parse(String(facts)) as Record<string, unknown> }];
  }
}

interface Walk {
  readonly table: keyof typeof SHOWS_TABLES;
  readonly key: string;
  /** Sorts before all keys: texts are not empty. */
  readonly first: string | number;
}

function* portions(sql: Sqlite, { table, key, first }: Walk) {
  const text = `SELECT * FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${ROWS_AT_ONCE}`;
  for (let last = first; ; ) {
    const rows = sql.all(text, [last]);
    yield* rows;
    const after = rows.at(-1)?.[key];
    if (after === undefined || after === null) return;
    last = after;
  }
}
