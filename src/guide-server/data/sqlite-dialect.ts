import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Sqlite, SqlValue } from "../../kit/sqlite.ts";

/** Kysely's access to a database that `openSqlite` opened, with its errors. Disposing of it remains the caller's task. */
export function sqliteDialect(sql: Sqlite): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new OneConnection(sql),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite has one connection here, so transactions wait for each other. */
class OneConnection implements Driver {
  readonly #connection: DatabaseConnection;
  readonly #sql: Sqlite;
  #last: Promise<void> = Promise.resolve();
  #release = () => {};

  constructor(sql: Sqlite) {
    this.#sql = sql;
    this.#connection = {
      executeQuery: async <R>(query: CompiledQuery) => execute<R>(sql, query),
      streamQuery: () => {
        throw new Error("this driver reads in pages, not in streams");
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    this.#sql.exec("BEGIN");
  }

  async commitTransaction(): Promise<void> {
    this.#sql.exec("COMMIT");
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#sql.isInTransaction) this.#sql.exec("ROLLBACK");
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async destroy(): Promise<void> {}
}

function execute<R>(sql: Sqlite, { query, sql: text, parameters }: CompiledQuery): QueryResult<R> {
  const values = parameters as readonly SqlValue[];
  const isChange = ["InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"].includes(query.kind);
  if (!isChange || "returning" in query) return { rows: sql.all(text, values) as unknown as R[] };
  return { rows: [], numAffectedRows: BigInt(sql.run(text, values)) };
}
