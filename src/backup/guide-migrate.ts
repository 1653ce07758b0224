import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSharedImport } from "../guide-server/data/postgres/import-shared.ts";
import { openSharedStore } from "../guide-server/data/postgres/shared-store.ts";
import { openGuideStore } from "../guide-server/data/store.ts";
import { TABLE_NAMES } from "../guide-server/data/tables.ts";
import type { DatabaseOptions } from "../guide-server/server.ts";
import { lockFolder } from "../kit/files/lock.ts";
import type { Log } from "../kit/log.ts";
import type { Clock } from "../kit/time/clock.ts";
import { rowsOf } from "./guide-export.ts";
import { installRows, isRecordRow, isShowsRow } from "./guide-import.ts";
import type { Counts, ExportRow } from "./guide-lines.ts";

/** Rows per transaction. */
const ROWS_AT_ONCE = 2000;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Copies the data of a stopped guide server, sessions included, from its folder to an empty database. The folder stays
 * as it is.
 *
 * @throws RecorderdError STORE_LOCKED while the server runs, FILE_NOT_OURS if the database has data, GUIDE_UNAVAILABLE,
 * STORE_DAMAGED, STORE_TOO_NEW
 */
export async function migrateToDatabase(
  folder: string,
  { address, password }: DatabaseOptions,
  { log }: Parts,
): Promise<Counts> {
  await using _lock = await lockFolder(folder);
  await using store = await openGuideStore(folder, log);
  await using target = await openSharedImport(address, password);
  const counts: Record<string, number> = {};
  for await (const some of portions(rowsOf(store, TABLE_NAMES))) {
    await target.addShows(some.filter(isShowsRow));
    await target.addRecords(some.filter(isRecordRow));
    for (const [table] of some) counts[table] = (counts[table] ?? 0) + 1;
  }
  return counts;
}

/**
 * Copies the data of a database to an empty folder. Its servers should be stopped: later changes are not copied.
 *
 * @throws RecorderdError GUIDE_UNAVAILABLE, STORE_TOO_NEW, STORE_DAMAGED, FILE_NOT_OURS if the folder has files,
 * STORE_WRITE_FAILED
 */
export async function migrateToFolder(
  { address, password }: DatabaseOptions,
  folder: string,
  { clock, log }: Parts,
): Promise<Counts> {
  const own = await mkdtemp(join(tmpdir(), "recorderd-guide-"));
  try {
    await using store = await openSharedStore({ address, password, folder: own, clock, log });
    return await installRows(folder, counted(rowsOf(store, TABLE_NAMES)));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function* counted(rows: AsyncIterable<ExportRow>): AsyncGenerator<ExportRow, Counts> {
  const counts: Record<string, number> = {};
  for await (const row of rows) {
    counts[row[0]] = (counts[row[0]] ?? 0) + 1;
    yield row;
  }
  return counts;
}

async function* portions(rows: AsyncIterable<ExportRow>): AsyncGenerator<readonly ExportRow[]> {
  let some: ExportRow[] = [];
  for await (const row of rows) {
    some.push(row);
    if (some.length < ROWS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  yield some;
}
