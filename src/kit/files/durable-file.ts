import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";
import { flawOf } from "../text/flaw-of.ts";
import { Turns } from "../time/turns.ts";
import { refuseSpecialTarget } from "./plain-file.ts";
import { steadyFs } from "./steady-fs.ts";

/** The calls of node:fs/promises that a durable file uses; tests make them fail one by one. */
export type DurableFs = Pick<typeof steadyFs, "link" | "open" | "readdir" | "readFile" | "rename" | "rm">;

export interface DurableFileOptions {
  readonly file: string;
  /** Permissions of a new version, before the umask: 0640 by default; files with secrets use 0600. */
  readonly mode?: number;
  /** Keeps the previous version next to the file (default: true). Secrets belong in one file only. */
  readonly keepsPrevious?: boolean;
  readonly fs?: DurableFs;
}

export interface DurableContent<T> {
  readonly value: T;
  /** `previous`: the current version is missing or damaged, and the previous one was read. */
  readonly version: "current" | "previous";
  /** The damage of the current version, when `version` is `previous`. */
  readonly damage?: string;
}

/**
 * One small file that is replaced atomically: at every instant, even after a power cut, the folder holds the old or the new
 * version complete. The previous version stays as `<name>.previous`, a replaced damaged one as `<name>.damaged`. Only one
 * process at a time may write; any number may read.
 */
export class DurableFile {
  readonly file: string;
  readonly #mode: number;
  readonly #keepsPrevious: boolean;
  readonly #fs: DurableFs;
  readonly #writes = new Turns();
  #swept = false;
  /** A damaged current version must not replace the previous one. */
  #damaged = false;

  constructor({ file, mode = 0o640, keepsPrevious = true, fs = steadyFs }: DurableFileOptions) {
    this.file = file;
    this.#mode = mode;
    this.#keepsPrevious = keepsPrevious;
    this.#fs = fs;
  }

  /**
   * The newest version that `parse` accepts; `undefined` if the file never existed. An Error from `parse` means damage; a
   * RecorderdError is rethrown without a look at the previous version.
   *
   * @throws RecorderdError STORE_DAMAGED when every version is damaged
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
        damage.push(`${path}: ${flawOf(error, text)}`);
      }
    }
    if (damage.length === 0) return undefined;
    throw new RecorderdError(
      "STORE_DAMAGED",
      `${this.file} is damaged and no good version is left (${damage.join("; ")}). ` +
        "Put a backup in its place, or move these files away to start without them.",
      { file: this.file },
    );
  }

  /**
   * Makes `text` the current version. Chunks are pulled one by one as they are written. The version is on disk (fsync) when
   * this resolves. Calls run in order. After a failure, the old or the new version is there, complete.
   *
   * @throws RecorderdError DISK_FULL or WRITE_FAILED
   */
  replace(text: string | Iterable<string>): Promise<void> {
    return this.#writes.run(() => this.#replaceNow(text));
  }

  async #textOf(path: string): Promise<string | undefined> {
    try {
      return await this.#fs.readFile(path, "utf8").catch(missingAs(undefined));
    } catch (error) {
      if (error instanceof RecorderdError) throw error;
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
      // The first failure matters; a later process removes the temporary file.
      await this.#fs.rm(temporary, { force: true }).catch(() => {});
      if (error instanceof RecorderdError) throw error;
      throw writeFailure(this.file, error);
    }
  }

  /** Removes leftovers of an interrupted write. Runs once, before the first write: readers change nothing. */
  async #sweep(): Promise<void> {
    if (this.#swept) return;
    await refuseSpecialTarget(this.file);
    const folder = dirname(this.file);
    for (const name of await this.#fs.readdir(folder)) {
      if (isLeftover(name, this.file)) await this.#fs.rm(join(folder, name), { force: true });
    }
    this.#swept = true;
  }

  async #writeThrough(temporary: string, text: string | Iterable<string>): Promise<void> {
    await using handle = await this.#fs.open(temporary, "wx", this.#mode);
    // Each chunk continues where the previous one ended.
    for (const chunk of typeof text === "string" ? [text] : text) await handle.writeFile(chunk, "utf8");
    await handle.datasync();
  }

  /** Links the current version to its second name before it loses the first, so it always has a name. */
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
      // Without hard links (FAT, some network shares), only `previous` exists for an instant, and it is complete.
      await this.#fs.rename(file, previous);
      return;
    }
    await this.#fs.rename(asLink, previous);
    // If both names already link to one file (a crash between the two renames), rename keeps both (POSIX).
    await this.#fs.rm(asLink, { force: true });
  }

  /** New names are durable only after the folder is synced. */
  async #syncFolder(): Promise<void> {
    await using folder = await this.#fs.open(dirname(this.file), "r");
    await folder.sync();
  }
}

export function previousOf(file: string): string {
  return `${file}.previous`;
}

/** Distinguishes this process's temporary files from leftovers, even if process ids repeat. */
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

/** For `catch`: a missing file yields `value`; every other error is rethrown. */
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
  const what = full
    ? "free some space on its disk"
    : "check that its folder exists, its permissions and the disk";
  return new RecorderdError(
    code,
    `${file} cannot be written (${system}): ${what}.`,
    { file, system },
    { cause: error },
  );
}
