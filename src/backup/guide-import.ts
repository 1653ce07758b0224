import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { RecordsImport, type TableRecord } from "../guide-server/data/import-records.ts";
import { openShows } from "../guide-server/data/shows.ts";
import { SHOWS_TABLES, type ShowsRow } from "../guide-server/data/shows-rows.ts";
import { openSqliteRecords, RECORDS_FILE } from "../guide-server/data/sqlite-records.ts";
import { LOCK_FILE, lockFolder } from "../kit/files/lock.ts";
import { makeFolder } from "../kit/files/make-folder.ts";
import { finishStaging, markStaged, stage } from "../kit/files/staged-files.ts";
import { open } from "../kit/files/steady-fs.ts";
import { RecorderdError } from "../model/errors.ts";
import { asBackupError } from "./create.ts";
import { type Counts, type ExportRow, exportRows } from "./guide-lines.ts";

/** Each chunk is on disk before the next one is read. */
const ROWS_AT_ONCE = 2000;

/** Names that an empty folder may hold: our own lock, and a file system's own entries. */
const UNOWNED_TABLES: readonly string[] = [LOCK_FILE, "lost+found"];

/**
 * Creates a guide server's data folder from an export; the folder must be empty or missing. The data is installed at once,
 * after the whole export was read and verified.
 *
 * @throws RecorderdError FILE_UNREADABLE or STORE_TOO_NEW for an unusable export, naming line and reason
 * @throws RecorderdError FILE_NOT_OURS naming what is in the way, STORE_LOCKED, STORE_WRITE_FAILED, DISK_FULL, WRITE_FAILED
 */
export async function importGuide(file: string, folder: string): Promise<Counts> {
  return await installRows(folder, exportRows(file));
}

/** The same with rows from anywhere; nothing is installed unless all of them came without an error. @throws as importGuide */
export async function installRows(folder: string, rows: AsyncGenerator<ExportRow, Counts>): Promise<Counts> {
  return await asBackupError(folder, async () => {
    await makeFolder(folder, 0o700);
    await using _lock = await lockFolder(folder);
    await finishStaging(folder);
    const [inTheWay] = (await readdir(folder)).filter((name) => !UNOWNED_TABLES.includes(name));
    if (inTheWay !== undefined) {
      const path = join(folder, inTheWay);
      const text = `${path} already exists, but an import needs an empty folder. Nothing was changed.`;
      throw new RecorderdError("FILE_NOT_OURS", text, { file: path });
    }
    try {
      const staging = await stage(folder);
      const counts = await fill(staging, rows);
      const install = await readdir(staging);
      for (const name of install) await bringToDisk(join(staging, name));
      await markStaged(folder, { install, remove: [] });
      return counts;
    } finally {
      // Installs the data, or removes it if it is incomplete.
      await finishStaging(folder);
    }
  });
}

async function fill(staging: string, rows: AsyncGenerator<ExportRow, Counts>): Promise<Counts> {
  let some: ExportRow[] = [];
  await using engine = await openSqliteRecords(join(staging, RECORDS_FILE));
  const records = new RecordsImport(engine);
  using shows = await openShows(staging);
  for (;;) {
    const { value, done } = await rows.next();
    if (done === true || some.length >= ROWS_AT_ONCE) {
      await shows.putRows(some.filter(isShowsRow));
      await records.add(some.filter(isRecordRow));
      some = [];
    }
    if (done === true) return value;
    some.push(value);
  }
}

export function isRecordRow(row: ExportRow): row is TableRecord {
  return !isShowsRow(row);
}

export function isShowsRow(row: ExportRow): row is ShowsRow {
  return Object.hasOwn(SHOWS_TABLES, row[0]);
}

async function bringToDisk(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
