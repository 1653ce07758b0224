import { type Generated, type Kysely, type Migration, Migrator } from "kysely";
import { RecorderdError } from "../../model/errors.ts";

/** A stored record of tables.ts. */
export interface RecordRow {
  /** The order in which records were added; a change keeps it. */
  place: Generated<number>;
  /** The record's table. */
  kind: string;
  id: string;
  /** See engine.ts. */
  owner: string;
  /** The record as JSON. */
  body: string;
  /** The CRC-32 of `body`: a damaged record is refused, not used. */
  sum: number;
  /** The show of a timer. The database derives it from `body`, as it does the next one (look-ups.ts). */
  show_id: Generated<number | null>;
  /** The instant by which old records are found. */
  aged: Generated<number | null>;
}

/** See OwnerFacts. */
export interface OwnerRow {
  owner: string;
  version: string;
  seen: string;
  settled_shows: number | null;
  settled_at: number | null;
  /** The address of an account, which no other account has. */
  email: string | null;
}

/** The next id of a kind. */
interface CounterRow {
  kind: string;
  next: number;
}

/** A fact about the data as a whole, by name. */
interface FactRow {
  name: string;
  value: string;
}

/** A show that its source has changed, until the timers of all accounts have followed it. */
interface UnfollowedRow {
  show_id: number;
  /** Another text with every change: a follower removes only what it has seen. */
  mark: string;
}

export interface Schema {
  records: RecordRow;
  owners: OwnerRow;
  counters: CounterRow;
  facts: FactRow;
  unfollowed: UnfollowedRow;
}

/** The versions of a schema, in the order of their names. A landed one never changes: databases have been through it. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The table of done migrations. */
const DONE = "migrations";

/**
 * Creates the tables, or upgrades those of an earlier version, under a lock.
 *
 * @param place names the database in errors
 * @throws RecorderdError STORE_TOO_NEW if a later version has changed it
 */
export async function bringUpToDate(
  db: Kysely<Schema>,
  { migrations, place }: { readonly migrations: Migrations; readonly place: string },
): Promise<void> {
  if ((await doneMigrations(db)).some((name) => !Object.hasOwn(migrations, name))) {
    const text = `${place} was written by a later version: use that one, or another place.`;
    throw new RecorderdError("STORE_TOO_NEW", text, { file: place });
  }
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
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
