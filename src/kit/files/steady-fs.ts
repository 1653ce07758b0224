import * as fs from "node:fs";
import * as nodeFs from "node:fs/promises";
import { promisify } from "node:util";
import { RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";
import { FILES_LIMITS } from "./limits.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;
const openNumber = promisify(fs.open);
const statNumber = promisify(fs.fstat);
const closeNumber = promisify(fs.close);

const FLAGS = {
  r: O_RDONLY,
  "r+": O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
  ax: O_WRONLY | O_CREAT | O_APPEND | O_EXCL,
  "a+": O_RDWR | O_CREAT | O_APPEND,
} as const;

export const PORTION_BYTES = 64 * 1024;

interface WriteOptions {
  readonly mode?: number;
  /** Whether the content must be on the disk when the call resolves. */
  readonly flush?: boolean;
}

/**
 * Opens a regular file or a folder; a program may have put anything else under the name. The system lets the opening of a pipe wait
 * for its other end, in one of the few threads that all files of a process share: with four such pipes, nothing is read or
 * written any more.
 *
 * @throws RecorderdError FILE_UNREADABLE, or WRITE_FAILED if it was to be written, for anything else
 * @throws the system's error if it cannot be opened
 */
export async function open(
  file: string,
  flags: keyof typeof FLAGS | number = "r",
  mode?: number,
): Promise<nodeFs.FileHandle> {
  const bits = typeof flags === "number" ? flags : FLAGS[flags];
  const handle = await atOnce(file, bits, (all) => nodeFs.open(file, all, mode));
  const found = await handle.stat();
  if (found.isFile() || found.isDirectory()) return handle;
  await handle.close();
  throw notAFile(file, kindOf(found), bits);
}

/** The same with a plain descriptor: a read or write by a FileHandle needs twice the instructions. */
export async function openFd(file: string, flags: keyof typeof FLAGS, mode?: number): Promise<number> {
  const bits = FLAGS[flags];
  const fd = await atOnce(file, bits, (all) => openNumber(file, all, mode));
  const found = await statNumber(fd);
  if (found.isFile()) return fd;
  await closeNumber(fd);
  throw notAFile(file, kindOf(found), bits);
}

/** The same at once, for a database, which opens its files itself. */
export function openFdSync(file: string, flags: keyof typeof FLAGS, mode?: number): number {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw notAFile(file, kindOf(found), FLAGS[flags]);
  return fs.openSync(file, FLAGS[flags] | O_NONBLOCK, mode);
}

async function atOnce<T>(file: string, bits: number, call: (bits: number) => Promise<T>): Promise<T> {
  try {
    return await call(bits | O_NONBLOCK);
  } catch (error) {
    // A file server has lent the file, and gives it back while we wait (fcntl(2), leases): it is a regular file.
    if (systemCode(error) === "EAGAIN") return await call(bits);
    if (systemCode(error) !== "ENXIO") throw error;
    throw notAFile(file, kindOf(await nodeFs.stat(file)), bits, error);
  }
}

/**
 * The content of a file that others can replace.
 *
 * @throws RecorderdError FILE_UNREADABLE if it is too large to be one of ours: it would fill the memory
 */
export function readFile(file: string): Promise<Buffer>;
export function readFile(file: string, encoding: "utf8"): Promise<string>;
export async function readFile(file: string, encoding?: "utf8"): Promise<Buffer | string> {
  await using handle = await open(file);
  const content = await readAtMost(handle, FILES_LIMITS.wholeBytes);
  if (content === undefined) throw tooLarge(file, FILES_LIMITS.wholeBytes);
  return encoding === undefined ? content : content.toString(encoding);
}

/** The whole content of an open file; `undefined` if it is larger. Files of /proc have a size of 0, and content. */
export async function readAtMost(handle: nodeFs.FileHandle, bytesMax: number): Promise<Buffer | undefined> {
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

function readWhole(file: string): Promise<Buffer>;
function readWhole(file: string, encoding: "utf8"): Promise<string>;
async function readWhole(file: string, encoding?: "utf8"): Promise<Buffer | string> {
  await using handle = await open(file);
  return await handle.readFile(encoding);
}

export async function writeFile(
  file: string,
  content: string | Uint8Array,
  { mode, flush = false }: WriteOptions = {},
): Promise<void> {
  await using handle = await open(file, "w", mode);
  await handle.writeFile(content);
  if (flush) await handle.sync();
}

/** The content of a file, or a part of it, as it is read. */
export async function* portionsOf(
  file: string,
  options: Parameters<nodeFs.FileHandle["createReadStream"]>[0] = {},
): AsyncGenerator<Buffer, void, undefined> {
  const handle = await open(file);
  yield* handle.createReadStream(options) as AsyncIterable<Buffer>;
}

/** The functions of node:fs/promises, but with those of this file. Documents of the data folder may have any size. */
export const steadyFs = { ...nodeFs, open, readFile: readWhole, writeFile };

export function tooLarge(file: string, bytesMax: number): RecorderdError {
  return new RecorderdError("FILE_UNREADABLE", `${file} is larger than ${bytesMax} bytes.`, { file });
}

export function notAFile(file: string, kind: string, bits: number, cause?: unknown): RecorderdError {
  const isWritten = (bits & (O_WRONLY | O_RDWR)) !== 0;
  const code = isWritten ? "WRITE_FAILED" : "FILE_UNREADABLE";
  return new RecorderdError(code, `${file} is ${kind}, not a file.`, { file }, { cause });
}

export function kindOf(found: Awaited<ReturnType<typeof nodeFs.stat>>): string {
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a pipe";
  return found.isSocket() ? "a socket" : "a device";
}
