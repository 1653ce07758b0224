import { sql } from "kysely";
import { CATALOGUE, NOBODY, SHOWS } from "../engine.ts";
import { addLookUpsInPostgres } from "../look-ups.ts";
import {
  createCounters,
  createFacts,
  createOwners,
  createRecords,
  createUnfollowed,
} from "../record-tables.ts";
import type { Migrations } from "../schema.ts";

/** Tables besides those of all engines. */
export interface SharedTables {
  /** The rows of the shows (shows-rows.ts), of which each process has a copy. */
  shows: {
    kind: string;
    key: string;
    body: string;
    /** Grows with every change, in the order of the transactions. */
    change: number;
    /** The end of a show. */
    stop: number | null;
  };
  /** Work that one process does for all. */
  jobs: {
    name: string;
    /** UTC milliseconds by the database's clock. */
    due: number;
    holder: string;
    lease_until: number;
    runs: number;
  };
}

export const POSTGRES_MIGRATIONS: Migrations = {
  "0001-guide": {
    up: async (db) => {
      const { schema } = db;
      await createRecords(db, "bigserial");
      await createOwners(db);
      await sql
        .raw(
          `INSERT INTO owners (owner, version, seen) VALUES ('${CATALOGUE}', '', ''), ('${NOBODY}', '', ''), ('${SHOWS}', '0', '')`,
        )
        .execute(db);
      await createCounters(db);
      await createFacts(db);
      await schema
        .createTable("shows")
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("body", "text", (column) => column.notNull())
        .addColumn("change", "bigint", (column) => column.notNull().unique())
        .addColumn("stop", "bigint")
        .addPrimaryKeyConstraint("shows_by_key", ["kind", "key"])
        .execute();
      await schema.createIndex("shows_by_end").on("shows").column("stop").execute();
      await sql`CREATE SEQUENCE show_changes`.execute(db);
      await schema
        .createTable("jobs")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("due", "bigint", (column) => column.notNull())
        .addColumn("holder", "text", (column) => column.notNull())
        .addColumn("lease_until", "bigint", (column) => column.notNull())
        .addColumn("runs", "bigint", (column) => column.notNull())
        .execute();
    },
  },
  "0002-look-ups": { up: addLookUpsInPostgres },
  "0003-unfollowed": { up: createUnfollowed },
};
