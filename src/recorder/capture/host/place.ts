import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";

/** The host's program, beside this file once that is built. */
export const HOST_PROGRAM = join(import.meta.dirname, "main.js");

/** The host's socket in an open folder: by this name also where the folder's own would be too long for a socket (unix(7): 107 bytes). */
export function hostSocket(folder: FileHandle): string {
  return `/proc/self/fd/${folder.fd}/capture-host.sock`;
}
