import { type FileHandle, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { open } from "../../kit/files/steady-fs.ts";
import { syncFolder } from "../../kit/files/sync-folder.ts";
import { unreadableFile } from "../../kit/files/unreadable-file.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { Turns } from "../../kit/time/turns.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { TimerId } from "../../model/timer.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { STORE_LIMITS } from "./limits.ts";

export interface LedgerOptions {
  readonly folder: string;
  /** The size at which a new file begins. */
  readonly bytesMax?: number;
  /** The number of old files to keep; the oldest are removed. */
  readonly filesMax?: number;
}

/** The append-only history of every timer: one JSON line per fact. Disposing waits for pending writes. */
export interface Ledger extends AsyncDisposable {
  /**
   * Resolves when the facts are on disk. Calls run in order.
   *
   * @throws RecorderdError STORE_WRITE_FAILED; then nothing of `facts` is in the ledger
   */
  append(facts: readonly LedgerFact[]): Promise<void>;
  /**
   * Appends the latest facts that a crash has kept out, all or some: facts at the end of the ledger are not repeated.
   *
   * @throws RecorderdError STORE_WRITE_FAILED
   */
  catchUp(latest: readonly LedgerFact[]): Promise<void>;
}

const Line = z.object({
  at: z.number(),
  fact: z.string(),
  timerId: z.string().optional(),
  recordingId: z.string().optional(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});

/**
 * All facts, oldest first, or those of one timer. Can be read while a daemon writes. A line that is not a fact, such
 * as one that a crash cut off, is skipped.
 *
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function* readLedger(
  folder: string,
  { timerId }: { readonly timerId?: TimerId } = {},
): AsyncGenerator<LedgerFact, void, undefined> {
  for (const number of await numbersToRead(folder)) {
    const path = fileOf(folder, number);
    try {
      await using handle = await open(path, "r");
      for await (const line of handle.readLines({ autoClose: false })) {
        const fact = factOf(line);
        if (fact !== undefined && (timerId === undefined || fact.timerId === timerId)) yield fact;
      }
    } catch (error) {
      // Rotated away since the folder was listed.
      if (systemCode(error) === "ENOENT") continue;
      throw unreadableFile(path, error);
    }
  }
}

/**
 * Opens the ledger of a folder for writing. The caller holds the lock of the folder, so one process writes at a time.
 *
 * @throws RecorderdError STORE_WRITE_FAILED when the folder is not writable
 */
export async function openLedger({
  folder,
  bytesMax = STORE_LIMITS.ledgerBytes,
  filesMax = STORE_LIMITS.ledgerFiles,
}: LedgerOptions): Promise<Ledger> {
  let current = await asOurs(folder, async () => openFile(folder, (await numbersIn(folder)).at(-1) ?? 1));
  const turns = new Turns();

  async function rotate(): Promise<void> {
    const { number, handle } = current;
    current = await openFile(folder, number + 1);
    await handle.close();
    for (const old of (await numbersIn(folder)).slice(0, -(filesMax + 1))) {
      await rm(fileOf(folder, old), { force: true });
    }
  }

  async function write(facts: readonly LedgerFact[]): Promise<void> {
    const bytes = Buffer.from(facts.map((fact) => `${oneLine(fact)}\n`).join(""));
    if (current.bytes > 0 && current.bytes + bytes.length > bytesMax) await rotate();
    const { handle, number } = current;
    try {
      await handle.appendFile(bytes);
      await handle.datasync();
    } catch (error) {
      // Half a line would spoil the next call's first one.
      await handle.truncate(current.bytes).catch(() => {});
      throw error;
    }
    current = { handle, number, bytes: current.bytes + bytes.length };
  }

  /** A rotation never splits a batch, so its written part is at the end of the current file. */
  async function catchUp(latest: readonly LedgerFact[]): Promise<void> {
    const { handle, bytes } = current;
    const lines = latest.map((fact) => `${oneLine(fact)}\n`);
    const length = Math.min(bytes, Buffer.byteLength(lines.join("")));
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, bytes - length);
    const end = buffer.toString("utf8");
    let there = lines.length;
    while (there > 0 && !end.endsWith(lines.slice(0, there).join(""))) there -= 1;
    if (there < latest.length) await write(latest.slice(there));
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    return turns.run(() => asOurs(folder, work));
  }

  return {
    append: (facts) => inTurn(() => write(facts)),
    catchUp: (latest) => inTurn(() => catchUp(latest)),
    [Symbol.asyncDispose]: async () => {
      await turns.ended();
      await current.handle.close();
    },
  };
}

interface OpenFile {
  readonly number: number;
  readonly handle: FileHandle;
  readonly bytes: number;
}

async function openFile(folder: string, number: number): Promise<OpenFile> {
  const handle = await open(fileOf(folder, number), "a+", 0o640);
  const bytes = await wholeLinesOf(handle);
  await handle.truncate(bytes);
  // A new file is durable only when its folder is.
  await syncFolder(folder);
  return { number, handle, bytes };
}

/** The size up to the end of the last whole line. */
async function wholeLinesOf(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat();
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    const newline = chunk.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

/** Numbers only rise: no file is renamed, so readers stay on the right one. */
function fileOf(folder: string, number: number): string {
  return join(folder, `ledger-${String(number).padStart(6, "0")}.jsonl`);
}

/** The numbers of the existing files, ascending. */
async function numbersIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder);
  return names
    .flatMap((name) => /^ledger-(\d{6,})\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** JSON leaves two characters unescaped at which newer versions of Node break lines. */
function oneLine(fact: LedgerFact): string {
  return JSON.stringify(fact).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

async function numbersToRead(folder: string): Promise<readonly number[]> {
  try {
    return await numbersIn(folder);
  } catch (error) {
    const system = systemCode(error);
    const message = `There is no ledger to read in ${folder} (${system}): has the recorder run with this configuration?`;
    throw new RecorderdError("FILE_UNREADABLE", message, { folder, system }, { cause: error });
  }
}

function factOf(line: string): LedgerFact | undefined {
  try {
    const { at, fact, timerId, recordingId, facts } = Line.parse(JSON.parse(line));
    return {
      at,
      fact,
      ...withoutUndefined({ timerId, recordingId, facts }),
    };
  } catch {
    return undefined;
  }
}

async function asOurs<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const system = systemCode(error);
    const text =
      error instanceof RecorderdError
        ? error.message
        : `The ledger in ${folder} cannot be written (${system}): check its permissions and the free space on its disk.`;
    throw new RecorderdError("STORE_WRITE_FAILED", text, { folder, system }, { cause: error });
  }
}
