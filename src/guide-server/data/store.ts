import { join } from "node:path";
import { makeNamedFolder } from "../../kit/files/make-folder.ts";
import type { Log } from "../../kit/log.ts";
import { Turns } from "../../kit/time/turns.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { Refusal } from "../refusal.ts";
import { Accounts } from "./accounts.ts";
import type { Decision } from "./decision.ts";
import { CATALOGUE, type Engine, type OldPlace, type Page, type Settled, type Unfollowed } from "./engine.ts";
import { takeOverJournal } from "./from-journal.ts";
import { IdRanges } from "./id-ranges.ts";
import { Owners } from "./owners.ts";
import { ShowNews } from "./show-news.ts";
import { openShows, type Shows } from "./shows.ts";
import { openSqliteRecords, RECORDS_FILE } from "./sqlite-records.ts";
import type { GuideTables, RecordOf, TableName } from "./tables.ts";

/** The accounts that names belong to. It gives no access to the records of an account. */
export interface Directory {
  /** The account of the user with this name (user-name.ts). */
  accountOfUser(name: string): Promise<string | undefined>;
  /** The account that was created with this address. */
  accountOfEmail(email: string): Promise<string | undefined>;
  /** Whether this is the oldest account. */
  isFirst(accountId: string): Promise<boolean>;
  /** Whether there was any account at the last look. */
  readonly hasAccounts: boolean;
}

/** Word between processes: it may be lost with a connection, and nobody waits for it. */
export interface Others {
  tell(message: string): void;
  /** @param listener is called with the messages of others */
  hear(listener: (message: string) => void): void;
}

/**
 * The guide server's data: accounts in a database, of which those in use are in memory, and the shows in another
 * database. Readers see what is on the disk. A decision sees the records of one account and the catalogue; it is made
 * again if another one has changed them before it is written.
 */
export interface GuideStore extends AsyncDisposable {
  /** The catalogue, without the records of any account. */
  readonly catalogue: GuideTables;
  readonly directory: Directory;
  /** For bulk publishing; decisions read shows through their tables. */
  readonly shows: Shows;
  /** The other processes of the same database. */
  readonly others: Others;
  /** Changes of shows, by which accounts are settled again. */
  readonly news: ShowNews;
  /** The records of one account, and the catalogue: they follow later changes while they are used. */
  of(accountId: string): Promise<GuideTables>;
  /** Those of the account that has this record, which a request names. One look-up brings them up to date. */
  holding(table: TableName, id: string): Promise<GuideTables | undefined>;
  /** The accounts that have timers of these shows. */
  booking(showIds: readonly number[]): Promise<readonly string[]>;
  /** Shows that their sources have changed, until the timers of all accounts have followed them. */
  unfollowed(): Promise<readonly Unfollowed[]>;
  /** The timers have followed. */
  followed(shows: readonly Unfollowed[]): Promise<void>;
  /** The accounts with records of a table from before an instant, as look-ups.ts dates them. One may come again. */
  withOld(table: TableName, before: EpochMs): AsyncIterable<string>;
  /** All records of a table, in the order of their addition. */
  all<T extends TableName>(table: T): AsyncIterable<RecordOf<T>>;
  /** Runs work that reads and then writes a channel's schedule, one at a time; other work may run between its steps. */
  withScheduleLock<T>(work: () => Promise<T>): Promise<T>;
  /** Does work if it is due and no other process of the same database does it. @returns whether it did */
  job(name: string, everyMs: DurationMs, work: () => Promise<void>): Promise<boolean>;
  /**
   * Carries out a decision on an account; resolves after it is on the disk. It may change the account's records and
   * the catalogue.
   *
   * @throws RecorderdError STORE_WRITE_FAILED, or GUIDE_UNAVAILABLE: try again later
   */
  commit<T>(accountId: string, decide: (tables: GuideTables) => Decision<T>): Promise<T | Refusal>;
  /** Carries out a decision on the catalogue, or one that creates an account. @throws as `commit` */
  commitShared<T>(decide: (catalogue: GuideTables) => Decision<T>): Promise<T | Refusal>;
  /** When the account's timers were last brought in line with its rules; absent while they may differ. */
  settled(accountId: string): Settled | undefined;
  /**
   * Runs the work that does so, once for all who want it at the same time. @param work returns false if they may
   * still differ. @returns whether this call ran it
   */
  settle(accountId: string, now: EpochMs, work: () => Promise<boolean>): Promise<boolean>;
  /**
   * Calls the listener after every change of the account's timers, rules and devices, and when a session ends.
   *
   * @returns ends the calls
   */
  subscribe(accountId: string, listener: () => void): () => void;
}

