import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import { type Cluster, codeOf } from "../../../kit/postgres/cluster.ts";
import { Records } from "../records.ts";
import { bringUpToDate, type Schema } from "../schema.ts";
import { CHANNEL } from "./announcements.ts";
import { guarded } from "./guarded.ts";
import { POSTGRES_MIGRATIONS, type SharedTables } from "./schema.ts";

export interface Shared {
  readonly db: Kysely<Schema & SharedTables>;
  readonly cluster: Cluster;
  readonly records: Records;
}

/** PostgreSQL's code for a second row with the same unique value. */
const DUPLICATE = "23505";

/** PostgreSQL limits the text of a notification to 8000 bytes. */
const OWNERS_PER_NOTE = 300;

/**
 * Opens the records in a PostgreSQL database, which several processes share. Its end closes the cluster.
 *
 * @param place names the database in errors
 * @throws RecorderdError GUIDE_UNAVAILABLE, STORE_TOO_NEW
 */
export async function openPostgresRecords(cluster: Cluster, place: string): Promise<Shared> {
  const db = new Kysely<Schema & SharedTables>({ dialect: new PostgresDialect({ pool: cluster }) });
  const own = db as unknown as Kysely<Schema>;
  await guarded(() => bringUpToDate(own, { migrations: POSTGRES_MIGRATIONS, place }));
  const records = new Records({
    db: own,
    place,
    isShared: true,
    // In one order, so that two groups never wait for each other.
    lockOwners: (all, owners) =>
      all
        .selectFrom("owners")
        .selectAll()
        .where("owner", "in", owners)
        .orderBy("owner")
        .forUpdate()
        .execute(),
    beforeCommit: announce,
    // A transaction is on the disk when it has ended.
    sync: async () => {},
    isDuplicate: (error) => codeOf(error) === DUPLICATE,
    guarded,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  });
  return { db, cluster, records };
}

async function announce(all: Transaction<Schema>, owners: readonly string[]): Promise<void> {
  for (let at = 0; at < owners.length; at += OWNERS_PER_NOTE) {
    const note = JSON.stringify(owners.slice(at, at + OWNERS_PER_NOTE));
    await sql`SELECT pg_notify(${CHANNEL}, ${note})`.execute(all);
  }
}
