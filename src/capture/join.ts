import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { systemCode } from "../kit/system-code.ts";
import { RecorderdError } from "../model/errors.ts";
import { readPortions, type ShelfFs, sha256Of, sizeOf, syncFile } from "./shelf-fs.ts";

export interface JoinOrder {
  /** In their order; empty and missing ones add nothing. */
  readonly segments: readonly string[];
  /** How much of a segment counts where that is not all: what follows is in the next one too. */
  readonly cuts: ReadonlyMap<string, number>;
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
 * Makes one file of the segments, which stay as they are, except one that is alone, whole and on the same file system: it is renamed.
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
      const bytes = Math.min(size, cuts.get(file) ?? size);
      return { file, bytes, isCut: bytes < size };
    }),
  );
  const filled = found.filter(({ bytes }) => bytes > 0);
  const [first, ...others] = filled;
  if (first === undefined) return undefined;
  let joined: Joined = {};
  if (others.length > 0 || first.isCut || !(await renamed(first.file, whole, fs))) {
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
  readonly from: readonly { readonly file: string; readonly bytes: number }[];
  readonly to: string;
  readonly fs: ShelfFs;
}

async function concatenate({ from, to, fs }: CopyOrder, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await using target = await fs.open(to, "w", 0o640);
  for (const { file, bytes } of from) {
    let left = bytes;
    const take = async (portion: Buffer) => {
      const part = portion.subarray(0, left);
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
