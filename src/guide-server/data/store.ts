import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../kit/log.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Refusal } from "../refusal.ts";
import { Accounts } from "./accounts.ts";
import type { Decision } from "./decision.ts";
import { CATALOGUE, type Engine, type Page, type Settled } from "./engine.ts";
import { takeOverJournal } from "./from-journal.ts";
import { IdRanges } from "./id-ranges.ts";
import { Owners } from "./owners.ts";
import { ShowNews } from "./show-news.ts";
import { openShows, type Shows } from "./shows.ts";
import { openSqliteRecords, RECORDS_FILE } from "./sqlite-records.ts";
import type { GuideTables, RecordOf, TableName } from "./tables.ts";

/** Whom names and tokens belong to. It gives no access to the records of an account. */
export interface Directory {
  /** The account of the user with this name (user-name.ts). */
  accountOfUser(name: string): Promise<string | undefined>;
  /** @param id the SHA-256 of the token */
  accountOfToken(id: string): Promise<string | undefined>;
  /** The account that was created with this address. */
  accountOfEmail(email: string): Promise<string | undefined>;
  /** Whether this is the oldest account. */
  isFirst(accountId: string): Promise<boolean>;
  /** Whether there was any account at the last look. */
  readonly hasAccounts: boolean;
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
  /** Changes of shows, by which accounts are settled again. */
  readonly news: ShowNews;
  /** The records of one account, and the catalogue: they follow later changes while they are used. */
  of(accountId: string): Promise<GuideTables>;
  /** All records of a table, in the order of their addition. */
  all<T extends TableName>(table: T): AsyncIterable<RecordOf<T>>;
  /** Runs work that reads and then writes a channel's schedule, one at a time; other work may run between its steps. */
  withScheduleLock<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Carries out a decision on an account; resolves after it is on the disk. It may change the account's records and
   * the catalogue.
   *
   * @throws RecorderdError STORE_WRITE_FAILED
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
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const engine = await openSqliteRecords(join(folder, RECORDS_FILE));
  let opened: Shows | undefined;
  try {
    await takeOverJournal(folder, engine, log);
    opened = await openShows(folder);
    return await openStore(engine, opened);
  } catch (error) {
    opened?.[Symbol.dispose]();
    await engine[Symbol.asyncDispose]();
    throw error;
  }
}

/** The data in a database of records and one of shows, which it closes at its end. */
export async function openStore(engine: Engine, opened: Shows): Promise<GuideStore> {
  const news = new ShowNews(await nextRun(engine));
  const shows = withNews(opened, news);
  const ids = new IdRanges(engine, await engine.counters());
  const owners = new Owners(engine, { shows, counters: ids.counters });
  const accounts = new Accounts({ engine, owners, ids, shows, news });
  await owners.now(CATALOGUE);
  let hasAccounts = (await engine.first("accounts")) !== undefined;
  const inTurn = turns();
  return {
    catalogue: owners.catalogue.tables,
    directory: {
      accountOfUser: (name) => engine.ownerOf("users", name),
      accountOfToken: (id) => engine.ownerOf("tokens", id),
      accountOfEmail: (email) => engine.ownerOfEmail(email),
      isFirst: async (id) => (await engine.first("accounts"))?.id === id,
      get hasAccounts() {
        return hasAccounts;
      },
    },
    shows,
    news,
    of: async (id) => (await owners.now(id)).tables,
    all: (table) => allOf(engine, table),
    withScheduleLock: inTurn,
    commit: (id, decide) => accounts.commit(id, decide),
    commitShared: async (decide) => {
      const outcome = await accounts.commit(CATALOGUE, decide);
      hasAccounts ||= (await engine.first("accounts")) !== undefined;
      return outcome;
    },
    settled: (id) => owners.known(id)?.settled,
    settle: (id, now, work) => accounts.settle(id, now, work),
    subscribe: (id, listener) => accounts.subscribe(id, listener),
    [Symbol.asyncDispose]: async () => {
      await accounts.ended();
      shows[Symbol.dispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
}

/** States of the shows in one run of the server: larger than those of all earlier runs. */
const STATES_OF_RUN = 2 ** 32;

/** The first state of the shows in this run: what happened before it is not remembered. */
async function nextRun(engine: Engine): Promise<number> {
  const run = Number((await engine.fact("run")) ?? 0) + 1;
  await engine.keepFact("run", String(run));
  return run * STATES_OF_RUN;
}

async function* allOf<T extends TableName>(engine: Engine, table: T): AsyncGenerator<RecordOf<T>> {
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

/** Runs pieces of work one after the other. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = turn.then(work, work);
    turn = done.catch(() => {});
    return done;
  };
}

/** The same shows; each write is also news. */
function withNews(shows: Shows, news: ShowNews): Shows {
  return {
    ...shows,
    put: (fresh) => {
      shows.put(fresh);
      news.record(fresh);
    },
  };
}
