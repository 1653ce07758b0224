import { rm, statfs } from "node:fs/promises";
import { outputOf } from "../../../../kit/process/program-output.ts";
import type { LiveLimits } from "./limits.ts";
import type { Freeable } from "./ring.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Free space of the disk; `undefined` if unknown. */
export async function freeBytesOf(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/**
 * Frees the space of old data: whole files, and the front of the one that follows, which keeps its length (fallocate(2),
 * FALLOC_FL_PUNCH_HOLE).
 *
 * @param punchedBytes of that file before
 * @returns the number of bytes freed at its front by now; `undefined` if its file system cannot free them
 */
export async function freeRoom(
  { files, front }: Freeable,
  {
    punchedBytes,
    limits,
    signal,
  }: { readonly punchedBytes: number; readonly limits: LiveLimits; readonly signal: AbortSignal },
): Promise<number | undefined> {
  for (const file of files) await rm(file, { force: true }).catch(() => {});
  if (front === undefined) return 0;
  const bytes = front.bytes - (front.bytes % limits.punchBytes);
  const length = bytes - punchedBytes;
  if (length <= 0) return punchedBytes;
  const args = ["--punch-hole", "--offset", `${punchedBytes}`, "--length", `${length}`, front.file];
  const program = { command: "fallocate", args, path: PATH, deadlineMs: limits.punchMs };
  const isDone = (await outputOf(program, signal)) !== undefined;
  return isDone || signal.aborted ? bytes : undefined;
}

/** Facts that decide how much a buffer may keep. */
export interface Allowance {
  readonly freeBytes: number;
  /** Bytes of all buffers now. */
  readonly bufferedBytes: number;
  /** Bytes that recordings need: those planned, and the free space that the configuration keeps. */
  readonly neededBytes: number;
  readonly buffers: number;
  /** The most for all buffers. */
  readonly mostBytes: number;
}

/** The bytes that one buffer may keep: an equal share of what recordings do not need. */
export function bytesAllowed({
  freeBytes,
  bufferedBytes,
  neededBytes,
  buffers,
  mostBytes,
}: Allowance): number {
  const roomBytes = freeBytes + bufferedBytes - neededBytes;
  return Math.floor(Math.max(0, Math.min(mostBytes, roomBytes)) / Math.max(1, buffers));
}
