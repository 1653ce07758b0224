import type { FileHandle } from "node:fs/promises";

/** The host's socket in an open folder: by this name also where the folder's own would be too long for a socket (unix(7): 107 bytes). */
export function hostSocket(folder: FileHandle): string {
  return `/proc/self/fd/${folder.fd}/capture-host.sock`;
}
