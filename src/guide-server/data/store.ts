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

/** What is to be changed, and what to say about it. */
export interface Transaction<T> {
  readonly changes: readonly Change[];
  /** Shows to add or to replace. They are on the disk before the changes are: these may name them. */
  readonly shows?: readonly Show[];
  readonly value: T;
}

export type Decision<T> = Transaction<T> | Refusal;

/**
 * The guide server's data: in memory for reading, in a journal for keeping; the shows in a database. Decisions are made one at a time on the tables as
 * they are; what they change can be read at once, so whoever reads waits for `settled` before telling anyone.
 */
export interface GuideStore extends AsyncDisposable {
  readonly tables: GuideTables;
  /** For those who publish many at once; decisions read them in `tables`. */
  readonly shows: Shows;
  /** What the server's own timers are to be looked at for. */
  readonly staleDevices: StaleDevices;
  /** Does work on the schedule of a channel when nobody else does: between what is read and what is written, others have their turn. */
  withScheduleLock<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Carries out a decision; resolves when it is on the disk.
   *
   * @throws RecorderdError STORE_WRITE_FAILED
   */
  commit<T>(decide: (tables: GuideTables) => Decision<T>): Promise<T | Refusal>;
  /** Resolves when all that can be read now is on the disk. @throws RecorderdError STORE_WRITE_FAILED */
  settled(): Promise<void>;
}

/**
 * Reads the folder's data, or begins with none.
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
    log.warn("guide journal had a torn end, which was never acknowledged", { bytes: content.tornBytes });
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

/** The same shows; what is put there is known to be new. */
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
