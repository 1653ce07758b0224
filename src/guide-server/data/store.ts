import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../kit/log.ts";
import { isRefusal, type Refusal } from "../refusal.ts";
import { takeOverJournal } from "./from-journal.ts";
import { RECORDS_FILE, Records } from "./records.ts";
import { Show } from "./show.ts";
import { openShows, type Shows } from "./shows.ts";
import { StaleDevices } from "./stale-devices.ts";
import {
  type Change,
  type GuideTables,
  isReadable,
  type RecordOf,
  TABLE_NAMES,
  type TableName,
} from "./tables.ts";
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
 * Decisions run one at a time on the current tables. Their changes are readable at once, so readers wait for
 * `settled` before they answer.
 */
export interface GuideStore extends AsyncDisposable {
  readonly tables: GuideTables;
  /** For bulk publishing; decisions read shows through `tables`. */
  readonly shows: Shows;
  /** Devices whose timers must be expanded again. */
  readonly staleDevices: StaleDevices;
  readonly versions: AccountVersions;
  /** Runs work that reads and then writes a channel's schedule, one at a time; other work may run between its steps. */
  withScheduleLock<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Carries out a decision; resolves after it is on the disk.
   *
   * @throws RecorderdError STORE_WRITE_FAILED
   */
  commit<T>(decide: (tables: GuideTables) => Decision<T>): Promise<T | Refusal>;
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
  const maps = emptyTables();
  const stale = new StaleDevices();
  const versions = new Versions();
  const marks = { stale, versions };
  const records = await Records.open(join(folder, RECORDS_FILE));
  let opened: Shows | undefined;
  try {
    await takeOverJournal(folder, records, log);
    for await (const change of records.all()) apply(maps, marks, change);
    opened = await openShows(folder);
  } catch (error) {
    await records[Symbol.asyncDispose]();
    throw error;
  }
  const shows = withStaleMarks(opened, stale);
  const close = async () => {
    shows[Symbol.dispose]();
    await records[Symbol.asyncDispose]();
  };
  let turn: Promise<unknown> = Promise.resolve();
  const data: Data = { maps, shows, marks, records, tables: { ...maps, shows } as unknown as GuideTables };
  return {
    tables: data.tables,
    shows,
    staleDevices: stale,
    versions,
    withScheduleLock: (work) => {
      const done = turn.then(work, work);
      turn = done.catch(() => {});
      return done;
    },
    commit: (decide) => commit(data, decide),
    settled: () => records.settled(),
    [Symbol.asyncDispose]: close,
  };
}

interface Data {
  readonly maps: OpenTables;
  readonly shows: Shows;
  readonly marks: Marks;
  readonly records: Records;
  readonly tables: GuideTables;
}

type OpenTables = Readonly<Record<TableName, Map<string, unknown>>>;

function emptyTables(): OpenTables {
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, new Map()])) as unknown as OpenTables;
}

async function commit<T>(
  { maps, shows, marks, records, tables }: Data,
  decide: (tables: GuideTables) => Decision<T>,
): Promise<T | Refusal> {
  const decision = decide(tables);
  if (isRefusal(decision)) return decision;
  for (const change of decision.changes)
    assert(isReadable(change), `a record of ${change.table} is malformed`);
  if (decision.shows !== undefined) {
    for (const show of decision.shows) assert(Show.safeParse(show).success, "a show is malformed");
    shows.put(decision.shows);
  }
  for (const change of decision.changes) apply(maps, marks, change);
  if (decision.changes.length === 0) await records.settled();
  else await records.append(decision.changes);
  return decision.value;
}

/** Both are told of every change. */
interface Marks {
  readonly stale: StaleDevices;
  readonly versions: Versions;
}

function apply(tables: OpenTables, { stale, versions }: Marks, change: Change): void {
  const table = tables[change.table];
  const id = change.kind === "put" ? String(change.record.id) : change.id;
  const before = table.get(id) as RecordOf<TableName> | undefined;
  stale.recordChange(change, before);
  if (change.kind === "put") table.set(id, change.record);
  else table.delete(id);
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
