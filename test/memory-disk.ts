import { execFileSync } from "node:child_process";

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
