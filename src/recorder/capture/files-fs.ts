import { createHash } from "node:crypto";
import type { steadyFs } from "../../kit/files/steady-fs.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { ignoring } from "./storage.ts";

/** The functions of node:fs/promises that build a recording from segments; tests make single calls fail. */
export type RecordingFs = Pick<
  typeof steadyFs,
  "chmod" | "chown" | "link" | "mkdir" | "open" | "readdir" | "readFile" | "rename" | "rm" | "stat"
>;

const READ_BYTES = 1024 * 1024;

/** Resolves when a file's content, or a folder's names, are on the disk. */
export async function syncFile(path: string, fs: RecordingFs): Promise<void> {
  await using handle = await fs.open(path, "r");
  await handle.sync();
}

/** Bytes; `undefined` if there is no such file. */
export async function sizeOf(file: string, fs: RecordingFs): Promise<number | undefined> {
  try {
    return (await fs.stat(file)).size;
  } catch (error) {
    ignoring("ENOENT")(error);
    return undefined;
  }
}

/** Time of the last change of a file's content, in whole ms since 1970. */
export async function modifiedAtOf(file: string, fs: RecordingFs): Promise<number> {
  return Math.floor((await fs.stat(file)).mtimeMs);
}

/** Identifies a file, to tell whether two names are the same file; `undefined` if there is none. */
export async function inodeOf(file: string, fs: RecordingFs): Promise<string | undefined> {
  try {
    const { dev, ino } = await fs.stat(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    ignoring("ENOENT")(error);
    return undefined;
  }
}

/** Calls `take` with each portion of a file, in order; the bytes are valid only during the call. */
export async function readPortions(
  file: string,
  { fs, take }: { readonly fs: RecordingFs; readonly take: (portion: Buffer) => Promise<void> | void },
  signal: AbortSignal,
): Promise<void> {
  const buffer = Buffer.alloc(READ_BYTES);
  await using source = await fs.open(file, "r");
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(buffer, 0, READ_BYTES);
    if (bytesRead === 0) return;
    await take(buffer.subarray(0, bytesRead));
  }
}

export async function sha256Of(file: string, fs: RecordingFs, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await readPortions(file, { fs, take: (portion) => void hash.update(portion) }, signal);
  return hash.digest("hex");
}

/** Creates a folder if it is missing. @returns whether it was created */
export async function madeFolder(folder: string, fs: RecordingFs, mode: number): Promise<boolean> {
  try {
    await fs.mkdir(folder, { mode });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST" && (await fs.stat(folder)).isDirectory()) return false;
    throw error;
  }
}
