import { AssertionError } from "node:assert";
import pg, { type PoolClient, type PoolConfig } from "pg";
import { RecorderdError } from "../../model/errors.ts";

export type { PoolClient } from "pg";

/** The error of a user of the database that cannot be used now. `why` is a code or a message. */
export type Unavailable = (why: string, cause: unknown) => RecorderdError;

/**
 * The server that accepted changes last, by the servers of its cluster. All connections of this process share it: each that looked
 * for itself would first wait for a server that is gone.
 */
const ACTIVE = new Map<string, number>();

/** Connections to the server of a cluster that accepts changes, wherever it is at the time. */
export class Cluster implements AsyncDisposable {
  readonly #pools: readonly pg.Pool[];
  readonly #unavailable: Unavailable;
  readonly #open = new Set<pg.Client>();
  readonly #servers: string;
  #isClosed = false;

  constructor(configs: readonly PoolConfig[], unavailable: Unavailable) {
    this.#unavailable = unavailable;
    this.#servers = configs.map(({ host, port }) => `${host}:${port}`).join(",");
    this.#pools = configs.map((config) => {
      const pool = new pg.Pool({ ...config, verify: acceptsChanges(config) } as PoolConfig);
      // Idle connections end when their server does; the next use finds another one.
      pool.on("error", () => {});
      // One in use that ends between two statements fails the next statement.
      pool.on("connect", (client) => {
        client.on("error", () => {});
        this.#open.add(client as pg.Client);
      });
      pool.on("remove", (client) => this.#open.delete(client as pg.Client));
      return pool;
    });
  }

  /**
   * Ends all connections: their server has gone silent, which the system would notice after many minutes only. Every
   * statement under way fails.
   */
  abandon(): void {
    for (const client of this.#open) client.connection.stream.destroy();
  }

  /** @throws RecorderdError of `Unavailable` if no server accepts changes now */
  async connect(): Promise<PoolClient> {
    let last: unknown;
    // Others that connect at the same time may find the active server before this one has tried all.
    const first = ACTIVE.get(this.#servers) ?? 0;
    for (let tries = 0; tries < this.#pools.length; tries += 1) {
      const at = (first + tries) % this.#pools.length;
      try {
        const client = await this.#pools[at]?.connect();
        ACTIVE.set(this.#servers, at);
        if (client !== undefined) return client;
      } catch (error) {
        last = error;
      }
    }
    throw this.#unavailable(whyOf(last), last);
  }

  /** For Kysely. */
  async end(): Promise<void> {
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }
}

/** The time for a connection is over when it is made: a server that falls silent then would be waited for until TCP gives up. */
function acceptsChanges({ connectionTimeoutMillis }: PoolConfig) {
  const text = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS no";
  const question = { text, query_timeout: connectionTimeoutMillis };
  return (client: PoolClient, done: (error?: Error) => void): void => {
    client
      .query<{ readonly no: boolean }>(question)
      .then(
        ({ rows }) => done(rows[0]?.no === true ? new Error("the database accepts no changes") : undefined),
        done,
      );
  };
}

/** Classes and codes of errors that pass: connections, resources, shutdown, conflicts of transactions, read-only. */
const PASSING = /^(08...|53...|57P..|57014|40...|55P03|25006)$/;

/** Faults of the program do not pass. */
const FAULTS = [TypeError, RangeError, SyntaxError, ReferenceError, AssertionError];

/** Translates errors that pass by themselves; others stay what they are. */
export async function guardedBy<T>(unavailable: Unavailable, work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RecorderdError || !(error instanceof Error)) throw error;
    if (FAULTS.some((fault) => error instanceof fault)) throw error;
    const code = codeOf(error);
    // Errors of the connection itself have no code of PostgreSQL.
    if (code === undefined || !/^[0-9A-Z]{5}$/.test(code) || PASSING.test(code))
      throw unavailable(whyOf(error), error);
    throw error;
  }
}

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

function whyOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : "no server");
}
