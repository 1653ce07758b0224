import { createHash, type Hash } from "node:crypto";
import { basename, dirname } from "node:path";
import type { DurableFs } from "../../kit/files/durable-file.ts";
import { steadyFs } from "../../kit/files/steady-fs.ts";
import { lineOf, readLine, readUnchecked } from "./summed-line.ts";

/** The past of a document: values by collection and id. A different object is a different value. */
export type Past = Readonly<Record<string, ReadonlyMap<string, unknown>>>;

/** The part of a file that belongs to a version of the document, and its SHA-256. */
export interface PastMark {
  readonly number: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file may hold this many outdated lines more than current ones. */
const OUTDATED_LINES = 1000;
const MODE = 0o640;

/** A line: collection, id and current value; without a value the entry is deleted. */
type Entry = readonly [string, string, unknown?];

interface Written {
  readonly mark: PastMark;
  readonly lines: number;
  readonly hash: Hash;
}

/**
 * Keeps the past of a document in `<name>.past-<number>`: a line for each new, changed or deleted value; the latest
 * counts. Lines are only appended, and on disk before the document that names them. So every version of the document
 * finds its own part unchanged; the rest comes from an interrupted write.
 *
 * A mostly outdated file is followed by a new one; the old one stays for the previous version of the document.
 */
export class PastFile {
  readonly #document: string;
  readonly #fs: DurableFs;
  /** The values of `#written`, line for line. */
  #past: Past = {};
  #written: Written | undefined;
  /** All files older than this one were removed. */
  #tidiedFor = 0;

  /** @param document the path of the document's file */
  constructor(document: string, fs: DurableFs = steadyFs) {
    this.#document = document;
    this.#fs = fs;
  }

  /** The contents of all such files, by number. @throws the system's error */
  async files(): Promise<ReadonlyMap<number, Buffer>> {
    const found = new Map<number, Buffer>();
    for (const number of await this.#numbers()) {
      found.set(number, await this.#fs.readFile(this.#path(number)));
    }
    return found;
  }

  /**
   * Continues from the state that a version of the document names.
   *
   * @throws Error if that part is not there unchanged
   */
  resume(mark: PastMark | undefined, files: ReadonlyMap<number, Buffer>): Past {
    if (mark === undefined) {
      this.#written = undefined;
      this.#past = {};
      return this.#past;
    }
    const { number, bytes, sha256 } = mark;
    const path = this.#path(number);
    const found = files.get(number);
    if (found === undefined || found.length < bytes) throw new Error(`${path} is missing or incomplete`);
    const own = found.subarray(0, bytes);
    const hash = createHash("sha256").update(own);
    if (hash.copy().digest("hex") !== sha256) throw new Error(`${path} has changed since it was written`);
    const lines = own.toString("utf8").split("\n").slice(0, -1);
    this.#past = pastOf(lines, readUnchecked);
    this.#written = { mark, lines: lines.length, hash };
    return this.#past;
  }

  /**
   * Reads the intact lines of a damaged file. The file stays for a person; the next write starts a new one with all
   * values.
   */
  salvage(mark: PastMark, files: ReadonlyMap<number, Buffer>): Past {
    this.#written = undefined;
    this.#past = {};
    const own = files.get(mark.number)?.subarray(0, mark.bytes) ?? Buffer.alloc(0);
    return pastOf(own.toString("utf8").split("\n"), readLine);
  }

  /**
   * Writes `past` to disk. One call at a time.
   *
   * @returns the mark for the document; `undefined` as long as there is no past
   * @throws the system's error; then the same, or another, can be retried
   */
  async write(past: Past): Promise<PastMark | undefined> {
    const lines = changes(this.#past, past);
    if (lines.length > 0) this.#written = await this.#add(lines, past);
    this.#past = past;
    return this.#written?.mark;
  }

  /**
   * Removes files that neither the document nor its previous version names. Call it when the document is on disk.
   */
  async tidy(): Promise<void> {
    const { number = 0 } = this.#written?.mark ?? {};
    if (this.#tidiedFor === number) return;
    for (const old of await this.#numbers()) {
      if (old < number - 1) await this.#fs.rm(this.#path(old), { force: true });
    }
    this.#tidiedFor = number;
  }

  async #add(lines: readonly string[], past: Past): Promise<Written> {
    const before = this.#written;
    const live = Object.values(past).reduce((sum, { size }) => sum + size, 0);
    if (before !== undefined && before.lines + lines.length <= 2 * live + OUTDATED_LINES) {
      return await this.#write(lines, before);
    }
    // Files without a document may matter to a person.
    const number = 1 + (before?.mark.number ?? Math.max(0, ...(await this.#numbers())));
    const hash = createHash("sha256");
    return await this.#write(changes({}, past), { mark: { number, bytes: 0, sha256: "" }, lines: 0, hash });
  }

  async #write(lines: readonly string[], after: Written): Promise<Written> {
    const { number, bytes } = after.mark;
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    {
      await using handle = await this.#fs.open(this.#path(number), "a", MODE);
      await handle.truncate(bytes);
      await handle.appendFile(text);
      await handle.datasync();
    }
    if (bytes === 0) {
      await using folder = await this.#fs.open(dirname(this.#document), "r");
      await folder.sync();
    }
    const hash = after.hash.copy().update(text);
    const sha256 = hash.copy().digest("hex");
    return {
      mark: { number, bytes: bytes + text.length, sha256 },
      lines: after.lines + lines.length,
      hash,
    };
  }

  #path(number: number): string {
    return `${this.#document}.past-${number}`;
  }

  /** Numbers of the files, ascending. */
  async #numbers(): Promise<readonly number[]> {
    const start = `${basename(this.#document)}.past-`;
    return (await this.#fs.readdir(dirname(this.#document)))
      .filter((name) => name.startsWith(start) && /^\d{1,9}$/.test(name.slice(start.length)))
      .map((name) => Number(name.slice(start.length)))
      .sort((a, b) => a - b);
  }
}

function changes(before: Past, after: Past): readonly string[] {
  const lines: string[] = [];
  for (const [collection, values] of Object.entries(after)) {
    const known = before[collection];
    if (known === values) continue;
    for (const [id, value] of values) {
      if (known?.get(id) !== value) lines.push(lineOf([collection, id, value]));
    }
    for (const id of known?.keys() ?? []) {
      if (!values.has(id)) lines.push(lineOf([collection, id]));
    }
  }
  return lines;
}

/** @param read gives `undefined` for a line that is damaged */
function pastOf(lines: readonly string[], read: (line: string) => unknown): Past {
  const past: Record<string, Map<string, unknown>> = {};
  for (const line of lines) {
    const entry = read(line) as Entry | undefined;
    if (entry === undefined) continue;
    const [collection, id, ...values] = entry;
    past[collection] ??= new Map();
    if (values.length === 0) past[collection].delete(id);
    else past[collection].set(id, values[0]);
  }
  return past;
}
