import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { type RecordingFs, readPortions, sha256Of, sizeOf, syncFile } from "./files-fs.ts";

/** The part of a segment to use: the rest is also in the next one, or is no complete packet. */
export interface UsedPart {
  readonly from: number;
  readonly bytes: number;
}

export interface JoinOrder {
  /** In their order; empty and missing ones are skipped. */
  readonly segments: readonly string[];
  /** The part of a segment to use, where it is not the whole. */
  readonly cuts: ReadonlyMap<string, UsedPart>;
  /** Path of the result until it is published; it exists only when complete. May be on another file system than the segments. */
  readonly target: string;
  readonly fs: RecordingFs;
  /** Whether the segments are still as inspected; called after copying. */
  readonly isUnchanged?: (() => Promise<boolean>) | undefined;
}

export interface Joined {
  /** Hexadecimal; absent if nothing was copied. */
  readonly sha256?: string;
}

/**
 * Joins segments into one file. The segments stay unchanged, except a single one: it is cut to its used part, and renamed if it is
 * on the same file system.
 * When this resolves, `whole` is on the disk, and copied data was read back and compared.
 *
 * @returns `undefined` if there is nothing to join, and nothing was joined before
 * @throws RecorderdError WRITE_FAILED if the data read back differs, FILE_CHANGED if a segment changed meanwhile
 */
export async function joinSegments(
  { segments, cuts, target, fs, isUnchanged }: JoinOrder,
  signal: AbortSignal,
): Promise<Joined | undefined> {
  if ((await sizeOf(target, fs)) !== undefined) return {};
  const found = await Promise.all(
    segments.map(async (file) => {
      const size = (await sizeOf(file, fs)) ?? 0;
      const { from, bytes } = cuts.get(file) ?? { from: 0, bytes: size };
      return { file, from, bytes: Math.min(size - from, bytes) };
    }),
  );
  const filled = found.filter(({ bytes }) => bytes > 0);
  const [first, ...others] = filled;
  if (first === undefined) return undefined;
  let joined: Joined = {};
  if (others.length === 0 && first.from === 0) await shorten(first.file, first.bytes, fs);
  if (others.length > 0 || first.from > 0 || !(await renamed(first.file, target, fs))) {
    const joining = `${target}.joining`;
    try {
      joined = { sha256: await copySegments({ from: filled, to: joining, fs }, signal) };
      if ((await isUnchanged?.()) === false) throw changedError(joining);
    } catch (error) {
      // The partial file may take the very room that is missing.
      await fs.rm(joining, { force: true }).catch(() => {});
      throw error;
    }
    const bytes = filled.reduce((sum, segment) => sum + segment.bytes, 0);
    const there = await sizeOf(joining, fs);
    assert.equal(there, bytes, `${joining} must hold all segments before they are removed`);
    await fs.rename(joining, target);
  }
  await syncFile(dirname(target), fs);
  return joined;
}

/** Keeps the file's modification time: that of its last byte. */
async function shorten(file: string, bytes: number, fs: RecordingFs): Promise<void> {
  const { size, atime, mtime } = await fs.stat(file);
  if (size <= bytes) return;
  await using handle = await fs.open(file, "r+");
  await handle.truncate(bytes);
  await handle.utimes(atime, mtime);
}

async function renamed(from: string, to: string, fs: RecordingFs): Promise<boolean> {
  await syncFile(from, fs);
  try {
    await fs.rename(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) !== "EXDEV") throw error;
    return false;
  }
}

/** @returns the SHA-256 of the data written and read back, hexadecimal */
async function copySegments(order: CopyOrder, signal: AbortSignal): Promise<string> {
  const sha256 = await concatenate(order, signal);
  if ((await sha256Of(order.to, order.fs, signal)) !== sha256) throw differsError(order.to);
  return sha256;
}

interface CopyOrder {
  readonly from: readonly ({ readonly file: string } & UsedPart)[];
  readonly to: string;
  readonly fs: RecordingFs;
}

async function concatenate({ from, to, fs }: CopyOrder, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await using target = await fs.open(to, "w", 0o640);
  for (const { file, from: first, bytes } of from) {
    let skip = first;
    let left = bytes;
    const take = async (portion: Buffer) => {
      const part = portion.subarray(skip, skip + left);
      skip = Math.max(0, skip - portion.length);
      left -= part.length;
      hash.update(part);
      await target.writeFile(part);
    };
    await readPortions(file, { fs, take }, signal);
    const { atime, mtime } = await fs.stat(file);
    // The age of a recording is that of its last byte.
    await target.utimes(atime, mtime);
  }
  await target.sync();
  return hash.digest("hex");
}

function changedError(file: string): RecorderdError {
  const message = `A segment changed while it was copied to ${file}: find the program that writes to the folder.`;
  return new RecorderdError("FILE_CHANGED", message, { file });
}

function differsError(file: string): RecorderdError {
  const message = `${file} does not read back as written: check its disk or network share.`;
  return new RecorderdError("WRITE_FAILED", message, { file });
}
