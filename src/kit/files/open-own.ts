import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";
import { asOwnerOf } from "../process/privileges.ts";
import { unreadableFile } from "./unreadable-file.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Opens a file to read it. Where root asks, whoever owns its folder may have put a link there: root reads what that owner may read.
 *
 * @param follows whether the file itself may be a link; yes unless said otherwise
 * @throws RecorderdError FILE_UNREADABLE
 * @throws the system's error where there is no such file
 */
export async function openOwn(
  file: string,
  { follows = true }: { readonly follows?: boolean } = {},
): Promise<FileHandle> {
  const flags = O_RDONLY | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW);
  const handle = await asOwnerOf(file, () => open(file, flags)).catch((error: unknown) => {
    throw systemCode(error) === "ENOENT" ? error : unreadableFile(file, error);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new RecorderdError("FILE_UNREADABLE", `${file} is no file: see what it is.`, { file });
}

/** What an open file is called in all processes of ours: its name in its folder may be somebody else's to change. */
export function pathOfOpen({ fd }: FileHandle): string {
  return `/proc/${process.pid}/fd/${fd}`;
}
