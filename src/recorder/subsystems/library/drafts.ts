import { dirname, join } from "node:path";
import { isLinkUnsupported } from "../../../kit/files/link-support.ts";
import { steadyFs } from "../../../kit/files/steady-fs.ts";
import { systemCode } from "../../../kit/machine/system-code.ts";
import { RecorderdError } from "../../../model/errors.ts";

/** The file calls for naming a result; tests remove links. */
export type DraftFs = Pick<typeof steadyFs, "link" | "open" | "readFile" | "rename" | "stat" | "writeFile">;

export interface Draft {
  /** A job's output: `job-ID.…` in the work folder. */
  readonly draft: string;
  /** The intended name, on the same file system. */
  readonly target: string;
}

/** FAT keeps time to two seconds. */
const TIME_STEP_MS = 2000;

/** The path of a job's output until it is verified. All files of a job begin with its name. */
export function draftFile(workFolder: string, jobId: number, ending: string): string {
  return join(workFolder, `job-${jobId}${ending}`);
}

/** Removes the files of finished jobs from the work folder, if the folder exists. */
export async function removeDrafts(workFolder: string, isOver: (jobId: number) => boolean): Promise<void> {
  const names = await steadyFs.readdir(workFolder).catch(() => []);
  for (const name of names) {
    const [, id] = /^job-(\d+)\./.exec(name) ?? [];
    if (id !== undefined && isOver(Number(id))) await steadyFs.rm(join(workFolder, name), { force: true });
  }
}

/**
 * Renames a result durably, without ever overwriting a file. Until its drafts are removed, `isPlaced` recognises it
 * as the job's own: it is one file with the draft, or there is a note if the file system has no links.
 *
 * @throws RecorderdError WRITE_FAILED
 */
export async function place({ draft, target }: Draft, fs: DraftFs = steadyFs): Promise<void> {
  try {
    await sync(draft, fs);
    await linkOrRename({ draft, target }, fs);
    await sync(dirname(target), fs);
  } catch (error) {
    const system = systemCode(error);
    const why = system === "EEXIST" ? "already exists: move it away" : `cannot be written (${system})`;
    throw new RecorderdError("WRITE_FAILED", `${target} ${why}.`, { file: target, system }, { cause: error });
  }
}

async function linkOrRename({ draft, target }: Draft, fs: DraftFs): Promise<void> {
  try {
    await fs.link(draft, target);
  } catch (error) {
    if (!isLinkUnsupported(error)) throw error;
    if (await isTaken(target, fs)) throw Object.assign(new Error(), { code: "EEXIST" });
    const { size, mtimeMs } = await fs.stat(draft);
    await fs.writeFile(noteOf(draft), `${size} ${Math.floor(mtimeMs)}\n`, { mode: 0o640, flush: true });
    await sync(dirname(draft), fs);
    await fs.rename(draft, target);
  }
}

/** Whether the result has its name already: a crash may have kept the library from storing it. */
export async function isPlaced({ draft, target }: Draft, fs: DraftFs = steadyFs): Promise<boolean> {
  const [there, left] = await Promise.all([statOf(target, fs), statOf(draft, fs)]);
  if (there === undefined) return false;
  if (left !== undefined) return there.dev === left.dev && there.ino === left.ino;
  const [size, mtimeMs] = (await fs.readFile(noteOf(draft), "utf8").catch(() => "")).split(" ").map(Number);
  return size === there.size && Math.abs((mtimeMs ?? 0) - there.mtimeMs) <= TIME_STEP_MS;
}

function noteOf(draft: string): string {
  return `${draft}.placed`;
}

/** A name is free only if the system says so: renaming would overwrite. */
async function isTaken(file: string, fs: DraftFs): Promise<boolean> {
  try {
    await fs.stat(file);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

function statOf(file: string, fs: DraftFs) {
  return fs.stat(file).catch(() => undefined);
}

async function sync(path: string, fs: DraftFs): Promise<void> {
  await using handle = await fs.open(path, "r");
  await handle.sync();
}
