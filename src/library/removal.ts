import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, sep } from "node:path";
import { syncFolder } from "../kit/sync-folder.ts";
import type { LibraryEntry } from "../model/library.ts";

/** What lies beside a recording and is of no use without it, by its ending. */
const SIDECARS = [".json", ".nfo", ".jpg", ".chapters.txt", ".edl"] as const;

/** `own`: the file that we wrote, as far as its size tells. */
export type Standing = "own" | "other" | "missing";

export async function standingOf({ file, bytes }: LibraryEntry): Promise<Standing> {
  const size = await sizeOf(file);
  if (size === undefined) return "missing";
  return size === bytes ? "own" : "other";
}

/** `undefined` where it cannot be looked at. */
export async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}

/** The system says that there is no such file; what it cannot say is not missing. */
export async function isMissing(file: string): Promise<boolean> {
  return stat(file).then(
    () => false,
    (error: unknown) => error instanceof Error && "code" in error && MISSING.includes(error.code),
  );
}

const MISSING: readonly unknown[] = ["ENOENT", "ENOTDIR"];

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
