import { existsSync, rmdirSync } from "node:fs";
import type { Database, Statement } from "node-sqlite3-wasm";
import { RecorderdError } from "../model/errors.ts";

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A database in one file, for one process. Every call is synchronous: keep statements small. */
export interface Sqlite extends Disposable {
  /** Runs several statements without values. */
  exec(sql: string): void;
  /** @returns the number of changed rows */
  run(sql: string, values?: readonly SqlValue[]): number;
  all(sql: string, values?: readonly SqlValue[]): readonly SqlRow[];
  get(sql: string, values?: readonly SqlValue[]): SqlRow | undefined;
  /** Runs `work` atomically. The changes are on disk on return, unless the database is a scratch one. */
  transaction<T>(work: () => T): T;
}

export interface SqliteOptions {
  readonly file: string;
  /** `scratch`: the data need not survive the process, so nothing is synced. */
  readonly durability: "full" | "scratch";
  /** Size of the page cache. */
  readonly cacheKiB: number;
}

/** A write-ahead log needs one sync per transaction; a rollback journal needs four. */
const PRAGMAS = {
  full: "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA journal_size_limit=16777216;",
  scratch: "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;",
} as const;

/** For a new, empty database: free pages can be returned to the disk in portions. */
const WHEN_MADE = { full: "PRAGMA auto_vacuum=INCREMENTAL;", scratch: "" } as const;

/**
 * Opens or creates a database. The caller must have locked the folder (kit/files/lock.ts): SQLite's lock of a killed process is
 * removed.
 *
 * Every call fails with RecorderdError STORE_DAMAGED if the file is no database or a broken one, and with STORE_WRITE_FAILED if
 * the disk fails.
 */
export async function openSqlite({ file, durability, cacheKiB }: SqliteOptions): Promise<Sqlite> {
  // Loaded on first use: compiling it takes longer than most commands.
  const { Database } = (await import("node-sqlite3-wasm")).default;
  // This build's lock is a folder, which outlives a killed process.
  if (existsSync(`${file}.lock`)) rmdirSync(`${file}.lock`);
  const guarded = <T>(work: () => T): T => translated(file, work);
  const whenMade = existsSync(file) ? "" : WHEN_MADE[durability];
  const database = guarded(() => new Database(file));
  const statements = new Map<string, Statement>();
  try {
    guarded(() =>
      database.exec(
        `PRAGMA locking_mode=EXCLUSIVE; ${whenMade} ${PRAGMAS[durability]} PRAGMA temp_store=MEMORY; PRAGMA cache_size=-${cacheKiB};`,
      ),
    );
  } catch (error) {
    close(database, statements);
    throw error;
  }
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => guarded(() => database.exec(sql)),
    run: (sql, values = []) => guarded(() => prepared(sql).run([...values]).changes),
    all: (sql, values = []) => guarded(() => prepared(sql).all([...values]) as unknown as readonly SqlRow[]),
    // Read to the end: an unfinished statement blocks the checkpoint.
    get: (sql, values = []) =>
      guarded(() => prepared(sql).all([...values]) as unknown as readonly SqlRow[])[0],
    transaction: (work) => transaction(database, { work, guarded }),
    [Symbol.dispose]: () => {
      if (database.isOpen) guarded(() => close(database, statements));
    },
  };
}

type Guarded = <T>(work: () => T) => T;

function transaction<T>(
  database: Database,
  { work, guarded }: { readonly work: () => T; readonly guarded: Guarded },
): T {
  guarded(() => database.exec("BEGIN"));
  try {
    const value = work();
    guarded(() => database.exec("COMMIT"));
    return value;
  } catch (error) {
    // SQLite rolls back by itself when the disk is full.
    if (database.inTransaction) guarded(() => database.exec("ROLLBACK"));
    throw error;
  }
}

function close(database: Database, statements: ReadonlyMap<string, Statement>): void {
  for (const statement of statements.values()) statement.finalize();
  database.close();
}

function translated<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "SQLite3Error") throw error;
    const damaged = /malformed|not a database/.test(error.message);
    throw new RecorderdError(
      damaged ? "STORE_DAMAGED" : "STORE_WRITE_FAILED",
      damaged
        ? `${file} is damaged (${error.message}). Put a backup in its place, or move it away to start without it.`
        : `${file} cannot be used (${error.message}): free some space or repair the disk, then start again.`,
      { file, system: error.message },
      { cause: error },
    );
  }
}
