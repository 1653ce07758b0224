import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";
import { unreadableFile } from "./unreadable-file.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** The system's answer to the opening of a socket. */
const NO_FILE = "ENXIO";
const PORTION_BYTES = 64 * 1024;

/**
 * Opens a regular file for reading. A person may name anything: a pipe that nobody writes to would block for ever, and a device
 * may have no end.
 *
 * @param follows whether the file itself may be a link (default: true)
 * @throws RecorderdError FILE_UNREADABLE for anything else than a regular file
 * @throws the system's error if it cannot be opened
 */
export async function openPlainFile(
  file: string,
  { follows = true }: { readonly follows?: boolean } = {},
): Promise<FileHandle> {
  const handle = await open(file, O_RDONLY | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW)).catch((error) => {
    throw systemCode(error) === NO_FILE ? noFile(file, "a socket", error) : error;
  });
  const found = await handle.stat();
  if (found.isFile()) return handle;
  await handle.close();
  throw noFile(file, kindOf(found));
}

/**
 * Reads a small file that a person named.
 *
 * @throws RecorderdError FILE_UNREADABLE for anything else than a regular file, or a larger one
 * @throws the system's error if it cannot be read
 */
export async function readPlainFile(file: string, bytesMax: number): Promise<Buffer> {
  await using handle = await openPlainFile(file);
  const content = await readAtMost(handle, bytesMax);
  if (content !== undefined) return content;
  throw new RecorderdError("FILE_UNREADABLE", `${file} is larger than ${bytesMax} bytes.`, { file });
}

/** The same as text, with FILE_UNREADABLE for errors of the system too. */
export async function plainText(file: string, bytesMax: number): Promise<string> {
  try {
    return (await readPlainFile(file, bytesMax)).toString("utf8");
  } catch (error) {
    throw error instanceof RecorderdError ? error : unreadableFile(file, error);
  }
}

/** The whole content of an open file; `undefined` if it is larger. Files of /proc have a size of 0, and content. */
export async function readAtMost(handle: FileHandle, bytesMax: number): Promise<Buffer | undefined> {
  const portions: Buffer[] = [];
  for (let bytes = 0; bytes <= bytesMax; ) {
    const buffer = Buffer.allocUnsafe(PORTION_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, PORTION_BYTES, bytes);
    if (bytesRead === 0) return Buffer.concat(portions);
    portions.push(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
  return undefined;
}

/**
 * Writing a file anew and renaming it would replace a device such as /dev/null, for everybody.
 *
 * @throws RecorderdError WRITE_FAILED if there is something else than a regular file under this name
 */
export async function refuseSpecialTarget(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isFile()) return;
  const message = `${file} is ${kindOf(found)}, not a file: choose another name. Nothing was written.`;
  throw new RecorderdError("WRITE_FAILED", message, { file });
}

function noFile(file: string, kind: string, cause?: Error): RecorderdError {
  return new RecorderdError("FILE_UNREADABLE", `${file} is ${kind}, not a file.`, { file }, { cause });
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a pipe";
  return found.isSocket() ? "a socket" : "a device";
}
