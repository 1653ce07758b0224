import { type Kysely, sql } from "kysely";

/*
 * The tables of records in their first form, which both engines create. They never change here: databases have been
 * through it, and a later form is a migration of its own.
 */

/** @param place the type of a number that grows by itself: that of the order in which records were added */
export async function createRecords(
  { schema }: Kysely<unknown>,
  place: "integer" | "bigserial",
): Promise<void> {
  await schema
    .createTable("records")
    .addColumn("place", place, (column) =>
      place === "integer" ? column.primaryKey().autoIncrement() : column.primaryKey(),
    )
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("owner", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("sum", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("records_by_id").on("records").columns(["kind", "id"]).unique().execute();
  await schema.createIndex("records_by_owner").on("records").columns(["owner", "place"]).execute();
  await schema.createIndex("records_by_kind").on("records").columns(["kind", "place"]).execute();
}

export async function createOwners({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("owners")
    .addColumn("owner", "text", (column) => column.primaryKey())
    .addColumn("version", "text", (column) => column.notNull())
    .addColumn("seen", "text", (column) => column.notNull())
    .addColumn("settled_shows", "bigint")
    .addColumn("settled_at", "bigint")
    .addColumn("email", "text", (column) => column.unique())
    .execute();
}

export async function createCounters({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("counters")
    .addColumn("kind", "text", (column) => column.primaryKey())
    .addColumn("next", "bigint", (column) => column.notNull())
    .execute();
}

export async function createFacts({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("facts")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
}

/** An earlier version may have ended before timers had followed: it left no word of it. */
export async function createUnfollowed(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("unfollowed")
    .addColumn("show_id", "bigint", (column) => column.primaryKey())
    .addColumn("mark", "text", (column) => column.notNull())
    .execute();
  const booked = "SELECT DISTINCT show_id, '' FROM records WHERE show_id <> 0";
  await sql.raw(`INSERT INTO unfollowed (show_id, mark) ${booked}`).execute(db);
}
