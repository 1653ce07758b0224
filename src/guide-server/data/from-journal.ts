import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../../kit/files/sync-folder.ts";
import type { Log } from "../../kit/log.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { damaged, readJournal } from "./journal-text.ts";
import type { Records } from "./records.ts";
import { type Change, parseChanges } from "./tables.ts";
import { upgradeFrom } from "./upgrade.ts";

export const JOURNAL_FILE = "guide.journal";

/** The fact that names the journal whose records the database took over. */
const TAKEN = "journal";
const NONE = "none";

/**
 * Moves the records of a journal into the database, all at once, and removes the journal. Interrupted, it is repeated.
 *
 * @throws RecorderdError STORE_DAMAGED naming file and line, STORE_TOO_NEW, FILE_UNREADABLE, STORE_WRITE_FAILED; and
 * FILE_NOT_OURS for a journal that an earlier program version has begun since then
 */
export async function takeOverJournal(folder: string, records: Records, log: Log): Promise<void> {
  const file = join(folder, JOURNAL_FILE);
  const bytes = await contentOf(file);
  const name = bytes === undefined ? NONE : createHash("sha256").update(bytes).digest("hex");
  const taken = await records.fact(TAKEN);
  if (taken === undefined) {
    const changes = bytes === undefined ? [] : changesOf(bytes, file, log);
    await records.writeWithFact(changes, { name: TAKEN, value: name });
  } else if (bytes !== undefined && taken !== name) throw otherJournal(file);
  if (bytes === undefined) return;
  await rm(file);
  await syncFolder(dirname(file));
  log.info("the records of the guide journal are in the database now", { file });
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
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
