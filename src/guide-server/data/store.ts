import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../kit/log.ts";
import { isRefusal, type Refusal } from "../refusal.ts";
import { AccountsApart } from "./accounts-apart.ts";
import type { Directory } from "./directory.ts";
import { takeOverJournal } from "./from-journal.ts";
import { RECORDS_FILE, Records } from "./records.ts";
import { Show } from "./show.ts";
import { openShows, type Shows } from "./shows.ts";
import { StaleDevices } from "./stale-devices.ts";
import { type Change, type GuideTables, isReadable, type RecordOf, type TableName } from "./tables.ts";
import { type AccountVersions, Versions } from "./versions.ts";

/** The changes to write and the value to return. */
export interface Transaction<T> {
  readonly changes: readonly Change[];
  /** Shows to add or replace. They are on the disk before the changes, which may refer to them. */
  readonly shows?: readonly Show[];
  readonly value: T;
}

export type Decision<T> = Transaction<T> | Refusal;

/**
 * The guide server's data: its records in memory for reading and in a database for storage, and the shows in another.
 * Decisions run one at a time, each on the current records of one account. Their changes are readable at once, so
 * readers wait for `settled` before they answer.
 */
export interface GuideStore extends AsyncDisposable {
  /** The catalogue, without the records of any account. */
  readonly catalogue: GuideTables;
  readonly directory: Directory;
  /** For bulk publishing; decisions read shows through their tables. */
  readonly shows: Shows;
  /** Devices whose timers must be expanded again. */
  readonly staleDevices: StaleDevices;
  readonly versions: AccountVersions;
  /** The records of one account, and the catalogue. */
  of(accountId: string): GuideTables;
  /** All records of a table. */
  all<T extends TableName>(table: T): Iterable<RecordOf<T>>;
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
  /** Resolves after everything readable now is on the disk. @throws RecorderdError STORE_WRITE_FAILED */
  settled(): Promise<void>;
}

/**
 * Reads the folder's data or starts with none.
 *
 * @throws RecorderdError STORE_DAMAGED naming the place, STORE_TOO_NEW, FILE_UNREADABLE, FILE_NOT_OURS,
 * STORE_WRITE_FAILED
 */
export async function openGuideStore(folder: string, log: Log): Promise<GuideStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const records = await Records.open(join(folder, RECORDS_FILE));
  let opened: Shows | undefined;
  try {
    await takeOverJournal(folder, records, log);
    opened = await openShows(folder);
    return await loadedStore(records, opened);
  } catch (error) {
    opened?.[Symbol.dispose]();
    await records[Symbol.asyncDispose]();
    throw error;
  }
}

async function loadedStore(records: Records, opened: Shows): Promise<GuideStore> {
  const apart = new AccountsApart(opened);
  const stale = new StaleDevices(() => apart.rules());
  const versions = new Versions();
  const shows = withStaleMarks(opened, stale);
  const data: Data = { apart, shows, stale, versions, records };
  for await (const change of records.all()) apply(data, change, undefined);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    catalogue: apart.catalogue,
    directory: apart.directory,
    shows,
    staleDevices: stale,
    versions,
    of: (accountId) => apart.of(accountId),
    all: (table) => apart.all(table),
    withScheduleLock: (work) => {
      const done = turn.then(work, work);
      turn = done.catch(() => {});
      return done;
    },
    commit: (accountId, decide) => commit(data, accountId, decide),
    commitShared: (decide) => commit(data, undefined, decide),
    settled: () => records.settled(),
    [Symbol.asyncDispose]: async () => {
      shows[Symbol.dispose]();
      await records[Symbol.asyncDispose]();
    },
  };
}

interface Data {
  readonly apart: AccountsApart;
  readonly shows: Shows;
  readonly stale: StaleDevices;
  readonly versions: Versions;
  readonly records: Records;
}

async function commit<T>(
  data: Data,
  scope: string | undefined,
  decide: (tables: GuideTables) => Decision<T>,
): Promise<T | Refusal> {
  const { apart, shows, records } = data;
  const decision = decide(scope === undefined ? apart.catalogue : apart.of(scope));
  if (isRefusal(decision)) return decision;
  for (const change of decision.changes)
    assert(isReadable(change), `a record of ${change.table} is malformed`);
  if (decision.shows !== undefined) {
    for (const show of decision.shows) assert(Show.safeParse(show).success, "a show is malformed");
    shows.put(decision.shows);
  }
  for (const change of decision.changes) apply(data, change, scope);
  if (decision.changes.length === 0) await records.settled();
  else await records.append(decision.changes);
  return decision.value;
}

function apply({ apart, stale, versions }: Data, change: Change, scope: string | undefined): void {
  const before = apart.apply(change, scope);
  stale.recordChange(change, before);
  versions.recordChange(change, before);
}

/** The same shows; each write also marks stale devices. */
function withStaleMarks(shows: Shows, stale: StaleDevices): Shows {
  return {
    ...shows,
    put: (fresh) => {
      shows.put(fresh);
      stale.recordShows(fresh);
    },
  };
}
