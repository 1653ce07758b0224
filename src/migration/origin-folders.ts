import { constants } from "node:fs";
import { open, opendir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, resolve, sep } from "node:path";
import { unreadableFile } from "../kit/files/unreadable-file.ts";
import { systemCode } from "../kit/machine/system-code.ts";
import { RecorderdError } from "../model/errors.ts";
import type { FoundFile } from "./found.ts";
import { MIGRATION_LIMITS } from "./limits.ts";

/**
 * Reads the folders of another recorder that a person named, and nothing outside of them: a symbolic link that leads elsewhere is
 * refused. It opens nothing for writing. Paths are absolute, or relative to the first folder.
 */
export interface OriginFolders {
  /** The real paths; the first one has the settings. */
  readonly all: readonly string[];
  /**
   * The content of a file, or `undefined` where there is none.
   *
   * @throws RecorderdError FILE_UNREADABLE if it is no plain file, too large, outside of the folders, or not readable
   */
  bytes(path: string): Promise<Buffer | undefined>;
  /** The same as text in UTF-8. */
  text(path: string): Promise<string | undefined>;
  /** Whether there is a folder. @throws RecorderdError FILE_UNREADABLE if it is outside of the folders */
  isFolder(path: string): Promise<boolean>;
  /** Names in a folder, sorted; none where there is no such folder. @throws RecorderdError FILE_UNREADABLE */
  names(path: string): Promise<readonly string[]>;
  /**
   * Finds a recorded file. A path from another machine is looked for below the named folders by its last parts.
   *
   * @returns a sentence without subject where it cannot be used, such as `is missing`
   */
  recorded(path: string): Promise<FoundFile | string>;
}

const ABSENT: readonly string[] = ["ENOENT", "ENOTDIR"];
/** A pipe in the place of a file must not block the import. */
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** @throws RecorderdError FILE_UNREADABLE if one of them is no folder */
export async function openOrigin(folders: readonly [string, ...string[]]): Promise<OriginFolders> {
  const all = await Promise.all(folders.map(realFolder));
  const [root = ""] = all;
  let reads = 0;

  /** The real path within the folders; `undefined` if there is nothing. @throws RecorderdError FILE_UNREADABLE */
  async function inside(path: string): Promise<string | undefined> {
    const named = isAbsolute(path) ? path : join(root, path);
    const real = await realpath(named).catch((error: unknown) => {
      if (ABSENT.includes(systemCode(error))) return undefined;
      throw unreadableFile(named, error);
    });
    if (real === undefined || isWithin(real, all)) return real;
    throw refused(named, `leads to ${real}, outside of the folders of this import`);
  }

  function count(path: string): void {
    reads += 1;
    if (reads > MIGRATION_LIMITS.reads)
      throw refused(path, `is one of more than ${MIGRATION_LIMITS.reads} files: import a part of them`);
  }

  async function bytes(path: string): Promise<Buffer | undefined> {
    const file = await inside(path);
    if (file === undefined) return undefined;
    count(file);
    try {
      await using handle = await open(file, READ_ONLY);
      const { size } = await asPlainFile(file, handle);
      if (size > MIGRATION_LIMITS.textBytes)
        throw refused(file, `has more than ${MIGRATION_LIMITS.textBytes} bytes`);
      const buffer = Buffer.alloc(size);
      const { bytesRead } = await handle.read(buffer, 0, size, 0);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw error instanceof RecorderdError ? error : unreadableFile(file, error);
    }
  }

  async function names(path: string): Promise<readonly string[]> {
    const folder = await inside(path);
    if (folder === undefined) return [];
    const found: string[] = [];
    try {
      for await (const { name } of await opendir(folder)) {
        if (found.length >= MIGRATION_LIMITS.names)
          throw refused(folder, `has more than ${MIGRATION_LIMITS.names} files`);
        found.push(name);
      }
    } catch (error) {
      throw error instanceof RecorderdError ? error : unreadableFile(folder, error);
    }
    return found.sort();
  }

  async function recorded(path: string): Promise<FoundFile | string> {
    let trouble = "is missing";
    for (const place of placesOf(path, all)) {
      const real = await realpath(place).catch(() => undefined);
      if (real === undefined) continue;
      if (!isWithin(real, all)) {
        trouble = "is outside of the folders of this import: name its folder with --recordings";
        continue;
      }
      const found = await stat(real).catch(() => undefined);
      if (found === undefined) trouble = "cannot be read";
      else if (!found.isFile()) trouble = "is no plain file";
      else return { file: real, bytes: found.size, modifiedAt: Math.floor(found.mtimeMs) };
    }
    return trouble;
  }

  return {
    all,
    bytes,
    text: async (path) => (await bytes(path))?.toString("utf8"),
    isFolder: async (path) => {
      const real = await inside(path);
      return real !== undefined && (await stat(real)).isDirectory();
    },
    names,
    recorded,
  };
}

/** The places of a recorded file: at its path, or below a folder by the last parts of that path, the longest first. */
function placesOf(path: string, folders: readonly string[]): readonly string[] {
  const [root = ""] = folders;
  const parts = path.split(sep).filter((part) => part !== "" && part !== "." && part !== "..");
  const tails = parts.map((_, from) => parts.slice(from).join(sep));
  return [resolve(root, path), ...folders.flatMap((folder) => tails.map((tail) => join(folder, tail)))];
}

async function realFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw unreadableFile(path, error);
  }
  throw refused(path, "is no folder");
}

function isWithin(real: string, folders: readonly string[]): boolean {
  return folders.some((folder) => real === folder || real.startsWith(folder === sep ? sep : folder + sep));
}

async function asPlainFile(
  file: string,
  handle: { stat(): Promise<{ readonly size: number; isFile(): boolean }> },
): Promise<{ readonly size: number }> {
  const found = await handle.stat();
  if (!found.isFile()) throw refused(file, "is no plain file");
  return found;
}

function refused(file: string, why: string): RecorderdError {
  return new RecorderdError("FILE_UNREADABLE", `${file} ${why}.`, { file });
}
