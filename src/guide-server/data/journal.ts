import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { DurableFile } from "../../kit/files/durable-file.ts";
import type { Log } from "../../kit/log.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { type JournalContent, type JournalWriter, readJournal, snapshotText } from "./journal-text.ts";

export interface JournalOptions {
  readonly file: string;
  readonly log: Log;
  /** The current data as entries; read when the file is rewritten. */
  readonly snapshot: () => readonly unknown[];
  /** The file is rewritten when it exceeds both this size and twice its last snapshot. */
  readonly compactBytes: number;
}

/**
 * Reads the file; `undefined` if there is none.
 *
 * @throws RecorderdError STORE_DAMAGED naming file and line, STORE_TOO_NEW, FILE_UNREADABLE
 */
export async function loadJournal(file: string): Promise<JournalContent | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    const message = `${file} cannot be read (${systemCode(error)}): check its owner and the disk.`;
    throw new RecorderdError("FILE_UNREADABLE", message, { file }, { cause: error });
  }
  return readJournal(bytes, file);
}

/**
 * Appends changes so that they survive a crash. Changes that wait for the disk share one write and one sync. After a
 * failed write the journal accepts nothing more: only reading the file again shows whether the disk has it.
 */
export class Journal implements AsyncDisposable {
  readonly #options: JournalOptions;
  readonly #durable: DurableFile;
  #handle: FileHandle | undefined;
  #writer: JournalWriter | undefined;
  #bytes = 0;
  #compactAt = 0;
  #pending: string[] = [];
  /** The write that will include the pending changes. */
  #next: Promise<void> | undefined;
  #tail: Promise<void> = Promise.resolve();

  constructor(options: JournalOptions) {
    this.#options = options;
    // The file holds hashed secrets, and a previous version would keep deleted ones.
    this.#durable = new DurableFile({ file: options.file, mode: 0o600, keepsPrevious: false });
  }

  /**
   * Rewrites the file as a snapshot. Must be called before the first append.
   *
   * @throws RecorderdError DISK_FULL or WRITE_FAILED
   */
  async start(): Promise<void> {
    const { file, snapshot, compactBytes } = this.#options;
    const { text, writer } = snapshotText(snapshot());
    await this.#durable.replace(text);
    await this.#handle?.close();
    this.#handle = await open(file, "a", 0o600);
    this.#writer = writer;
    this.#bytes = Buffer.byteLength(text);
    this.#compactAt = Math.max(compactBytes, 2 * this.#bytes);
  }

  /**
   * @param changes the elements of a JSON array, as text
   * @returns after they are on the disk
   * @throws RecorderdError STORE_WRITE_FAILED, also for every later call
   */
  append(changes: string): Promise<void> {
    this.#pending.push(changes);
    this.#next ??= this.#tail.then(() => this.#write());
    this.#tail = this.#next;
    // The waiting caller receives the failure; without one, the next caller does.
    this.#tail.catch(() => {});
    return this.#tail;
  }

  /** Resolves after everything appended so far is on the disk. @throws as `append` */
  settled(): Promise<void> {
    return this.#tail;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tail.catch(() => {});
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #write(): Promise<void> {
    const group = this.#pending;
    this.#pending = [];
    this.#next = undefined;
    const { file } = this.#options;
    if (this.#handle === undefined || this.#writer === undefined) throw writeFailure(file, "closed");
    const line = this.#writer.line(`[${group.join(",")}]`);
    try {
      await this.#handle.appendFile(line, "utf8");
      await this.#handle.datasync();
    } catch (error) {
      throw writeFailure(file, error);
    }
    this.#bytes += Buffer.byteLength(line);
    if (this.#bytes > this.#compactAt) await this.#compact();
  }

  async #compact(): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      // Without space for a new file the old one continues, provided that it still has its name.
      const [named, ours] = await Promise.all([stat(this.#options.file), this.#handle?.stat()]);
      if (named.ino !== ours?.ino) throw writeFailure(this.#options.file, error);
      this.#compactAt = 2 * this.#bytes;
      this.#options.log.warn("the guide journal could not be compacted", {
        code: codeOf(error),
        bytes: this.#bytes,
      });
    }
  }
}

function writeFailure(file: string, error: unknown): RecorderdError {
  const system = codeOf(error);
  return new RecorderdError(
    "STORE_WRITE_FAILED",
    `${file} cannot be written (${system}): free some space or repair the disk, then restart the guide server.`,
    { file, system },
    { cause: error },
  );
}

function codeOf(error: unknown): string {
  return error instanceof RecorderdError ? String(error.facts["system"] ?? error.code) : systemCode(error);
}
