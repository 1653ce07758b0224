import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { RecorderdError } from "../../model/errors.ts";
import { readFile, writeFile } from "./steady-fs.ts";
import { syncFolder } from "./sync-folder.ts";

/** In the folder itself, hence on its file system, even if the folder is a mount point. */
const STAGING = ".restore";
const MARK = "ready.json";

/** Names in the folder itself: a path elsewhere was not written by us. */
const Name = z
  .string()
  .regex(/^[^/\0]+$/)
  .refine((name) => name !== "." && name !== "..");
const Marked = z.object({ install: z.array(Name), remove: z.array(Name) });

/** The names that an exchange installs in a folder and removes from it. */
export interface Exchange {
  readonly install: readonly string[];
  readonly remove: readonly string[];
}

/** @throws RecorderdError CONFIG_INVALID if the text is malformed or names anything outside the folder */
function exchangeOf(text: string): Exchange {
  try {
    return Marked.parse(JSON.parse(text));
  } catch (error) {
    const message = `${STAGING}/${MARK} is not a list of names from a restore: nothing was changed. Remove the folder ${STAGING}, and restore again.`;
    throw new RecorderdError("CONFIG_INVALID", message, {}, { cause: error });
  }
}

/** Creates an empty staging place in `folder` and removes the previous one. The folder must be locked. */
export async function stage(folder: string): Promise<string> {
  const staging = join(folder, STAGING);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  return staging;
}

/** Commits the exchange: if this process ends now, the next `finishStaging` carries it out. */
export async function markStaged(folder: string, exchange: Exchange): Promise<void> {
  const staging = join(folder, STAGING);
  const mark = join(staging, MARK);
  await writeFile(`${mark}.tmp`, JSON.stringify(exchange), { flush: true });
  await syncFolder(staging);
  await rename(`${mark}.tmp`, mark);
  await syncFolder(staging);
}

/**
 * Carries out a marked exchange or its remainder, and removes unmarked staging. The folder must be locked.
 *
 * @returns whether an exchange was carried out
 */
export async function finishStaging(folder: string): Promise<boolean> {
  const staging = join(folder, STAGING);
  if (!(await lstat(staging).catch(() => undefined))?.isDirectory()) return false;
  const staged = await readdir(staging).catch(() => undefined);
  if (staged === undefined) return false;
  const isMarked = staged.includes(MARK);
  if (isMarked) {
    const { install, remove } = exchangeOf(await readFile(join(staging, MARK), "utf8"));
    for (const name of remove) await rm(join(folder, name), { recursive: true, force: true });
    // Files that are no longer staged are already in place.
    for (const name of install.filter((each) => staged.includes(each))) {
      await rm(join(folder, name), { recursive: true, force: true });
      await rename(join(staging, name), join(folder, name));
    }
    await syncFolder(folder);
    await rm(join(staging, MARK));
  }
  await rm(staging, { recursive: true, force: true });
  await syncFolder(folder);
  return isMarked;
}
