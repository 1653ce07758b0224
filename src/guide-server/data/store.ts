import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../kit/log.ts";
import { isRefusal, type Refusal } from "../refusal.ts";
import { Journal, loadJournal } from "./journal.ts";
import { damaged } from "./journal-text.ts";
import { Show } from "./show.ts";
import { openShows, type Shows } from "./shows.ts";
import { StaleDevices } from "./stale-devices.ts";
import {
  type Change,
  formatChange,
  type GuideTables,
  isReadable,
  parseChanges,
  type RecordOf,
  TABLE_NAMES,
  type TableName,
} from "./tables.ts";
import { upgradeFrom } from "./upgrade.ts";

const COMPACT_BYTES = 4 * 1024 * 1024;

/** The changes to write and the value to return. */
export interface Transaction<T> {
  readonly changes: readonly Change[];
  /** Shows to add or replace. They are on the disk before the changes, which may refer to them. */
  readonly shows?: readonly Show[];
  readonly value: T;
}

export type Decision<T> = Transaction<T> | Refusal;

/**
 * The guide server's data: in memory for reading and in a journal for storage, with the shows in a database.
 * Decisions run one at a time on the current tables. Their changes are readable at once, so readers wait for
 * `settled` before they answer.
 */
export interface GuideStore extends AsyncDisposable {
  readonly tables: GuideTables;
  /** For bulk publishing; decisions read shows through `tables`. */
  readonly shows: Shows;
  /** Devices whose timers must be expanded again. */
  readonly staleDevices: StaleDevices;
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
 * @throws RecorderdError STORE_DAMAGED naming file and line, STORE_TOO_NEW, FILE_UNREADABLE, DISK_FULL, WRITE_FAILED
 */
export async function openGuideStore(folder: string, log: Log): Promise<GuideStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "guide.journal");
  const maps = emptyTables();
  const stale = new StaleDevices();
  const content = await loadJournal(file);
  const upgrade = upgradeFrom(content?.version);
  for (const { line, value } of content?.entries ?? []) {
    for (const change of changesOf(() => upgrade(value), { file, line })) apply(maps, stale, change);
  }
  if (content !== undefined && content.tornBytes > 0) {
    log.warn("the guide journal had an incomplete last line, which was never acknowledged", {
      bytes: content.tornBytes,
    });
  }
  const journal = new Journal({ file, log, snapshot: () => snapshotOf(maps), compactBytes: COMPACT_BYTES });
  const shows = withStaleMarks(await openShows(folder), stale);
  const close = async () => {
    shows[Symbol.dispose]();
    await journal[Symbol.asyncDispose]();
  };
  try {
    await journal.start();
  } catch (error) {
    await close();
    throw error;
  }
  let turn: Promise<unknown> = Promise.resolve();
  const data: Data = { maps, shows, stale, journal, tables: { ...maps, shows } as unknown as GuideTables };
  return {
    tables: data.tables,
    shows,
    staleDevices: stale,
    withScheduleLock: (work) => {
      const done = turn.then(work, work);
      turn = done.catch(() => {});
      return done;
    },
    commit: (decide) => commit(data, decide),
    settled: () => journal.settled(),
    [Symbol.asyncDispose]: close,
  };
}

interface Data {
  readonly maps: OpenTables;
  readonly shows: Shows;
  readonly stale: StaleDevices;
  readonly journal: Journal;
  readonly tables: GuideTables;
}

type OpenTables = Readonly<Record<TableName, Map<string, unknown>>>;

function emptyTables(): OpenTables {
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, new Map()])) as unknown as OpenTables;
}

async function commit<T>(
  { maps, shows, stale, journal, tables }: Data,
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
  for (const change of decision.changes) apply(maps, stale, change);
  if (decision.changes.length === 0) await journal.settled();
  else await journal.append(decision.changes.map(formatChange).join(","));
  return decision.value;
}

function apply(tables: OpenTables, stale: StaleDevices, change: Change): void {
  const table = tables[change.table];
  const id = change.kind === "put" ? String(change.record.id) : change.id;
  stale.recordChange(change, table.get(id) as RecordOf<TableName> | undefined);
  if (change.kind === "put") table.set(id, change.record);
  else table.delete(id);
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

function changesOf(
  value: () => unknown,
  { file, line }: { readonly file: string; readonly line: number },
): readonly Change[] {
  try {
    return parseChanges(value());
  } catch {
    throw damaged(file, line);
  }
}

function snapshotOf(tables: OpenTables): readonly unknown[] {
  return TABLE_NAMES.flatMap((name) => [...tables[name].values()].map((record) => [["put", name, record]]));
}