/**
 * Reads the folder's data or starts with none.
 *
 * @throws RecorderdError STORE_DAMAGED naming the place, STORE_TOO_NEW, FILE_UNREADABLE, FILE_NOT_OURS,
 * STORE_WRITE_FAILED
 */
export async function openGuideStore(folder: string, log: Log): Promise<GuideStore> {
  await makeNamedFolder(folder, 0o700);
  const engine = await openSqliteRecords(join(folder, RECORDS_FILE));
  let opened: Shows | undefined;
  try {
    await takeOverJournal(folder, engine, log);
    opened = await openShows(folder);
    const news = new ShowNews(await nextRun(engine));
    return await Store.open({ engine, news, shows: withNews(opened, news), ...ALONE });
  } catch (error) {
    opened?.[Symbol.dispose]();
    await engine[Symbol.asyncDispose]();
    throw error;
  }
}

/** States of the shows in one run of the server: larger than those of all earlier runs. */
const STATES_OF_RUN = 2 ** 32;

/** The first state of the shows in this run: what happened before it is not remembered. */
async function nextRun(engine: Engine): Promise<number> {
  const run = Number((await engine.fact("run")) ?? 0) + 1;
  await engine.keepFact("run", String(run));
  return run * STATES_OF_RUN;
}

/** The same shows; those that change are kept as unfollowed first. */
function marked(shows: Shows, engine: Engine): Shows {
  return {
    ...shows,
    put: async (fresh) => {
      const known = shows.known(fresh.map(({ id }) => id));
      if (known.length > 0) await engine.addUnfollowed(known);
      await shows.put(fresh);
    },
  };
}

/** The same shows; each write is also news. */
function withNews(shows: Shows, news: ShowNews): Shows {
  return {
    ...shows,
    put: async (fresh) => {
      await shows.put(fresh);
      news.record(fresh);
    },
  };
}

export interface StoreParts extends Pick<GuideStore, "shows" | "news" | "others" | "job"> {
  readonly engine: Engine;
  /** Runs work while no other process changes schedules. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Brings the shows up to a change; absent: they are this process's own. */
  reachShows?(change: number): Promise<void>;
  /**
   * Begins to hear of the changes of other processes; absent: there are none. It ends with the store.
   *
   * @param changed another process has changed these owners; without them, any may have been changed
   */
  hear?(changed: (owners?: readonly string[]) => Promise<void>): AsyncDisposable;
}

const ALONE: Pick<StoreParts, "alone" | "others" | "job"> = {
  others: { tell: () => {}, hear: () => {} },
  alone: (work) => work(),
  job: async (_name, _everyMs, work) => {
    await work();
    return true;
  },
};

/** The data in a database of records and one of shows, which it closes at its end. */
export class Store implements GuideStore {
  readonly catalogue: GuideTables;
  readonly directory: Directory;
  readonly shows: Shows;
  readonly news: ShowNews;
  readonly others: Others;
  readonly #parts: StoreParts;
  readonly #owners: Owners;
  readonly #accounts: Accounts;
  readonly #schedules = new Turns();
  #hasAccounts = false;
  #hearing: AsyncDisposable | undefined;

  private constructor(parts: StoreParts, ids: IdRanges) {
    const { engine, shows, news, others } = parts;
    this.others = others;
    this.#parts = parts;
    this.shows = marked(shows, engine);
    this.news = news;
    this.#owners = new Owners(engine, { shows, counters: ids.counters });
    this.#accounts = new Accounts({ engine, owners: this.#owners, ids, shows: this.shows, news });
    this.catalogue = this.#owners.catalogue.tables;
    const hasAccounts = () => this.#hasAccounts;
    this.directory = {
      accountOfUser: async (name) => (await engine.locate("users", name))?.owner,
      accountOfEmail: (email) => engine.ownerOfEmail(email),
      isFirst: async (id) => (await engine.first("accounts"))?.id === id,
      get hasAccounts() {
        return hasAccounts();
      },
    };
  }

