import type { FileHandle } from "node:fs/promises";
import { systemCode } from "../machine/system-code.ts";
import { asOwnerOf } from "../process/privileges.ts";
import { openPlainFile } from "./plain-file.ts";
import { unreadableFile } from "./unreadable-file.ts";

/**
 * Opens a file for reading. If root runs this, the folder's owner may have placed a link there, so root reads only what that
 * owner may read.
 *
 * @param follows whether the file itself may be a link (default: true)
 * @throws RecorderdError FILE_UNREADABLE
 * @throws the system's error if the file does not exist
 */
export async function openAsOwner(
  file: string,
  { follows = true }: { readonly follows?: boolean } = {},
): Promise<FileHandle> {
  return await asOwnerOf(file, () => openPlainFile(file, { follows })).catch((error: unknown) => {
    throw systemCode(error) === "ENOENT" ? error : unreadableFile(file, error);
  });
}

/** A path to an open file that all our processes can use; another user may change the file's own name. */
export function pathOfHandle({ fd }: FileHandle): string {
  return `/proc/${process.pid}/fd/${fd}`;
}
