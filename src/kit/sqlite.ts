import { isAscii } from "node:buffer";
import { closeSync, existsSync, fdatasync, rmdirSync } from "node:fs";
import { promisify } from "node:util";
import type { Database, Statement } from "node-sqlite3-wasm";
import { RecorderdError } from "../model/errors.ts";
import { openFdSync } from "./files/steady-fs.ts";

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
  /** A row of long texts that the query gives as BLOBs: decoding texts takes far longer. Those that are NULL are empty. */
  longTexts(sql: string, values?: readonly SqlValue[]): readonly string[];
  /** Runs `work` atomically. The changes are on disk on return, or as `durability` says. */
  transaction<T>(work: () => T): T;
  /** Resolves after all ended transactions are on the disk. @throws RecorderdError STORE_WRITE_FAILED */
  sync(): Promise<void>;
  /** False also after SQLite has rolled back by itself, as on a full disk. */
  readonly isInTransaction: boolean;
}

export interface SqliteOptions {
  readonly file: string;
  /**
   * `full`: each transaction waits for the disk. `deferred`: the caller waits by `sync`, for several at once and while
   * other work runs. `scratch`: the data need not survive the process, so nothing is synced.
   */
  readonly durability: "full" | "deferred" | "scratch";
  /** Size of the page cache. */
  readonly cacheKiB: number;
}

/** A write-ahead log needs one sync per transaction; a rollback journal needs four. */
const LOG = "PRAGMA journal_mode=WAL; PRAGMA journal_size_limit=16777216;";
const PRAGMAS = {
  full: `${LOG} PRAGMA synchronous=FULL;`,
  // Without FULL a transaction only writes to the log. Moving the log into the file still syncs both, in that order.
  deferred: `${LOG} PRAGMA synchronous=NORMAL;`,
  scratch: "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;",
} as const;

/** For a new, empty database: free pages can be returned to the disk in portions. */
const PORTIONS = "PRAGMA auto_vacuum=INCREMENTAL;";
const WHEN_MADE = { full: PORTIONS, deferred: PORTIONS, scratch: "" } as const;

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
  makePrivate(file);
  const database = guarded(() => new Database(file));
  const statements = new Map<string, Statement>();
  const log = new LogSync(file);
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
    longTexts: (sql, values = []) => {
      const [row = {}] = guarded(() => prepared(sql).all([...values]));
      return Object.values(row).map((bytes) => (bytes instanceof Uint8Array ? textOf(bytes) : ""));
    },
    transaction: (work) => transaction(database, { work, guarded }),
    sync: () => log.sync(),
    get isInTransaction() {
      return database.inTransaction;
    },
    [Symbol.dispose]: () => {
      log[Symbol.dispose]();
      if (database.isOpen) guarded(() => close(database, statements));
    },
  };
}

/** Most long texts have no other characters than ASCII has, and need no decoding. */
function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  const bytes = Buffer.from(buffer, byteOffset, length);
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** This build creates files that everyone may read; empty ones that exist are as good as none. */
function makePrivate(file: string): void {
  for (const name of [file, `${file}-wal`]) closeSync(openFdSync(name, "a", 0o600));
}

/**
 * Syncs the write-ahead log, which keeps its file while the database is open. One handle for all calls: each of them
 * then learns of every failed write.
 */
class LogSync implements Disposable {
  readonly #file: string;
  #handle: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  async sync(): Promise<void> {
    try {
      this.#handle ??= openFdSync(`${this.#file}-wal`, "r+");
      await datasync(this.#handle);
    } catch (error) {
      throw unusable(this.#file, error instanceof Error ? error : new Error(String(error)));
    }
  }

  [Symbol.dispose](): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }
}

const datasync = promisify(fdatasync);

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
    throw unusable(file, error);
  }
}

function unusable(file: string, error: Error): RecorderdError {
  const damaged = /malformed|not a database/.test(error.message);
  return new RecorderdError(
    damaged ? "STORE_DAMAGED" : "STORE_WRITE_FAILED",
    damaged
      ? `${file} is damaged (${error.message}). Put a backup in its place, or move it away to start without it.`
      : `${file} cannot be used (${error.message}): free some space or repair the disk, then start again.`,
    { file, system: error.message },
    { cause: error },
  );
}
