import { type DatabaseAccess, poolConfigs } from "../../kit/postgres/address.ts";
import { Cluster, codeOf, guardedBy, type Unavailable } from "../../kit/postgres/cluster.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import { isFinal, remedyOf } from "./database-advice.ts";

export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | boolean | null | readonly string[];

/** The part of a database that leases and state use. */
export interface Statements {
  /** The address, without a password. */
  readonly place: string;
  /** Runs one statement. @throws RecorderdError STORE_WRITE_FAILED if the database cannot be used now */
  query(text: string, values?: readonly Value[]): Promise<readonly Row[]>;
}

/** A server that is silent for this time beyond its own limit is gone. */
const SILENCE_MS = SECOND;

/** The database of a fleet. Each statement is a transaction of its own: a node that is paused holds no lock. */
export class FleetDatabase implements Statements, AsyncDisposable {
  readonly #cluster: Cluster;
  readonly #access: DatabaseAccess;
  readonly #clock: Clock;
  readonly #unavailable: Unavailable;

  private constructor(cluster: Cluster, parts: DatabaseParts, unavailable: Unavailable) {
    this.#cluster = cluster;
    this.#access = parts.access;
    this.#clock = parts.clock;
    this.#unavailable = unavailable;
  }

  /** Connects with the first statement. @throws RecorderdError FILE_UNREADABLE for the certificates of the address */
  static async open(parts: DatabaseParts): Promise<FleetDatabase> {
    const { access } = parts;
    const unavailable: Unavailable = (why, cause) => {
      const text = `The database of the fleet, ${access.address.text}, cannot be used now (${why}). ${remedyOf(why, access.address)}`;
      const facts = { system: why, database: access.address.text, isFinal: isFinal(why) };
      return new RecorderdError("STORE_WRITE_FAILED", text, facts, { cause });
    };
    return new FleetDatabase(new Cluster(await poolConfigs(access), unavailable), parts, unavailable);
  }

  get place(): string {
    return this.#access.address.text;
  }

  async query(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const client = await this.#cluster.connect();
    const { databaseStatementMs } = this.#access.limits;
    const callOff = this.#clock.after(databaseStatementMs + SILENCE_MS, () => this.#cluster.abandon());
    try {
      const { rows } = await guardedBy(this.#unavailable, () => client.query(text, [...values]));
      client.release();
      return rows;
    } catch (error) {
      // The next statement begins with a good connection.
      client.release(true);
      throw this.#withRemedy(error);
    } finally {
      callOff();
    }
  }

  /** Adds the remedy to a refusal that only a person can correct. */
  #withRemedy(error: unknown): unknown {
    const code = codeOf(error);
    return code !== undefined && isFinal(code) ? this.#unavailable(code, error) : error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster[Symbol.asyncDispose]();
  }
}

export interface DatabaseParts {
  readonly access: DatabaseAccess;
  readonly clock: Clock;
}
