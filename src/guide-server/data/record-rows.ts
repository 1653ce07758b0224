import { crc32 } from "node:zlib";
import type { Transaction } from "kysely";
import type { OwnedChange } from "./engine.ts";
import type { Schema } from "./schema.ts";

export type Writing = Transaction<Schema>;

/** Rows per statement: databases limit the number of values. */
const ROWS_PER_STATEMENT = 500;

/** Another owner has a record with this id. */
export class Taken extends Error {}

export function rowOf(change: OwnedChange) {
  const body = JSON.stringify(change.kind === "put" ? change.record : undefined);
  return { kind: change.table, id: idOf(change), owner: change.owner, body, sum: crc32(body) };
}

export async function putRecords(all: Writing, some: readonly OwnedChange[]): Promise<void> {
  const rows = some.map(rowOf);
  const stored = await all
    .insertInto("records")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "id"])
        .doUpdateSet(({ ref }) => ({ body: ref("excluded.body"), sum: ref("excluded.sum") }))
        .whereRef("records.owner", "=", "excluded.owner"),
    )
    .executeTakeFirst();
  if (Number(stored.numInsertedOrUpdatedRows ?? rows.length) < rows.length) throw new Taken();
}

export function idOf(change: OwnedChange): string {
  return change.kind === "put" ? String(change.record.id) : change.id;
}

export function* portions<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) yield rows.slice(at, at + ROWS_PER_STATEMENT);
}
