import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { readPortions, type ShelfFs, sha256Of, sizeOf, syncFile } from "./files-fs.ts";

/** A part of a segment: the rest is in the next one too, or is no whole packet. */
export interface KeptPart {
  readonly from: number;
  readonly bytes: number;
}

export interface JoinOrder {
  /** In their order; empty and missing ones add nothing. */
  readonly segments: readonly string[];
  /** What counts of a segment where that is not all. */
  readonly cuts: ReadonlyMap<string, KeptPart>;
  /** Where the result lies until it is placed. It exists only complete. May be on another file system than the segments. */
  readonly whole: string;
  readonly fs: ShelfFs;
  /** Whether the segments are as they were read; asked when all was copied. */
  readonly isUnchanged?: (() => Promise<boolean>) | undefined;
}

export interface Joined {
  /** Hexadecimal; absent where nothing was read because nothing was copied. */
  readonly sha256?: string;
}

/**
 * Makes one file of the segments, which stay as they are, one that is alone excepted: it loses what does not count of its end, and is
 * renamed if it is on the same file system.
 * When this resolves, `whole` is on the disk itself, and what was copied was read back and is the same.
 *
 * @returns `undefined` when there is nothing to join, and nothing was joined before
 * @throws RecorderdError WRITE_FAILED when what was read back differs, FILE_CHANGED when a segment changed while it was copied
 */
export async function joinSegments(
  { segments, cuts, whole, fs, isUnchanged }: JoinOrder,
  signal: AbortSignal,
): Promise<Joined | undefined> {
  if ((await sizeOf(whole, fs)) !== undefined) return {};
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
  if (others.length > 0 || first.from > 0 || !(await renamed(first.file, whole, fs))) {
    const joining = `${whole}.joining`;
    try {
      joined = { sha256: await copied({ from: filled, to: joining, fs }, signal) };
      if ((await isUnchanged?.()) === false) throw changed(joining);
    } catch (error) {
      // The room that it takes may be the room that is wanting.
      await fs.rm(joining, { force: true }).catch(() => {});
      throw error;
    }
    const bytes = filled.reduce((sum, segment) => sum + segment.bytes, 0);
    const there = await sizeOf(joining, fs);
    assert.equal(there, bytes, `${joining} must hold all segments before they are removed`);
    await fs.rename(joining, whole);
  }
  await syncFile(dirname(whole), fs);
  return joined;
}

/** The file keeps its time: that of its last byte. */
async function shorten(file: string, bytes: number, fs: ShelfFs): Promise<void> {
  const { size, atime, mtime } = await fs.stat(file);
  if (size <= bytes) return;
  await using handle = await fs.open(file, "r+");
  await handle.truncate(bytes);
  await handle.utimes(atime, mtime);
}

async function renamed(from: string, to: string, fs: ShelfFs): Promise<boolean> {
  await syncFile(from, fs);
  try {
    await fs.rename(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) !== "EXDEV") throw error;
    return false;
  }
}

/** @returns the SHA-256 of what was written and read back, hexadecimal */
async function copied(order: CopyOrder, signal: AbortSignal): Promise<string> {
  const sha256 = await concatenate(order, signal);
  if ((await sha256Of(order.to, order.fs, signal)) !== sha256) throw differs(order.to);
  return sha256;
}

interface CopyOrder {
  readonly from: readonly ({ readonly file: string } & KeptPart)[];
  readonly to: string;
  readonly fs: ShelfFs;
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

function changed(file: string): RecorderdError {
  const message = `A segment changed while it was copied to ${file}: find the program that writes to the folder.`;
  return new RecorderdError("FILE_CHANGED", message, { file });
}

function differs(file: string): RecorderdError {
  const message = `${file} does not read back as it was written: check the disk or the network it is on.`;
  return new RecorderdError("WRITE_FAILED", message, { file });
}
