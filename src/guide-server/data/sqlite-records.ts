import { dirname } from "node:path";
import { Kysely } from "kysely";
import { syncFolder } from "../../kit/files/sync-folder.ts";
import { openSqlite } from "../../kit/sqlite.ts";
import { RecorderdError } from "../../model/errors.ts";
import { Records } from "./records.ts";
import { bringUpToDate, type Schema } from "./schema.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { SQLITE_MIGRATIONS } from "./sqlite-schema.ts";

export const RECORDS_FILE = "guide.db";

const CACHE_KIB = 2 * 1024;

/**
 * Opens or creates the records in a file. After a failed write nothing more is accepted: only reading the database
 * again shows what the disk has.
 *
 * @throws RecorderdError as openSqlite, and STORE_TOO_NEW if a later version wrote it
 */
export async function openSqliteRecords(file: string): Promise<Records> {
  const sql = await openSqlite({ file, durability: "deferred", cacheKiB: CACHE_KIB });
  try {
    const db = new Kysely<Schema>({ dialect: sqliteDialect(sql) });
    await bringUpToDate(db, { migrations: SQLITE_MIGRATIONS, place: file });
    await sql.sync();
    // The name of the new log must be on the disk, too.
    await syncFolder(dirname(file));
    let failed: unknown;
    return new Records({
      db,
      place: file,
      isShared: false,
      lockOwners: (all, owners) =>
        all.selectFrom("owners").selectAll().where("owner", "in", owners).execute(),
      sync: () => sql.sync(),
      isDuplicate: (error) =>
        error instanceof RecorderdError && String(error.cause).includes("UNIQUE constraint failed"),
      guarded: async <T>(work: () => PromiseLike<T>) => {
        if (failed !== undefined) throw failed;
        try {
          return await work();
        } catch (error) {
          if (error instanceof RecorderdError && error.code === "STORE_WRITE_FAILED") failed = error;
          throw error;
        }
      },
      [Symbol.asyncDispose]: async () => sql[Symbol.dispose](),
    });
  } catch (error) {
    sql[Symbol.dispose]();
    throw error;
  }
}
