import { z } from "zod";
import { type Change, put, type RecordOf, remove, TABLE_NAMES, TABLES, type TableName } from "./tables.ts";

const Line = z.array(z.tuple([z.enum(["put", "remove"]), z.enum(TABLE_NAMES), z.unknown()]));

/** Shows were in the journal before they had a database; guides publish them again. */
const FORMER_TABLE = "shows";

/**
 * Reads a line of a journal: changes as `["put","timers",{…}]` or `["remove","tokens","…"]`.
 *
 * @throws ZodError if the line has another form
 */
export function parseChanges(line: unknown): readonly Change[] {
  const entries = z.array(z.array(z.unknown())).parse(line);
  return Line.parse(entries.filter(([, table]) => table !== FORMER_TABLE)).map(([kind, table, value]) =>
    kind === "put"
      ? put(table, TABLES[table].parse(value) as RecordOf<TableName>)
      : remove(table, z.string().min(1).parse(value)),
  );
}
