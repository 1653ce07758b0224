import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { steadyFs } from "../../kit/files/steady-fs.ts";
import { syncFolder } from "../../kit/files/sync-folder.ts";
import type { Log } from "../../kit/log.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Engine } from "./engine.ts";
import { RecordsImport, type TableRecord } from "./import-records.ts";
import { damaged, readJournal } from "./journal-text.ts";
import { type Change, put, type RecordOf, remove, TABLE_NAMES, TABLES, type TableName } from "./tables.ts";
import { upgradeFrom } from "./upgrade.ts";

export const JOURNAL_FILE = "guide.journal";

/** The fact that names the journal whose records the database took over. */
const TAKEN = "journal";
const NONE = "none";

/**
 * Moves the records of a journal into the database and removes the journal. Interrupted, it is repeated.
 *
 * @throws RecorderdError STORE_DAMAGED naming file and line, STORE_TOO_NEW, FILE_UNREADABLE, STORE_WRITE_FAILED; and
 * FILE_NOT_OURS for a journal that an earlier program version has begun since then
 */
export async function takeOverJournal(folder: string, records: Engine, log: Log): Promise<void> {
  const file = join(folder, JOURNAL_FILE);
  const bytes = await contentOf(file);
  const name = bytes === undefined ? NONE : createHash("sha256").update(bytes).digest("hex");
  const taken = await records.fact(TAKEN);
  if (taken === undefined) {
    if (bytes !== undefined) await store(records, changesOf(bytes, file, log));
    await records.keepFact(TAKEN, name);
  } else if (bytes !== undefined && taken !== name) throw otherJournal(file);
  if (bytes === undefined) return;
  await rm(file);
  await syncFolder(dirname(file));
  log.info("the records of the guide journal were moved to the database", { file });
}

/** Records per transaction. */
const RECORDS_AT_ONCE = 2000;

async function store(records: Engine, changes: readonly Change[]): Promise<void> {
  const imported = new RecordsImport(records);
  const left = leftOf(changes);
  for (let at = 0; at < left.length; at += RECORDS_AT_ONCE)
    await imported.add(left.slice(at, at + RECORDS_AT_ONCE));
}

/** The records that are there after all changes: table by table, each in the order of its addition. */
function leftOf(changes: readonly Change[]): readonly TableRecord[] {
  const tables = new Map(TABLE_NAMES.map((name) => [name, new Map<string, unknown>()]));
  for (const change of changes) {
    const table = tables.get(change.table);
    if (change.kind === "put") table?.set(String(change.record.id), change.record);
    else table?.delete(change.id);
  }
  return [...tables].flatMap(([name, records]) =>
    [...records.values()].map((record) => [name, record] as unknown as TableRecord),
  );
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await steadyFs.readFile(file);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    const message = `${file} cannot be read (${systemCode(error)}): check its owner and the disk.`;
    throw new RecorderdError("FILE_UNREADABLE", message, { file }, { cause: error });
  }
}

function changesOf(bytes: Buffer, file: string, log: Log): readonly Change[] {
  const { entries, tornBytes, version } = readJournal(bytes, file);
  if (tornBytes > 0) {
    log.warn("the guide journal had an incomplete last line, which was never acknowledged", {
      bytes: tornBytes,
    });
  }
  const upgrade = upgradeFrom(version);
  const changes: Change[] = [];
  for (const { line, value } of entries) {
    try {
      changes.push(...parseChanges(upgrade(value)));
    } catch {
      throw damaged(file, line);
    }
  }
  return changes;
}

function otherJournal(file: string): RecorderdError {
  const text = `${file} was begun by an earlier version of recorderd, after this folder got its database. Move the one away whose records you do not need: this file, or guide.db.`;
  return new RecorderdError("FILE_NOT_OURS", text, { file });
}

const Line = z.array(z.tuple([z.enum(["put", "remove"]), z.enum(TABLE_NAMES), z.unknown()]));

/** Shows were in the journal before they had a database; guides publish them again. */
const FORMER_TABLE = "shows";

/**
 * Reads a line of a journal: changes as `["put","timers",{…}]` or `["remove","tokens","…"]`.
 *
 * @throws ZodError if the line has another form
 */
function parseChanges(line: unknown): readonly Change[] {
  const entries = z.array(z.array(z.unknown())).parse(line);
  return Line.parse(entries.filter(([, table]) => table !== FORMER_TABLE)).map(([kind, table, value]) =>
    kind === "put"
      ? put(table, TABLES[table].parse(value) as RecordOf<TableName>)
      : remove(table, z.string().min(1).parse(value)),
  );
}
