import type { Clock } from "../../kit/time/clock.ts";
import type { Backlog } from "../../model/backlog.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { DocumentStore } from "./document-store.ts";
import type { Ledger } from "./ledger.ts";
import { STORE_LIMITS } from "./limits.ts";

export interface Stores<T> {
  readonly store: DocumentStore<T>;
  readonly ledger: Ledger;
}

/**
 * The same document and ledger, which wait only for a moment if the store is away. After that, a commit counts as made: it is
 * in memory, and is stored with all later ones when the store is back (decision 73). To be disposed of before them.
 *
 * @throws RecorderdError STORE_LOCKED, from the next call on, if the store belongs to another node meanwhile
 */
export function writeBehind<T extends object>(inner: Stores<T>, clock: Clock): Stores<T> {
  const { store, ledger } = inner;
  const behind = new WriteBehind(inner, clock);
  return {
    store: {
      get current() {
        return behind.current;
      },
      get backlog() {
        return behind.backlog;
      },
      openedFrom: store.openedFrom,
      commit: (next) => behind.commit(next),
      [Symbol.asyncDispose]: () => behind[Symbol.asyncDispose](),
    },
    ledger: {
      append: (facts) => behind.append(facts),
      catchUp: (latest) => ledger.catchUp(latest),
      async [Symbol.asyncDispose]() {},
    },
  };
}

class WriteBehind<T extends object> implements AsyncDisposable {
  readonly #inner: Stores<T>;
  readonly #clock: Clock;
  /** The newest document; committed or on its way. */
  #next: T;
  #facts: readonly LedgerFact[] = [];
  #writing: Promise<void> | undefined;
  #backlog: Backlog<T> | undefined;
  #failure: unknown;
  #why = "The database of the fleet does not answer.";
  readonly #closed = new AbortController();

  constructor(inner: Stores<T>, clock: Clock) {
    this.#inner = inner;
    this.#clock = clock;
    this.#next = inner.store.current;
  }

  get current(): T {
    return this.#backlog === undefined ? this.#inner.store.current : this.#next;
  }

  get backlog(): Backlog<T> | undefined {
    return this.#backlog;
  }

  async commit(next: T): Promise<void> {
    this.#next = next;
    await this.#stored();
  }

  async append(facts: readonly LedgerFact[]): Promise<void> {
    this.#facts = [...this.#facts, ...facts];
    await this.#stored();
  }

  /** Resolves when all is stored, or when that takes too long. */
  async #stored(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#writing ??= this.#write();
    if (this.#backlog !== undefined) return;
    let callOff = () => {};
    const patience = new Promise<void>((resolve) => {
      callOff = this.#clock.after(STORE_LIMITS.patienceMs, resolve);
    });
    const writing = this.#writing.then(() => true);
    const isStored = await Promise.race([writing, patience.then(() => false)]).finally(callOff);
    if (!isStored) this.#backlog ??= this.#newBacklog(writing);
  }

  #newBacklog(writing: Promise<unknown>): Backlog<T> {
    const { current: stored } = this.#inner.store;
    const since = this.#clock.now() - STORE_LIMITS.patienceMs;
    // A failure is thrown by the next call.
    const over = new Promise<void>((resolve) => {
      writing.then(
        () => this.#backlog === undefined && resolve(),
        () => {},
      );
    });
    return { since, text: this.#why, stored, over };
  }

  /** Writes until nothing is left to write. */
  async #write(): Promise<void> {
    const { signal } = this.#closed;
    try {
      while (!signal.aborted && this.#isAhead)
        if (!(await this.#isWritten())) await this.#clock.sleep(STORE_LIMITS.retryMs, signal).catch(() => {});
      this.#writing = undefined;
      if (!signal.aborted) this.#backlog = undefined;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  get #isAhead(): boolean {
    return this.#inner.store.current !== this.#next || this.#facts.length > 0;
  }

  /** @returns whether the store has taken what there was */
  async #isWritten(): Promise<boolean> {
    const { store, ledger } = this.#inner;
    try {
      if (store.current !== this.#next) await store.commit(this.#next);
      const facts = this.#facts;
      if (facts.length > 0) await ledger.append(facts);
      this.#facts = this.#facts.slice(facts.length);
      return true;
    } catch (error) {
      if (!(error instanceof RecorderdError) || error.code !== "STORE_WRITE_FAILED") throw error;
      this.#why = error.message;
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#writing?.catch(() => {});
  }
}
