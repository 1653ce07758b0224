import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { RecorderdError } from "../../model/errors.ts";
import { syncFolder } from "./sync-folder.ts";

/** In the folder itself, hence on its file system, also where that is a mount point. */
const STAGING = ".restore";
const MARK = "ready.json";

/** Names in the folder itself: what leads elsewhere was not written by us. */
const Name = z
  .string()
  .regex(/^[^/\0]+$/)
  .refine((name) => name !== "." && name !== "..");
const Marked = z.object({ install: z.array(Name), remove: z.array(Name) });

/** Which names of a folder are put there, and which go. */
export interface Exchange {
  readonly install: readonly string[];
  readonly remove: readonly string[];
}

/** @throws RecorderdError CONFIG_INVALID where it names anything outside of the folder, or is none */
function exchangeOf(text: string): Exchange {
  try {
    return Marked.parse(JSON.parse(text));
  } catch (error) {
    const message = `${STAGING}/${MARK} is no list of names that a restore wrote: nothing was changed. Remove the folder ${STAGING}, and restore again.`;
    throw new RecorderdError("CONFIG_INVALID", message, {}, { cause: error });
  }
}

/** A place in `folder` for what is to be put there as a whole; what an earlier one left is gone. The folder must be locked. */
export async function stage(folder: string): Promise<string> {
  const staging = join(folder, STAGING);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  return staging;
}

/** From here on the exchange takes place, also when this process ends: whoever next opens the folder calls `finishStaging`. */
export async function markStaged(folder: string, exchange: Exchange): Promise<void> {
  const staging = join(folder, STAGING);
  const mark = join(staging, MARK);
  await writeFile(`${mark}.tmp`, JSON.stringify(exchange), { flush: true });
  await syncFolder(staging);
  await rename(`${mark}.tmp`, mark);
  await syncFolder(staging);
}

/**
 * Carries out an exchange that was marked, also the rest of one; removes what was never marked. The folder must be locked.
 *
 * @returns whether there was one to carry out
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
    // What is not staged any more is in its place already.
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
