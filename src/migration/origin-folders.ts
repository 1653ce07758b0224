import { isUtf8 } from "node:buffer";
import { opendir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, resolve, sep } from "node:path";
import { openPlainFile } from "../kit/files/plain-file.ts";
import { decompressed } from "../kit/files/unpack.ts";
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
   * @throws RecorderdError FILE_UNREADABLE if it is not a regular file, too large, outside of the folders, or not readable
   */
  bytes(path: string): Promise<Buffer | undefined>;
  /** The same as text; a line that is not UTF-8 is read as ISO-8859-1. */
  text(path: string): Promise<string | undefined>;
  /**
   * The content of a large file, unpacked, or `undefined` where there is none.
   *
   * @throws RecorderdError FILE_UNREADABLE, also while it is read
   */
  content(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The real path of a folder; `undefined` if there is none. @throws RecorderdError FILE_UNREADABLE if it is outside of the folders */
  folder(path: string): Promise<string | undefined>;
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

/** @throws RecorderdError FILE_UNREADABLE if one of them is not a folder */
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
      await using handle = await openPlainFile(file, { follows: false });
      const { size } = await handle.stat();
      if (size > MIGRATION_LIMITS.textBytes)
        throw refused(file, `has more than ${MIGRATION_LIMITS.textBytes} bytes`);
      const buffer = Buffer.alloc(size);
      const { bytesRead } = await handle.read(buffer, 0, size, 0);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw unreadableFile(file, error);
    }
  }

  async function content(path: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = await inside(path);
    if (file === undefined) return undefined;
    count(file);
    const found = await stat(file).catch((error: unknown) => {
      throw unreadableFile(file, error);
    });
    if (!found.isFile()) throw refused(file, "is not a regular file");
    return decompressed(file, { bytesMax: MIGRATION_LIMITS.contentBytes });
  }

  async function folder(path: string): Promise<string | undefined> {
    const real = await inside(path);
    if (real === undefined) return undefined;
    return (await stat(real).catch(() => undefined))?.isDirectory() ? real : undefined;
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
      throw unreadableFile(folder, error);
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
      else if (!found.isFile()) trouble = "is not a regular file";
      else return { file: real, bytes: found.size, modifiedAt: Math.floor(found.mtimeMs) };
    }
    return trouble;
  }

  const text = async (path: string) => {
    const whole = await bytes(path);
    return whole === undefined ? undefined : textOf(whole);
  };
  return { all, bytes, text, content, folder, names, recorded };
}

/** Old settings are in ISO-8859-1, also next to lines in UTF-8 that were added later. */
function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  return bytes.toString("latin1").split("\n").map(asUtf8).join("\n");
}

function asUtf8(latin: string): string {
  const bytes = Buffer.from(latin, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : latin;
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
  throw refused(path, "is not a folder");
}

function isWithin(real: string, folders: readonly string[]): boolean {
  return folders.some((folder) => real === folder || real.startsWith(folder === sep ? sep : folder + sep));
}

function refused(file: string, why: string): RecorderdError {
  return new RecorderdError("FILE_UNREADABLE", `${file} ${why}.`, { file });
}
