import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { JOURNAL_FILE } from "../guide-server/data/from-journal.ts";
import { RECORDS_FILE } from "../guide-server/data/sqlite-records.ts";
import { type GuideStore, openGuideStore } from "../guide-server/data/store.ts";
import { TABLE_NAMES, type TableName } from "../guide-server/data/tables.ts";
import { makeFolder } from "../kit/files/make-folder.ts";
import { refuseSpecialTarget } from "../kit/files/plain-file.ts";
import { open } from "../kit/files/steady-fs.ts";
import { syncFolder } from "../kit/files/sync-folder.ts";
import type { Log } from "../kit/log.ts";
import type { Clock } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import { GUIDE_PART, keptFiles } from "./contents.ts";
import { asBackupError } from "./create.ts";
import { type Counts, type ExportRow, exportText, IS_EXPORTED } from "./guide-lines.ts";
import { BACKUP_LIMITS } from "./limits.ts";
import { copyQuietly } from "./quiet-copy.ts";

export interface GuideExport {
  readonly file: string;
  /** The guide server's data folder. The server may keep running: the export reads a snapshot. */
  readonly folder: string;
  /** The program's version. */
  readonly version: string;
}

export interface ExportParts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
}

const EXPORTED = TABLE_NAMES.filter((name) => IS_EXPORTED[name]);

/** Lines per chunk: each hand-over has a cost. */
const LINES_AT_ONCE = 200;

/**
 * Writes everything of a guide server except sessions into one file that only we can read, atomically. A copy of the data must
 * fit next to it.
 *
 * @throws RecorderdError FILE_UNREADABLE, WRITE_FAILED, or STORE_DAMAGED and STORE_TOO_NEW for the data
 */
export async function exportGuide(
  { file, folder, version }: GuideExport,
  { log, ...parts }: ExportParts,
): Promise<Counts> {
  const place = join(dirname(file), `.${basename(file)}.part`);
  const to = join(place, "data");
  return await asBackupError(file, async () => {
    await refuseSpecialTarget(file);
    // An interrupted run may have left it.
    await rm(place, { recursive: true, force: true });
    await makeFolder(place, 0o700);
    try {
      const files = () => dataFiles(folder);
      await copyQuietly({ from: folder, to, files, patienceMs: BACKUP_LIMITS.quietMs }, parts);
      await using store = await openGuideStore(to, log);
      const counts = await write(exportText(rowsOf(store, EXPORTED), version), join(place, "export"));
      await rename(join(place, "export"), file);
      await syncFolder(dirname(file));
      return counts;
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });
}

async function dataFiles(folder: string): Promise<readonly string[]> {
  const names = await keptFiles(GUIDE_PART, folder).catch((): readonly string[] => []);
  if (names.includes(RECORDS_FILE) || names.includes(JOURNAL_FILE)) return names;
  const text = `${folder} has no data of a guide server, or this user may not read it.`;
  throw new RecorderdError("FILE_UNREADABLE", text, { folder });
}

/** The records of these tables, and the shows. */
export async function* rowsOf(store: GuideStore, tables: readonly TableName[]): AsyncGenerator<ExportRow> {
  for (const name of tables) {
    for await (const record of store.all(name)) yield [name, record] as ExportRow;
  }
  yield* store.shows.rows();
}

async function write(lines: AsyncGenerator<string, Counts>, file: string): Promise<Counts> {
  let counts: Counts = {};
  async function* portions() {
    for (let portion: string[] = []; ; portion = []) {
      while (portion.length < LINES_AT_ONCE) {
        const { value, done } = await lines.next();
        if (done === true) {
          counts = value;
          yield portion.join("");
          return;
        }
        portion.push(value);
      }
      yield portion.join("");
    }
  }
  const target = await open(file, "wx", 0o600);
  await pipeline(Readable.from(portions()), createGzip(), target.createWriteStream({ flush: true }));
  return counts;
}
