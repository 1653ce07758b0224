import { crc32 } from "node:zlib";
import { type Kysely, sql } from "kysely";
import { CATALOGUE, NOBODY } from "./engine.ts";
import { addLookUpsInSqlite } from "./look-ups.ts";
import {
  createCounters,
  createFacts,
  createOwners,
  createRecords,
  createUnfollowed,
} from "./record-tables.ts";
import type { Migrations } from "./schema.ts";

/** A table for each kind of record: the schema of the first version. */
const FIRST_TABLES = [
  "counters",
  "accounts",
  "users",
  "tokens",
  "devices",
  "regions",
  "channels",
  "manufacturers",
  "types",
  "listings",
  "listed",
  "mappings",
  "series",
  "timers",
  "rules",
  "episodes",
  "favourites",
  "heard",
  "received",
  "logs",
] as const;

/** The account of a record of the first version, by its table; all others are of the catalogue. */
const deviceOwner = (device: string) =>
  `coalesce((SELECT json_extract(d.body, '$.accountId') FROM devices AS d WHERE d.id = ${device}), '${NOBODY}')`;
const FIRST_OWNERS: Readonly<Partial<Record<(typeof FIRST_TABLES)[number], string>>> = {
  accounts: "id",
  users: "json_extract(body, '$.accountId')",
  tokens: "json_extract(body, '$.accountId')",
  devices: "json_extract(body, '$.accountId')",
  timers: "json_extract(body, '$.accountId')",
  rules: "json_extract(body, '$.accountId')",
  favourites: "json_extract(body, '$.accountId')",
  received: "json_extract(body, '$.accountId')",
  logs: "json_extract(body, '$.accountId')",
  heard: deviceOwner("t.id"),
  episodes: deviceOwner("CAST(json_extract(t.body, '$.deviceId') AS TEXT)"),
};

export const SQLITE_MIGRATIONS: Migrations = {
  "0001-records": {
    up: async (db) => {
      for (const name of FIRST_TABLES) {
        await db.schema
          .createTable(name)
          .addColumn("place", "integer", (column) => column.primaryKey().autoIncrement())
          .addColumn("id", "text", (column) => column.notNull().unique())
          .addColumn("body", "text", (column) => column.notNull())
          .addColumn("sum", "bigint", (column) => column.notNull())
          .execute();
      }
      await createFacts(db);
    },
  },
  "0002-owners": {
    up: async (db) => {
      await createRecords(db, "integer");
      await createOwners(db);
      await moveFirstTables(db);
    },
  },
  "0003-look-ups": { up: addLookUpsInSqlite },
  "0004-unfollowed": { up: createUnfollowed },
};

async function moveFirstTables(db: Kysely<unknown>): Promise<void> {
  await publishTypes(db);
  for (const name of FIRST_TABLES) {
    const owner = FIRST_OWNERS[name] ?? `'${CATALOGUE}'`;
    await sql
      .raw(
        `INSERT INTO records (kind, id, owner, body, sum) SELECT '${name}', id, ${owner}, body, sum FROM ${name} AS t ORDER BY place`,
      )
      .execute(db);
  }
  await sql
    .raw(
      "INSERT INTO owners (owner, version, seen, email) SELECT id, '', '', json_extract(body, '$.email') FROM accounts " +
        `UNION ALL SELECT '${CATALOGUE}', '', '', NULL UNION ALL SELECT '${NOBODY}', '', '', NULL`,
    )
    .execute(db);
  for (const name of FIRST_TABLES) await db.schema.dropTable(name).execute();
  await createCounters(db);
  await sql
    .raw("INSERT INTO counters SELECT id, json_extract(body, '$.next') FROM records WHERE kind = 'counters'")
    .execute(db);
  await sql.raw("DELETE FROM records WHERE kind = 'counters'").execute(db);
}

/** The types of devices, which the list of types got from the devices before. */
async function publishTypes(db: Kysely<unknown>): Promise<void> {
  const found = await sql<{ id: number }>`
    SELECT DISTINCT json_extract(body, '$.typeId') AS id FROM devices
    WHERE CAST(json_extract(body, '$.typeId') AS TEXT) NOT IN (SELECT id FROM types)
    AND EXISTS (SELECT 1 FROM types)`.execute(db);
  for (const { id } of found.rows) {
    const body = JSON.stringify({ id, model: `Set-top box (type ${id})` });
    await sql`INSERT INTO types (id, body, sum) VALUES (${String(id)}, ${body}, ${crc32(body)})`.execute(db);
  }
}
