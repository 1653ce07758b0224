import { randomBytes } from "node:crypto";
import { basename, dirname } from "node:path";
import type { DurableFs } from "../../kit/files/durable-file.ts";
import { steadyFs } from "../../kit/files/steady-fs.ts";
import type { Change } from "./change-lines.ts";
import { lineOf, readLine } from "./summed-line.ts";

const MODE = 0o640;

/** The first line of a log. */
interface Head {
  /**
   * The log before: with all its changes, it leads to the document that this log follows. Absent if a write had failed.
   */
  readonly follows?: string;
}

/** The readable part of a log. */
interface ReadLog {
  readonly head: Head;
  readonly lines: readonly (readonly Change[])[];
  /** A line with an end is damaged: a write that a crash cut off has none. */
  readonly isDamaged: boolean;
  /** Length up to the end of the last good line. */
  readonly bytes: number;
}

/** All logs of a document, by id. */
export type LogFiles = ReadonlyMap<string, ReadLog>;

/** A missing log is one without changes: it begins with the first of them. */
const EMPTY: ReadLog = { head: {}, lines: [], isDamaged: false, bytes: 0 };

/** Changes that lead from a version of the document to the last commit. */
export interface Followed {
  readonly lines: readonly (readonly Change[])[];
  /** The name of a damaged log, whose later changes are lost. */
  readonly damaged?: string;
  /** The log can be continued. */
  readonly isWhole: boolean;
}

/**
 * Keeps the changes since the document was written in `<name>.log-<id>`, a line for each commit. The document names its
 * log. Its previous version names the log before, so a damaged document loses nothing: the one log leads to the next.
 */
export class ChangeLog {
  readonly #document: string;
  readonly #fs: DurableFs;
  #id = newId();
  #follows: string | undefined;
  #bytes = 0;

  /** @param document the path of the document's file */
  constructor(document: string, fs: DurableFs = steadyFs) {
    this.#document = document;
    this.#fs = fs;
  }

  /** Size of the current log. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws the system's error */
  async files(): Promise<LogFiles> {
    const found = new Map<string, ReadLog>();
    for (const id of await this.#ids()) found.set(id, readLog(await this.#fs.readFile(this.#path(id))));
    return found;
  }

  /** The changes after a version of the document, and after the versions that follow it. */
  changesAfter(id: string | undefined, files: LogFiles): Followed {
    if (id === undefined) return { lines: [], isWhole: false };
    const lines: (readonly Change[])[] = [];
    let isWhole = true;
    for (let next: string | undefined = id; next !== undefined; ) {
      const log = files.get(next) ?? EMPTY;
      lines.push(...log.lines);
      if (log.isDamaged) return { lines, damaged: this.#path(next), isWhole: false };
      const current: string = next;
      next = [...files].find(([, { head }]) => head.follows === current)?.[0];
      isWhole &&= next === undefined;
    }
    return { lines, isWhole };
  }

  /** Continues a log that `changesAfter` found whole. */
  resume(id: string, files: LogFiles): void {
    const { head, bytes } = files.get(id) ?? EMPTY;
    this.#id = id;
    this.#follows = head.follows;
    this.#bytes = bytes;
  }

  /**
   * Begins a log for a document that is about to be written.
   *
   * @param isNext the log before leads to that document
   * @returns its id, which the document names
   */
  begin(isNext: boolean): string {
    this.#follows = isNext ? this.#id : undefined;
    this.#id = newId();
    this.#bytes = 0;
    return this.#id;
  }

  /**
   * Writes one line to disk. One call at a time.
   *
   * @throws the system's error; the log must not be continued then: a second flush may succeed without the data
   */
  async append(changes: readonly Change[]): Promise<void> {
    const isNew = this.#bytes === 0;
    const head: Head = this.#follows === undefined ? {} : { follows: this.#follows };
    const lines = [...(isNew ? [lineOf(head)] : []), lineOf(changes)];
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    {
      await using handle = await this.#fs.open(this.#path(this.#id), "a", MODE);
      await handle.truncate(this.#bytes);
      await handle.appendFile(text);
      await handle.datasync();
    }
    if (isNew) {
      await using folder = await this.#fs.open(dirname(this.#document), "r");
      await folder.sync();
    }
    this.#bytes += text.length;
  }

  /** Removes all other logs. */
  async tidy(needed: readonly string[]): Promise<void> {
    for (const id of await this.#ids()) {
      if (!needed.includes(id)) await this.#fs.rm(this.#path(id), { force: true });
    }
  }

  #path(id: string): string {
    return `${this.#document}.log-${id}`;
  }

  async #ids(): Promise<readonly string[]> {
    const start = `${basename(this.#document)}.log-`;
    return (await this.#fs.readdir(dirname(this.#document)))
      .filter((name) => name.startsWith(start) && /^[0-9a-f]{8}$/.test(name.slice(start.length)))
      .map((name) => name.slice(start.length));
  }
}

function newId(): string {
  return randomBytes(4).toString("hex");
}

function readLog(content: Buffer): ReadLog {
  const texts = content.toString("utf8").split("\n");
  const found = texts.map(readLine);
  const bad = found.indexOf(undefined);
  const [head = {}, ...lines] = found.slice(0, bad);
  return {
    head: head as Head,
    lines: lines as readonly (readonly Change[])[],
    isDamaged: bad < texts.length - 1,
    bytes: texts.slice(0, bad).reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0),
  };
}