  static async open(parts: StoreParts): Promise<Store> {
    const store = new Store(parts, new IdRanges(parts.engine, await parts.engine.counters()));
    await store.#owners.now(CATALOGUE);
    await store.#lookForAccounts();
    store.#hearing = parts.hear?.((owners) => store.#heard(owners));
    return store;
  }

  async #lookForAccounts(): Promise<void> {
    this.#hasAccounts ||= (await this.#parts.engine.first("accounts")) !== undefined;
  }

  async of(accountId: string): Promise<GuideTables> {
    return (await this.#owners.now(accountId)).tables;
  }

  async holding(table: TableName, id: string): Promise<GuideTables | undefined> {
    const { engine, reachShows } = this.#parts;
    const found = await engine.locate(table, id);
    if (found === undefined) return undefined;
    // A client may have learnt of a channel or a show from another process.
    if (found.shows !== undefined) await reachShows?.(Number(found.shows));
    if (engine.isShared) await this.#owners.now(CATALOGUE, found.catalogue);
    return (await this.#owners.now(found.owner, found.version)).tables;
  }

  booking(showIds: readonly number[]): Promise<readonly string[]> {
    return this.#parts.engine.ownersOfTimers(showIds);
  }

  async unfollowed(): Promise<readonly Unfollowed[]> {
    const { engine } = this.#parts;
    if ((await engine.unfollowed()).length === 0) return [];
    // A mark is written before its show. Nobody is between the two under the lock.
    return await this.withScheduleLock(() => engine.unfollowed());
  }

  followed(shows: readonly Unfollowed[]): Promise<void> {
    return this.#parts.engine.removeUnfollowed(shows);
  }

  async *withOld(table: TableName, before: EpochMs): AsyncGenerator<string> {
    for (let after: OldPlace | undefined; ; ) {
      const page = await this.#parts.engine.ownersOfOld(table, before, after);
      yield* page.owners;
      if (page.last === undefined) return;
      after = page.last;
    }
  }

  async *all<T extends TableName>(table: T): AsyncGenerator<RecordOf<T>> {
    const { engine } = this.#parts;
    if (table === "counters") {
      yield* (await engine.counters()) as readonly RecordOf<T>[];
      return;
    }
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Page<T> = await engine.page(table, after);
      yield* page.records;
      after = page.last;
    }
  }

  withScheduleLock<T>(work: () => Promise<T>): Promise<T> {
    return this.#schedules.run(() => this.#parts.alone(work));
  }

  job(name: string, everyMs: DurationMs, work: () => Promise<void>): Promise<boolean> {
    return this.#parts.job(name, everyMs, work);
  }

  commit<T>(accountId: string, decide: (tables: GuideTables) => Decision<T>): Promise<T | Refusal> {
    return this.#accounts.commit(accountId, decide);
  }

  async commitShared<T>(decide: (catalogue: GuideTables) => Decision<T>): Promise<T | Refusal> {
    const outcome = await this.#accounts.commit(CATALOGUE, decide);
    await this.#lookForAccounts();
    return outcome;
  }

  settled(accountId: string): Settled | undefined {
    return this.#owners.known(accountId)?.settled;
  }

  settle(accountId: string, now: EpochMs, work: () => Promise<boolean>): Promise<boolean> {
    return this.#accounts.settle(accountId, now, work);
  }

  subscribe(accountId: string, listener: () => void): () => void {
    return this.#accounts.subscribe(accountId, listener);
  }

  async #heard(owners?: readonly string[]): Promise<void> {
    await this.#lookForAccounts();
    if (owners === undefined || owners.includes(CATALOGUE)) await this.#owners.now(CATALOGUE);
    this.#accounts.tell(owners);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hearing?.[Symbol.asyncDispose]();
    await this.#accounts.ended();
    this.shows[Symbol.dispose]();
    await this.#parts.engine[Symbol.asyncDispose]();
  }
}
