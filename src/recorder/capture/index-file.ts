import type { FileHandle } from "node:fs/promises";
import { steadyFs } from "../../kit/files/steady-fs.ts";
import type { Log } from "../../kit/log.ts";
import { RecorderdError } from "../../model/errors.ts";
import { composeIndex, type IndexPart } from "../../mpeg-ts/access-index/compose.ts";
import {
  decodeIndex,
  decodeIndexEnd,
  IndexEncoder,
  type StoredIndex,
  type StoredPoint,
  startsAsIndex,
  unusable,
} from "../../mpeg-ts/access-index/format.ts";
import { PACKET_BYTES } from "../../mpeg-ts/packets.ts";
import { crc32 } from "../../mpeg-ts/tables/sections.ts";
import type { RecordingFs } from "./files-fs.ts";
import type { UsedPart } from "./join.ts";
import { INDEX_LIMITS } from "./limits.ts";

/** Logs that a file has no index: a job makes it later. */
export function indexFailureLog(log: Log): (file: string, error: unknown) => void {
  return (file, error) =>
    log.warn("an index of access points could not be written", { file, text: String(error) });
}

interface IndexFiles {
  readonly index: string;
  /** The transport stream that it describes. */
  readonly file: string;
}

type IndexFs = Pick<RecordingFs, "open" | "rename" | "rm" | "stat">;

/**
 * Reads the index of a file that may be growing, and the file's size.
 *
 * @throws RecorderdError INDEX_UNUSABLE if it is missing, damaged, or describes another file
 */
export async function readIndex({ index, file }: IndexFiles): Promise<IndexPart> {
  try {
    const found = decodeIndex(await readWhole(index, steadyFs), index);
    await verify(found.points, { index, file }, steadyFs);
    const { size } = await steadyFs.stat(file);
    return { index: found, from: 0, bytes: size };
  } catch (error) {
    if (error instanceof RecorderdError) throw error;
    throw unusable(index, `cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

/**
 * Reads the index of a file that does not grow any more.
 *
 * @throws RecorderdError INDEX_UNUSABLE also if it does not describe the file to its end
 */
export async function readWholeIndex(files: IndexFiles): Promise<Required<StoredIndex>> {
  const { index, bytes } = await readIndex(files);
  const { end } = index;
  if (end?.bytes !== bytes) throw unusable(files.index, `does not describe ${files.file} to its end`);
  return { ...index, end };
}

/** Whether a finished recording has an index that belongs to it, judged by the index's beginning and end. */
export async function hasIndex({ index, file }: IndexFiles): Promise<boolean> {
  try {
    const { size } = await steadyFs.stat(file);
    await using handle = await steadyFs.open(index, "r");
    const { points } = decodeIndex(await readPart(handle, 0), index);
    const { size: indexBytes } = await handle.stat();
    const end = decodeIndexEnd(await readPart(handle, Math.max(0, indexBytes - PROBE_BYTES)));
    await verify(points.slice(0, 1), { index, file }, steadyFs);
    return end?.bytes === size;
  } catch {
    return false;
  }
}

/** Whether a file is an index of any version, as its first bytes say. */
export async function isIndex(index: string): Promise<boolean> {
  try {
    await using handle = await steadyFs.open(index, "r");
    return startsAsIndex(await readPart(handle, 0));
  } catch {
    return false;
  }
}

/** The header, the first tables and some points. */
const PROBE_BYTES = 4096;

async function readPart(handle: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(PROBE_BYTES), 0, PROBE_BYTES, position);
  return buffer.subarray(0, bytesRead);
}

export interface JoinIndexOrder extends IndexFiles {
  readonly parts: readonly (IndexFiles & UsedPart & Pick<IndexPart, "startedAt">)[];
}

/**
 * Makes the index of a file from those of the segments that it was joined from.
 *
 * @throws RecorderdError INDEX_UNUSABLE if one of them is missing or does not fit, or the system's error
 */
export async function joinIndexes({ index, file, parts }: JoinIndexOrder, fs: IndexFs): Promise<void> {
  const partial = `${index}.part`;
  try {
    const joined = composeIndex(await Promise.all(parts.map((part) => readUsed(part, fs))));
    const { size } = await fs.stat(file);
    if (joined.end.bytes !== size) throw unusable(index, `does not describe ${file} to its end`);
    await verify(joined.points, { index, file }, fs);
    await using handle = await fs.open(partial, "w", 0o640);
    await handle.writeFile(encoded(joined));
    await fs.rename(partial, index);
  } catch (error) {
    await fs.rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/** @throws RecorderdError INDEX_UNUSABLE if the index ends before the used part */
async function readUsed(
  { index, from, bytes, startedAt }: JoinIndexOrder["parts"][number],
  fs: IndexFs,
): Promise<IndexPart> {
  const found = decodeIndex(await readWhole(index, fs), index);
  const isRead = found.end !== undefined && found.end.bytes >= from + bytes;
  if (!isRead) throw unusable(index, "ends before its segment");
  return { index: found, from, bytes, startedAt };
}

function encoded({ points, tables, end }: Required<StoredIndex>): Buffer {
  const encoder = new IndexEncoder();
  const entries = points.map((point) => encoder.point(point, tables[point.tables] ?? new Uint8Array(0)));
  return Buffer.concat([encoder.header(), ...entries, encoder.end(end)]);
}

async function readWhole(index: string, fs: IndexFs): Promise<Buffer> {
  await using handle = await fs.open(index, "r");
  const { size } = await handle.stat();
  if (size > INDEX_LIMITS.bytes) throw unusable(index, "is too large");
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await handle.read(bytes, 0, size, 0);
  return bytes.subarray(0, bytesRead);
}

/** Compares the packets of some points with the file: another file has other ones. */
async function verify(
  points: readonly StoredPoint[],
  { index, file }: IndexFiles,
  fs: IndexFs,
): Promise<void> {
  const step = Math.max(1, Math.ceil(points.length / INDEX_LIMITS.checks));
  const last = points.at(-1);
  const chosen = points.filter((point, number) => number % step === 0 || point === last);
  if (chosen.length === 0) return;
  await using handle = await fs.open(file, "r");
  for (const { offset, check } of chosen) {
    const packet = Buffer.alloc(PACKET_BYTES);
    await handle.read(packet, 0, PACKET_BYTES, offset);
    if (crc32(packet) !== check) throw unusable(index, `does not belong to ${file}`);
  }
}
