import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { open } from "../../../kit/files/steady-fs.ts";
import { systemCode } from "../../../kit/machine/system-code.ts";

/** Path of the host's program, next to this file in the build. */
export const HOST_PROGRAM = join(import.meta.dirname, "main.js");

/**
 * The host's socket in an open folder. The path goes through the descriptor, so long folder names fit a socket address (unix(7):
 * 107 bytes).
 */
export function hostSocket(folder: FileHandle): string {
  return `/proc/self/fd/${folder.fd}/capture-host.sock`;
}

/** Opens the folder of the host's socket. @returns `undefined` if it does not exist, so no host listens there */
export async function hostFolder(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
