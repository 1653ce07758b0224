import { type Generated, type Kysely, type Migration, Migrator } from "kysely";
import { RecorderdError } from "../../model/errors.ts";
import type { TableName } from "./tables.ts";

/** A stored record of tables.ts. */
interface RecordRow {
  /** The order in which records were added; a change keeps it. */
  place: Generated<number>;
  id: string;
  /** The record as JSON. */
  body: string;
  /** The CRC-32 of `body`: a damaged record is refused, not used. */
  sum: number;
}

/** A fact about the data as a whole, by name. */
interface FactRow {
  name: string;
  value: string;
}

export type Schema = Record<TableName, RecordRow> & { facts: FactRow };

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

/** The versions of the schema, in the order of their names. A landed one never changes: databases have been through it. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-records": {
    up: async ({ schema }) => {
      for (const name of FIRST_TABLES) {
        await schema
          .createTable(name)
          .addColumn("place", "integer", (column) => column.primaryKey().autoIncrement())
          .addColumn("id", "text", (column) => column.notNull().unique())
          .addColumn("body", "text", (column) => column.notNull())
          .addColumn("sum", "bigint", (column) => column.notNull())
          .execute();
      }
      await schema
        .createTable("facts")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("value", "text", (column) => column.notNull())
        .execute();
    },
  },
};

/** The table of done migrations. */
const DONE = "migrations";

/**
 * Creates the tables, or upgrades those of an earlier version.
 *
 * @param place names the database in errors
 * @throws RecorderdError STORE_TOO_NEW if a later version has changed it
 */
export async function bringUpToDate(db: Kysely<Schema>, place: string): Promise<void> {
  if ((await doneMigrations(db)).some((name) => !Object.hasOwn(MIGRATIONS, name))) {
    const text = `${place} was written by a later version: use that one, or another folder.`;
    throw new RecorderdError("STORE_TOO_NEW", text, { file: place });
  }
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: DONE,
    migrationLockTableName: `${DONE}_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function doneMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DONE)) return [];
  const rows = await (db as unknown as Kysely<Record<typeof DONE, { name: string }>>)
    .selectFrom(DONE)
    .select("name")
    .execute();
  return rows.map(({ name }) => name);
}
