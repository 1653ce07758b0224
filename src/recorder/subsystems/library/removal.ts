import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, sep } from "node:path";
import { syncFolder } from "../../../kit/files/sync-folder.ts";
import { systemCode } from "../../../kit/machine/system-code.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import { SECOND } from "../../../model/time.ts";

/** What lies beside a recording and is of no use without it, by its ending. */
const SIDECARS = [".json", ".nfo", ".jpg", ".chapters.txt", ".edl"] as const;

/** `own`: the file that we wrote, as far as its size and its time tell. `bytes`: the size that it has now. */
export type Standing =
  | { readonly is: "own" | "truncated" | "changed"; readonly bytes: number }
  | { readonly is: "missing" }
  | { readonly is: "unreadable" };

/** File systems keep times to the nanosecond, to the second, or to two seconds (FAT), and round them when they are mounted again. */
const TIME_STEP_MS = 2 * SECOND;

export async function standingOf({ file, bytes, modifiedAt }: LibraryEntry): Promise<Standing> {
  try {
    const { size, mtimeMs } = await stat(file);
    const isLater = modifiedAt !== undefined && Math.abs(mtimeMs - modifiedAt) >= TIME_STEP_MS;
    const is = size < bytes ? "truncated" : size > bytes || isLater ? "changed" : "own";
    return { is, bytes: size };
  } catch (error) {
    // The system says that there is no such file; what it cannot say is not missing.
    return MISSING.includes(systemCode(error)) ? { is: "missing" } : { is: "unreadable" };
  }
}

/** `undefined` where it cannot be looked at. */
export async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}

const MISSING: readonly string[] = ["ENOENT", "ENOTDIR"];

/**
 * Removes a recording, what was made of it, its sidecars, and folders below `root` that are empty then. What is gone already is no
 * failure: it may be called again after a crash.
 *
 * @throws the system's error, as of a disk that is read only
 */
export async function removeFiles(entry: LibraryEntry, root: string): Promise<void> {
  const { file, outgoing, made } = entry;
  const all = [file, ...(outgoing === undefined ? [] : [outgoing.file]), ...made, ...sidecarsOf(file)];
  for (const each of all) await rm(each, { force: true });
  let folder = dirname(entry.file);
  await syncFolder(folder);
  while (folder.startsWith(root + sep) && (await readdir(folder)).length === 0) {
    await rmdir(folder);
    folder = dirname(folder);
  }
}

/** Where they would be. */
export function sidecarsOf(file: string): readonly string[] {
  return SIDECARS.map((ending) => besides(file, ending));
}

/** The name of a file that goes beside a recording. */
export function besides(file: string, ending: string): string {
  return join(dirname(file), `${basename(file, extname(file))}${ending}`);
}

export async function removeOne(file: string): Promise<void> {
  await rm(file, { force: true });
  await syncFolder(dirname(file));
}
