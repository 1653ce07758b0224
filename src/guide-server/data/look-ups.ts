import { type Kysely, sql } from "kysely";

/*
 * Columns that the database derives from records, so that timers are found by their shows, and old records by their
 * age, without reading all accounts. They never change here: databases have been through it.
 */

/** How an engine takes values from a record. */
interface Dialect {
  /** A field that is a whole number; NULL without it. */
  readonly number: (name: string) => string;
  /** Whether a field is there. */
  readonly has: (name: string) => string;
  readonly least: string;
  readonly greatest: string;
  readonly type: string;
  readonly how: "VIRTUAL" | "STORED";
}

const SQLITE: Dialect = {
  number: (name) => `json_extract(body, '$.${name}')`,
  has: (name) => `json_extract(body, '$.${name}') IS NOT NULL`,
  least: "min",
  greatest: "max",
  type: "integer",
  how: "VIRTUAL",
};

const POSTGRES: Dialect = {
  number: (name) => `record_field(body, '${name}')::bigint`,
  has: (name) => `record_field(body, '${name}') IS NOT NULL`,
  least: "least",
  greatest: "greatest",
  type: "bigint",
  how: "STORED",
};

export async function addLookUpsInSqlite(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, SQLITE);
}

export async function addLookUpsInPostgres(db: Kysely<unknown>): Promise<void> {
  // All records are written once more.
  await sql`SET LOCAL statement_timeout = 0`.execute(db);
  // The database does not know by itself that the same text always has the same fields.
  await sql
    .raw(
      "CREATE FUNCTION record_field(body text, name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE " +
        "RETURN body::json ->> name",
    )
    .execute(db);
  await addColumns(db, POSTGRES);
}

async function addColumns(
  db: Kysely<unknown>,
  { number, has, least, greatest, type, how }: Dialect,
): Promise<void> {
  // The end of a record's use, without the time for which it is kept after that.
  const aged = `CASE kind
    WHEN 'tokens' THEN ${least}(${number("expiresAt")}, coalesce(${number("disposedAt")}, ${number("expiresAt")}))
    WHEN 'visits' THEN ${number("expiresAt")}
    WHEN 'timers' THEN ${greatest}(${number("start")}, coalesce(${number("removedAt")}, 0))
    WHEN 'logs' THEN ${number("at")}
    WHEN 'heard' THEN CASE WHEN ${has("warned")} THEN NULL ELSE ${number("at")} END
    END`;
  for (const [name, value] of [
    ["show_id", `CASE WHEN kind = 'timers' THEN ${number("showId")} END`],
    ["aged", aged],
  ]) {
    const column = `ALTER TABLE records ADD COLUMN ${name} ${type} GENERATED ALWAYS AS (${value}) ${how}`;
    await sql.raw(column).execute(db);
  }
  for (const index of [
    "records_by_show ON records (show_id, owner) WHERE show_id IS NOT NULL",
    "records_by_age ON records (kind, aged, place) WHERE aged IS NOT NULL",
  ])
    await sql.raw(`CREATE INDEX ${index}`).execute(db);
}
