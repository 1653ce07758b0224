import { createHash } from "node:crypto";
import type * as nodeFs from "node:fs/promises";
import { systemCode } from "../../kit/machine/system-code.ts";
import { unless } from "./storage.ts";

/** The calls of node:fs/promises that make a recording of segments; tests cut them off one by one. */
export type ShelfFs = Pick<
  typeof nodeFs,
  "chmod" | "chown" | "link" | "mkdir" | "open" | "readdir" | "readFile" | "rename" | "rm" | "stat"
>;

const READ_BYTES = 1024 * 1024;

/** A file's content, or a folder's names, are on the disk itself when this resolves. */
export async function syncFile(path: string, fs: ShelfFs): Promise<void> {
  await using handle = await fs.open(path, "r");
  await handle.sync();
}

/** `undefined` where there is no such file. */
export async function sizeOf(file: string, fs: ShelfFs): Promise<number | undefined> {
  try {
    return (await fs.stat(file)).size;
  } catch (error) {
    unless("ENOENT")(error);
    return undefined;
  }
}

/** When a file's content changed last, in whole ms since 1970. */
export async function modifiedAtOf(file: string, fs: ShelfFs): Promise<number> {
  return Math.floor((await fs.stat(file)).mtimeMs);
}

/** Tells whether two names are of one file; `undefined` where there is none. */
export async function inodeOf(file: string, fs: ShelfFs): Promise<string | undefined> {
  try {
    const { dev, ino } = await fs.stat(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    unless("ENOENT")(error);
    return undefined;
  }
}

/** Calls `take` with each portion of a file, in order; the bytes are valid during the call only. */
export async function readPortions(
  file: string,
  { fs, take }: { readonly fs: ShelfFs; readonly take: (portion: Buffer) => Promise<void> | void },
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

export async function sha256Of(file: string, fs: ShelfFs, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await readPortions(file, { fs, take: (portion) => void hash.update(portion) }, signal);
  return hash.digest("hex");
}

/** Makes a folder unless it is there. @returns whether it was made */
export async function madeFolder(folder: string, fs: ShelfFs, mode: number): Promise<boolean> {
  try {
    await fs.mkdir(folder, { mode });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST" && (await fs.stat(folder)).isDirectory()) return false;
    throw error;
  }
}
