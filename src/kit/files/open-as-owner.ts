import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";
import { asOwnerOf } from "../process/privileges.ts";
import { unreadableFile } from "./unreadable-file.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

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
  const flags = O_RDONLY | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW);
  const handle = await asOwnerOf(file, () => open(file, flags)).catch((error: unknown) => {
    throw systemCode(error) === "ENOENT" ? error : unreadableFile(file, error);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new RecorderdError("FILE_UNREADABLE", `${file} is not a regular file: check what it is.`, { file });
}

/** A path to an open file that all our processes can use; another user may change the file's own name. */
export function pathOfHandle({ fd }: FileHandle): string {
  return `/proc/${process.pid}/fd/${fd}`;
}
