import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";

/** Path of the host's program, next to this file in the build. */
export const HOST_PROGRAM = join(import.meta.dirname, "main.js");

/**
 * The host's socket in an open folder. The path goes through the descriptor, so long folder names fit a socket address (unix(7):
 * 107 bytes).
 */
export function hostSocket(folder: FileHandle): string {
  return `/proc/self/fd/${folder.fd}/capture-host.sock`;
}
