import { Turns } from "../../kit/time/turns.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Statements, Value } from "./database.ts";

/** The changes of a write: data-modifying parts of one statement, each of which reads `fence`. Values count from $1. */
export interface Change {
  readonly parts: readonly string[];
  readonly values: readonly Value[];
  /** Called when it is on the disk of the database, before the next write is made. */
  readonly written?: () => void;
}

/**
 * The writes of one term. Each is one statement that first updates the leader's row by term and by its own number. So a late
 * write of an earlier leader changes nothing, and neither does a late try of this one.
 */
export class Reign {
  readonly term: number;
  readonly #database: Statements;
  readonly #over = new AbortController();
  #writes = 0;
  readonly #turns = new Turns();

  constructor(database: Statements, term: number) {
    this.#database = database;
    this.term = term;
  }

  get database(): Statements {
    return this.#database;
  }

  /** Aborted when another node leads. */
  get lost(): AbortSignal {
    return this.#over.signal;
  }

  end(): void {
    this.#over.abort(overError(this.term));
  }

  /**
   * Writes in turn: `make` is called when all earlier writes have ended.
   *
   * @throws RecorderdError STORE_WRITE_FAILED: whether it was written is unknown
   * @throws RecorderdError STORE_LOCKED when another node leads: nothing was written
   */
  write(make: () => Change): Promise<void> {
    return this.#turns.run(() => this.#write(make()));
  }

  async #write(change: Change): Promise<void> {
    this.#over.signal.throwIfAborted();
    this.#writes += 1;
    const { parts, values, written } = change;
    const claim = `fence AS (
      UPDATE fleet_leader SET writes = ${this.#writes} WHERE term = ${this.term} AND writes < ${this.#writes} RETURNING term)`;
    const text = `WITH ${[claim, ...parts].join(", ")} SELECT count(*)::int AS held FROM fence`;
    const [row] = await this.#database.query(text, values);
    if (row?.["held"] === 1) return written?.();
    this.end();
    throw overError(this.term);
  }
}

function overError(term: number): RecorderdError {
  const text = `Another node of the fleet leads: the term ${term} of this one is over.`;
  return new RecorderdError("STORE_LOCKED", text, { term });
}
