import { execFileSync } from "node:child_process";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** For tests that are skipped where `memoryDisk` gives none. */
export const NO_MOUNT = "mounting a file system needs root";

/**
 * Mounts a file system of its own over a folder that exists; disposing unmounts it.
 *
 * @param size as mount takes it: `64k`, `2m`
 * @returns `undefined` where we have no right to mount
 */
export function memoryDisk(folder: string, size: string): AsyncDisposable | undefined {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return { [Symbol.asyncDispose]: async () => void execFileSync("umount", ["--lazy", folder]) };
}

const LEFT_BYTES = 64 * 1024;

/** Takes the room of the folder's disk but for 64 KiB. @returns gives it back */
export async function fillUp(folder: string): Promise<() => Promise<void>> {
  const ballast = join(folder, "ballast");
  const { bavail, bsize } = await statfs(folder);
  await writeFile(ballast, Buffer.alloc(bavail * bsize - LEFT_BYTES)).catch(unlessFull);
  return () => rm(ballast);
}

/** Somebody else took the rest meanwhile. */
function unlessFull(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOSPC") throw error;
}
