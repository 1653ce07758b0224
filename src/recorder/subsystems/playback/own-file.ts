import type { FileHandle } from "node:fs/promises";
import { FILES_LIMITS } from "../../../kit/files/limits.ts";
import { openPlainFile } from "../../../kit/files/plain-file.ts";
import { readAtMost, tooLarge } from "../../../kit/files/steady-fs.ts";
import { unreadableFile } from "../../../kit/files/unreadable-file.ts";
import { systemCode } from "../../../kit/machine/system-code.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { isAsWritten, type Written } from "../library/removal.ts";

/**
 * Opens a file of a recording to show it to people. Others may write in its folder, and may have put a link to a secret there:
 * a link is followed only to the file that was recorded, which somebody has moved.
 *
 * @param recorded absent for files beside a recording: they are no links
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function openOwn(file: string, recorded?: Written): Promise<FileHandle> {
  try {
    return await openPlainFile(file, { follows: false });
  } catch (error) {
    if (systemCode(error) !== "ELOOP") throw unreadableFile(file, error);
  }
  const target = recorded === undefined ? undefined : await openPlainFile(file).catch(() => undefined);
  if (target !== undefined && recorded !== undefined && isAsWritten(await target.stat(), recorded))
    return target;
  await target?.close();
  throw new RecorderdError("FILE_UNREADABLE", `${file} is a link, but not to the recording.`, { file });
}

/** The content of a file beside a recording. @throws RecorderdError FILE_UNREADABLE */
export async function readOwn(file: string): Promise<Buffer> {
  await using handle = await openOwn(file);
  const content = await readAtMost(handle, FILES_LIMITS.wholeBytes);
  if (content === undefined) throw tooLarge(file, FILES_LIMITS.wholeBytes);
  return content;
}
