import { sql } from "kysely";
import { CATALOGUE, NOBODY, SHOWS } from "../engine.ts";
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
      await schema
        .createTable("records")
        .addColumn("place", "bigserial", (column) => column.primaryKey())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("owner", "text", (column) => column.notNull())
        .addColumn("body", "text", (column) => column.notNull())
        .addColumn("sum", "bigint", (column) => column.notNull())
        .execute();
      await schema.createIndex("records_by_id").on("records").columns(["kind", "id"]).unique().execute();
      await schema.createIndex("records_by_owner").on("records").columns(["owner", "place"]).execute();
      await schema.createIndex("records_by_kind").on("records").columns(["kind", "place"]).execute();
      await schema
        .createTable("owners")
        .addColumn("owner", "text", (column) => column.primaryKey())
        .addColumn("version", "text", (column) => column.notNull())
        .addColumn("seen", "text", (column) => column.notNull())
        .addColumn("settled_shows", "bigint")
        .addColumn("settled_at", "bigint")
        .addColumn("email", "text", (column) => column.unique())
        .execute();
      await sql
        .raw(
          `INSERT INTO owners (owner, version, seen) VALUES ('${CATALOGUE}', '', ''), ('${NOBODY}', '', ''), ('${SHOWS}', '0', '')`,
        )
        .execute(db);
      await schema
        .createTable("counters")
        .addColumn("kind", "text", (column) => column.primaryKey())
        .addColumn("next", "bigint", (column) => column.notNull())
        .execute();
      await schema
        .createTable("facts")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("value", "text", (column) => column.notNull())
        .execute();
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
};
