import { randomBytes } from "node:crypto";
import * as nodeFs from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";

/** The few calls of node:fs/promises that a durable file is made of; tests cut them off one by one. */
export type DurableFs = Pick<typeof nodeFs, "link" | "open" | "readdir" | "readFile" | "rename" | "rm">;

export interface DurableFileOptions {
  readonly file: string;
  /** Permissions of a new version, less the umask: 0640 unless given; files with secrets give 0600. */
  readonly mode?: number;
  /** Whether the version before stays beside it: yes unless said otherwise. Secrets are to be in one file alone. */
  readonly keepsPrevious?: boolean;
  readonly fs?: DurableFs;
}

export interface DurableContent<T> {
  readonly value: T;
  /** `previous`: the current version is missing or damaged, what was written before it is what there is. */
  readonly version: "current" | "previous";
  /** What is wrong with the current version, when it is not the one. */
  readonly damage?: string;
}

/**
 * One small file that is replaced as a whole and never seen half-written, whatever the power does: at every instant the folder
 * holds the old or the new version complete. The version before the current one stays beside it as `<name>.previous`, a
 * damaged one that is replaced as `<name>.damaged`. One process at a time may write; any number may read.
 */
export class DurableFile {
  readonly file: string;
  readonly #mode: number;
  readonly #keepsPrevious: boolean;
  readonly #fs: DurableFs;
  #writing: Promise<void> = Promise.resolve();
  #swept = false;
  /** The current version could not be read: it must not push the previous one out. */
  #damaged = false;

  constructor({ file, mode = 0o640, keepsPrevious = true, fs = nodeFs }: DurableFileOptions) {
    this.file = file;
    this.#mode = mode;
    this.#keepsPrevious = keepsPrevious;
    this.#fs = fs;
  }

  /**
   * The newest version that `parse` accepts; `undefined` when there never was one. An Error that `parse` throws means damage;
   * a RecorderdError is passed on, without a look at the previous version.
   *
   * @throws RecorderdError STORE_DAMAGED when what is there is all damaged
   * @throws RecorderdError FILE_UNREADABLE when the system refuses to read it
   */
  async read<T>(parse: (text: string) => T): Promise<DurableContent<T> | undefined> {
    const damage: string[] = [];
    const versions = this.#keepsPrevious ? (["current", "previous"] as const) : (["current"] as const);
    for (const version of versions) {
      const path = version === "current" ? this.file : previousOf(this.file);
      const text = await this.#textOf(path);
      if (text === undefined) continue;
      try {
        const value = parse(text);
        return { value, version, ...(damage[0] === undefined ? {} : { damage: damage[0] }) };
      } catch (error) {
        if (error instanceof RecorderdError) throw error;
        if (version === "current") this.#damaged = true;
        damage.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (damage.length === 0) return undefined;
    throw new RecorderdError(
      "STORE_DAMAGED",
      `${this.file} is damaged and no good version is left (${damage.join("; ")}). ` +
        "Put a backup in its place, or move what is named here away to begin anew.",
      { file: this.file },
    );
  }

  /**
   * Makes `text` the current version; of one that comes in pieces each is asked for when the one before was written. When this resolves it is on the disk itself, not only in the system's memory.
   * Calls are carried out one after the other. After a failure the version before or the new one is there, complete.
   *
   * @throws RecorderdError DISK_FULL or WRITE_FAILED
   */
  replace(text: string | Iterable<string>): Promise<void> {
    const done = this.#writing.then(() => this.#replaceNow(text));
    this.#writing = done.catch(() => {});
    return done;
  }

  async #textOf(path: string): Promise<string | undefined> {
    try {
      return await this.#fs.readFile(path, "utf8").catch(missingAs(undefined));
    } catch (error) {
      throw new RecorderdError(
        "FILE_UNREADABLE",
        `${path} cannot be read (${systemCode(error)}): check its owner, its permissions and the disk.`,
        { file: path },
        { cause: error },
      );
    }
  }

  async #replaceNow(text: string | Iterable<string>): Promise<void> {
    const temporary = temporaryOf(this.file);
    try {
      await this.#sweep();
      await this.#writeThrough(temporary, text);
      if (this.#keepsPrevious) await this.#keepPrevious();
      await this.#fs.rename(temporary, this.file);
      this.#damaged = false;
      await this.#syncFolder();
    } catch (error) {
      // What matters is the first failure; a temporary file that stays is swept up by a later process.
      await this.#fs.rm(temporary, { force: true }).catch(() => {});
      throw writeFailure(this.file, error);
    }
  }

  /** Removes what a crash in the middle of a write has left; once, before the first write: a reader touches nothing. */
  async #sweep(): Promise<void> {
    if (this.#swept) return;
    const folder = dirname(this.file);
    for (const name of await this.#fs.readdir(folder)) {
      if (isLeftover(name, this.file)) await this.#fs.rm(join(folder, name), { force: true });
    }
    this.#swept = true;
  }

  async #writeThrough(temporary: string, text: string | Iterable<string>): Promise<void> {
    await using handle = await this.#fs.open(temporary, "wx", this.#mode);
    // Each goes on where the one before has ended.
    for (const piece of typeof text === "string" ? [text] : text) await handle.writeFile(piece, "utf8");
    await handle.datasync();
  }

  /** The current version gets its second name before its first one is taken, so that it is never without one. */
  async #keepPrevious(): Promise<void> {
    const { file } = this;
    if (this.#damaged) {
      await this.#fs.rename(file, `${file}.damaged`).catch(missingAs(undefined));
      return;
    }
    const previous = previousOf(file);
    const asLink = temporaryOf(previous);
    try {
      await this.#fs.link(file, asLink);
    } catch (error) {
      if (systemCode(error) === "ENOENT") return;
      // A file system without links (FAT, some network shares): for an instant only `previous` is there, and it is complete.
      await this.#fs.rename(file, previous);
      return;
    }
    await this.#fs.rename(asLink, previous);
    // Where both were names of one file already, as after a crash between the two renames, rename leaves both (POSIX).
    await this.#fs.rm(asLink, { force: true });
  }

  /** The new names are durable only when the folder is. */
  async #syncFolder(): Promise<void> {
    await using folder = await this.#fs.open(dirname(this.file), "r");
    await folder.sync();
  }
}

export function previousOf(file: string): string {
  return `${file}.previous`;
}

/** Tells the temporary files of this process from those that an earlier one left, whatever their process ids. */
const OURS = randomBytes(4).toString("hex");

/** In the same folder, hence on the same file system. */
function temporaryOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.${OURS}-${randomBytes(4).toString("hex")}.tmp`);
}

function isLeftover(name: string, file: string): boolean {
  return [basename(file), basename(previousOf(file))].some((base) => {
    const start = `.${base}.`;
    const rest = name.startsWith(start) ? name.slice(start.length) : "";
    return /^[0-9a-f]{8}-[0-9a-f]{8}\.tmp$/.test(rest) && !rest.startsWith(OURS);
  });
}

/** For `catch`: a missing file is an answer, everything else is a failure. */
function missingAs<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (systemCode(error) === "ENOENT") return value;
    throw error;
  };
}

function writeFailure(file: string, error: unknown): RecorderdError {
  const system = systemCode(error);
  const full = system === "ENOSPC" || system === "EDQUOT";
  const code: ErrorCode = full ? "DISK_FULL" : "WRITE_FAILED";
  const what = full ? "make room on its disk" : "check that its folder exists, its permissions and the disk";
  return new RecorderdError(
    code,
    `${file} cannot be written (${system}): ${what}.`,
    { file, system },
    { cause: error },
  );
}
