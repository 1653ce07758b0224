import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, sep } from "node:path";
import { readFile } from "../../../kit/files/steady-fs.ts";
import { syncFolder } from "../../../kit/files/sync-folder.ts";
import { systemCode } from "../../../kit/machine/system-code.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import type { FinishedFiles } from "../../../model/planned-capture.ts";
import { SECOND } from "../../../model/time.ts";
import { INDEX_ENDING } from "../../../mpeg-ts/access-index/format.ts";
import { isOwnShowNfo, SHOW_FILE } from "../../capture/nfo.ts";

/** Endings of files that are useless without their recording. Earlier versions called the picture `.jpg`. */
const SIDECARS = [".json", ".nfo", "-thumb.jpg", ".jpg", ".chapters.txt", ".edl", INDEX_ENDING] as const;

/** `own`: our file, by size and time. `bytes`: its present size. */
export type FileStanding =
  | { readonly is: "own" | "truncated" | "changed"; readonly bytes: number }
  | { readonly is: "missing" }
  | { readonly is: "unreadable" };

/**
 * File systems store times to the nanosecond, to the second, or to two seconds (FAT), and round them at the next
 * mount.
 */
const TIME_STEP_MS = 2 * SECOND;

/** The size and time of a file when it was written. */
export type Written = Pick<LibraryEntry, "bytes" | "modifiedAt">;

interface Found {
  readonly size: number;
  readonly mtimeMs: number;
}

export function isAsWritten({ size, mtimeMs }: Found, { bytes, modifiedAt }: Written): boolean {
  const isLater = modifiedAt !== undefined && Math.abs(mtimeMs - modifiedAt) >= TIME_STEP_MS;
  return size === bytes && !isLater;
}

export async function standingOf(entry: LibraryEntry): Promise<FileStanding> {
  try {
    const found = await stat(entry.file);
    const is = isAsWritten(found, entry) ? "own" : found.size < entry.bytes ? "truncated" : "changed";
    return { is, bytes: found.size };
  } catch (error) {
    // The file is missing only if the system says so.
    return MISSING.includes(systemCode(error)) ? { is: "missing" } : { is: "unreadable" };
  }
}

/** `undefined` if it cannot be read. */
export async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}

const MISSING: readonly string[] = ["ENOENT", "ENOTDIR"];

/**
 * Removes a recording, the files made from it, its sidecars, and folders below `root` that are empty then or hold only
 * our `tvshow.nfo`. Missing files are no failure: it may be called again after a crash.
 *
 * @throws the system's error, as of a read-only disk
 */
export async function removeFiles(entry: LibraryEntry, root: string): Promise<void> {
  const { file, outgoing, made } = entry;
  const all = [file, ...(outgoing === undefined ? [] : [outgoing.file]), ...made, ...sidecarsOf(file)];
  for (const each of all) await rm(each, { force: true });
  let folder = dirname(entry.file);
  await syncFolder(folder);
  while (folder.startsWith(root + sep) && (await isEmptyOfOthers(folder))) {
    await rm(join(folder, SHOW_FILE), { force: true });
    await rmdir(folder);
    folder = dirname(folder);
  }
}

async function isEmptyOfOthers(folder: string): Promise<boolean> {
  const [first, ...others] = await readdir(folder);
  if (first === undefined) return true;
  return (
    others.length === 0 && first === SHOW_FILE && isOwnShowNfo(await readFile(join(folder, first), "utf8"))
  );
}

/** The files of a recording that is not removed yet, for a fleet that brings them home. */
export function filesOf({ file, outgoing, made, deleted, imported }: LibraryEntry): readonly FinishedFiles[] {
  if (deleted?.done === true || imported !== undefined) return [];
  const beside = [...(outgoing === undefined ? [] : [outgoing.file]), ...made, ...sidecarsOf(file)];
  return [{ file, beside: [...new Set(beside)] }];
}

export function sidecarsOf(file: string): readonly string[] {
  return SIDECARS.map((ending) => sidecarPath(file, ending));
}

export function sidecarPath(file: string, ending: string): string {
  return join(dirname(file), `${basename(file, extname(file))}${ending}`);
}

export async function removeOne(file: string): Promise<void> {
  await rm(file, { force: true });
  await syncFolder(dirname(file));
}
