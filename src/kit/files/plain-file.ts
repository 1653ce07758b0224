import { constants } from "node:fs";
import { type FileHandle, open as openPipe, stat } from "node:fs/promises";
import { RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";
import { systemClock } from "../time/clock.ts";
import { kindOf, notAFile, open, PORTION_BYTES, readAtMost, tooLarge } from "./steady-fs.ts";
import { unreadableFile } from "./unreadable-file.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** For a minute: the other program may ask a person first. */
const PIPE_PAUSES_MAX = 600;
const PIPE_PAUSE_MS = 100;

/**
 * Opens a regular file for reading. A person may name anything.
 *
 * @param follows whether the file itself may be a link (default: true)
 * @throws RecorderdError FILE_UNREADABLE for anything else than a regular file
 * @throws the system's error if it cannot be opened
 */
export async function openPlainFile(
  file: string,
  { follows = true }: { readonly follows?: boolean } = {},
): Promise<FileHandle> {
  const bits = O_RDONLY | (follows ? 0 : O_NOFOLLOW);
  const handle = await open(file, bits);
  const found = await handle.stat();
  if (found.isFile()) return handle;
  await handle.close();
  throw notAFile(file, kindOf(found), bits);
}

/**
 * Reads a small file that a person named, or a pipe that another program writes: a shell makes one of `<(command)`.
 *
 * @throws RecorderdError FILE_UNREADABLE for anything else, or more than the limit
 * @throws the system's error if it cannot be read
 */
export async function readPlainFile(file: string, bytesMax: number): Promise<Buffer> {
  const isPipe = (await stat(file)).isFIFO();
  const content = await (isPipe ? pipedContent(file, bytesMax) : fileContent(file, bytesMax));
  if (content !== undefined) return content;
  throw tooLarge(file, bytesMax);
}

async function fileContent(file: string, bytesMax: number): Promise<Buffer | undefined> {
  await using handle = await openPlainFile(file);
  return await readAtMost(handle, bytesMax);
}

/** Reads a pipe to its end. Its descriptor does not block: a thread that waited for the writer would be missing elsewhere. */
async function pipedContent(file: string, bytesMax: number): Promise<Buffer | undefined> {
  const clock = systemClock();
  await using pipe = await openPipe(file, O_RDONLY | O_NONBLOCK);
  const portions: Buffer[] = [];
  let bytes = 0;
  for (let pauses = 0; bytes <= bytesMax && pauses < PIPE_PAUSES_MAX; ) {
    const portion = await portionOf(pipe);
    if (portion?.length === 0) break;
    if (portion === undefined) {
      pauses += 1;
      await clock.sleep(PIPE_PAUSE_MS, new AbortController().signal);
    } else {
      portions.push(portion);
      bytes += portion.length;
    }
  }
  if (bytes > bytesMax) return undefined;
  if (bytes === 0) throw unwritten(file);
  return Buffer.concat(portions);
}

/** Bytes of a pipe; empty: its writers have left; `undefined`: nothing yet. */
async function portionOf(pipe: FileHandle): Promise<Buffer | undefined> {
  try {
    const { buffer, bytesRead } = await pipe.read(Buffer.allocUnsafe(PORTION_BYTES));
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (systemCode(error) === "EAGAIN") return undefined;
    throw error;
  }
}

function unwritten(file: string): RecorderdError {
  return new RecorderdError("FILE_UNREADABLE", `${file} is a pipe, and nothing was written to it.`, { file });
}

/** The same as text, with FILE_UNREADABLE for errors of the system too. */
export async function plainText(file: string, bytesMax: number): Promise<string> {
  try {
    return (await readPlainFile(file, bytesMax)).toString("utf8");
  } catch (error) {
    throw unreadableFile(file, error);
  }
}

/**
 * Refuses a device as a target: a new file that is renamed to /dev/null replaces it for everybody.
 *
 * @throws RecorderdError WRITE_FAILED if there is something else than a regular file under this name
 */
export async function refuseSpecialTarget(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isFile()) return;
  const message = `${file} is ${kindOf(found)}, not a file: choose another name. Nothing was written.`;
  throw new RecorderdError("WRITE_FAILED", message, { file });
}
