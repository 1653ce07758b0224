import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { Kysely, type Transaction } from "kysely";
import { syncFolder } from "../../kit/files/sync-folder.ts";
import { openSqlite, type Sqlite } from "../../kit/sqlite.ts";
import { RecorderdError } from "../../model/errors.ts";
import { bringUpToDate, type Schema } from "./schema.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { type Change, put, type RecordOf, TABLE_NAMES, TABLES, type TableName } from "./tables.ts";

export const RECORDS_FILE = "guide.db";

const CACHE_KIB = 2 * 1024;

/** Records per read, to limit memory. */
const ROWS_AT_ONCE = 1000;

/**
 * The records of tables.ts on disk. Changes that wait for the disk share one transaction and one sync. After a failed
 * write nothing more is accepted: only reading the database again shows what the disk has.
 */
export class Records implements AsyncDisposable {
  readonly #file: string;
  readonly #sql: Sqlite;
  readonly #db: Kysely<Schema>;
  #pending: Change[] = [];
  /** The write that will include the pending changes. */
  #next: Promise<void> | undefined;
  #tail: Promise<void> = Promise.resolve();

  private constructor(file: string, sql: Sqlite, db: Kysely<Schema>) {
    this.#file = file;
    this.#sql = sql;
    this.#db = db;
  }

  /** @throws RecorderdError as openSqlite, and STORE_TOO_NEW if a later version wrote it */
  static async open(file: string): Promise<Records> {
    const sql = await openSqlite({ file, durability: "deferred", cacheKiB: CACHE_KIB });
    try {
      const db = new Kysely<Schema>({ dialect: sqliteDialect(sql) });
      await bringUpToDate(db, file);
      await sql.sync();
      // The name of the new log must be on the disk, too.
      await syncFolder(dirname(file));
      return new Records(file, sql, db);
    } catch (error) {
      sql[Symbol.dispose]();
      throw error;
    }
  }

  /** All records, table by table, in the order in which they were added. @throws RecorderdError STORE_DAMAGED */
  async *all(): AsyncGenerator<Change> {
    for (const table of TABLE_NAMES) {
      for (let last = 0; ; ) {
        const rows = await this.#db
          .selectFrom(table)
          .select(["place", "id", "body", "sum"])
          .where("place", ">", last)
          .orderBy("place")
          .limit(ROWS_AT_ONCE)
          .execute();
        for (const row of rows) yield put(table, this.#recordOf(table, row));
        last = rows.at(-1)?.place ?? last;
        if (rows.length < ROWS_AT_ONCE) break;
      }
    }
  }

  #recordOf<T extends TableName>(
    table: T,
    { id, body, sum }: { readonly id: string; readonly body: string; readonly sum: number },
  ): RecordOf<T> {
    const { data } = crc32(body) === sum ? TABLES[table].safeParse(JSON.parse(body)) : {};
    if (data !== undefined) return data as RecordOf<T>;
    const file = this.#file;
    const text = `${file} is damaged: the record ${id} of ${table} differs from the one that was stored. Put a backup in its place, or move it away to start without it.`;
    throw new RecorderdError("STORE_DAMAGED", text, { file, table, id });
  }

  async fact(name: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom("facts")
      .select("value")
      .where("name", "=", name)
      .executeTakeFirst();
    return row?.value;
  }

  /** Stores changes and a fact together. @throws RecorderdError STORE_WRITE_FAILED */
  async writeWithFact(changes: readonly Change[], fact: Schema["facts"]): Promise<void> {
    await this.#db.transaction().execute(async (all) => {
      await write(all, changes);
      await all.insertInto("facts").values(fact).execute();
    });
    await this.#sql.sync();
  }

  /**
   * @returns after they are on the disk
   * @throws RecorderdError STORE_WRITE_FAILED, also for every later call
   */
  append(changes: readonly Change[]): Promise<void> {
    this.#pending.push(...changes);
    this.#next ??= this.#tail.then(() => this.#writePending());
    this.#tail = this.#next;
    // The waiting caller receives the failure; without one, the next caller does.
    this.#tail.catch(() => {});
    return this.#tail;
  }

  /** Resolves after everything appended so far is on the disk. @throws as `append` */
  settled(): Promise<void> {
    return this.#tail;
  }

  async #writePending(): Promise<void> {
    const group = this.#pending;
    this.#pending = [];
    this.#next = undefined;
    await this.#db.transaction().execute((all) => write(all, group));
    await this.#sql.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tail.catch(() => {});
    this.#sql[Symbol.dispose]();
  }
}

async function write(all: Transaction<Schema>, changes: readonly Change[]): Promise<void> {
  for (const change of effective(changes)) {
    if (change.kind === "remove") await all.deleteFrom(change.table).where("id", "=", change.id).execute();
    else {
      const body = JSON.stringify(change.record);
      const kept = { body, sum: crc32(body) };
      await all
        .insertInto(change.table)
        .values({ id: String(change.record.id), ...kept })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(kept))
        .execute();
    }
  }
}

/** The changes without those that a later one in the group replaces: a group changes the same counters many times. */
function effective(changes: readonly Change[]): readonly Change[] {
  const last = new Map<string, number>();
  const kept: (Change | undefined)[] = [];
  for (const change of changes) {
    const key = `${change.table} ${change.kind === "put" ? change.record.id : change.id}`;
    const before = last.get(key);
    // A removed record that returns is a new one, with a place at the end.
    if (change.kind === "remove") last.delete(key);
    else last.set(key, before ?? kept.length);
    if (change.kind === "put" && before !== undefined) kept[before] = change;
    else kept.push(change);
  }
  return kept.filter((change) => change !== undefined);
}
