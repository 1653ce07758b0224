import type { FileHandle } from "node:fs/promises";

/** The end of a directory is at most this far from the file's end: 22 bytes and a comment (APPNOTE.TXT §4.3.16). */
const END_BYTES = 22 + 0xffff;
const DIRECTORY_BYTES_MAX = 1024 * 1024;
const END_MARK = Buffer.from("PK\x05\x06", "latin1");
const ENTRY_MARK = 0x0201_4b50;
const ENTRY_BYTES = 46;
const LOCAL_MARK = 0x0403_4b50;
const LOCAL_BYTES = 30;
const ENCRYPTED = 1;
/** Sizes beyond 4 GiB are in fields of zip64. */
const ELSEWHERE = 0xffff_ffff;

/** A folder, or what macOS adds to each file. */
const IS_NO_FILE = /\/$|^__MACOSX\/|(?:^|\/)(?:\._[^/]*|\.DS_Store)$/;

/** The place of one file's content within a zip file. */
export interface ZipEntry {
  readonly start: number;
  readonly bytes: number;
  readonly isDeflated: boolean;
}

interface Listed {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly bytes: number;
  readonly headerAt: number;
}

/**
 * Finds the only file in a zip file, or the only one whose name ends with `extension`.
 *
 * @throws RangeError for a torn or damaged directory
 * @returns the reason why there is none
 */
export async function zipEntry(handle: FileHandle, extension: string): Promise<ZipEntry | string> {
  const files = (await directoryOf(handle)).filter(({ name }) => !IS_NO_FILE.test(name));
  const named = files.filter(({ name }) => name.toLowerCase().endsWith(extension));
  const [found, ...more] = named.length > 0 ? named : files;
  if (found === undefined) return "is a zip file without content";
  if (more.length > 0) return `is a zip file with several files: unpack the right one of ${files.length}`;
  if ((found.flags & ENCRYPTED) !== 0) return "is an encrypted zip file";
  if (![0, 8].includes(found.method)) return `is a zip file with an unknown compression (${found.method})`;
  if (found.bytes === ELSEWHERE || found.headerAt === ELSEWHERE) return "is a zip file of more than 4 GiB";
  const local = await readAt(handle, found.headerAt, LOCAL_BYTES);
  if (local.readUInt32LE(0) !== LOCAL_MARK) throw new RangeError("no local header");
  const start = found.headerAt + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  return { start, bytes: found.bytes, isDeflated: found.method === 8 };
}

async function directoryOf(handle: FileHandle): Promise<readonly Listed[]> {
  const { size } = await handle.stat();
  const tail = await readAt(handle, Math.max(0, size - END_BYTES), Math.min(size, END_BYTES));
  const endAt = tail.lastIndexOf(END_MARK);
  if (endAt < 0) throw new RangeError("no end of the directory");
  const end = tail.subarray(endAt);
  const length = Math.min(DIRECTORY_BYTES_MAX, end.readUInt32LE(12));
  const directory = await readAt(handle, end.readUInt32LE(16), length);
  const listed: Listed[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length; ) {
    if (directory.readUInt32LE(at) !== ENTRY_MARK) break;
    const nameBytes = directory.readUInt16LE(at + 28);
    listed.push({
      name: directory.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      bytes: directory.readUInt32LE(at + 20),
      headerAt: directory.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return listed;
}

async function readAt(handle: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, position);
  return buffer.subarray(0, bytesRead);
}
