import type { FileHandle } from "node:fs/promises";
import type { DurationMs } from "../../model/time.ts";
import type { Clock } from "../time/clock.ts";
import { type FileState, isSameState, stateFrom, stateOf } from "./file-state.ts";
import { openPlainFile } from "./plain-file.ts";
import { BufferPool } from "./spare-buffers.ts";

/** The speed limit of a long read. */
export interface Pace {
  readonly clock: Clock;
  readonly bytesPerSecond: number;
}

export interface WholeRead {
  /** Receives each chunk in order; its bytes are valid during the call only. `false` stops the read. */
  readonly take: (portion: Buffer) => boolean;
  /** Absent: full speed. */
  readonly pace?: Pace;
}

/** A multiple of a transport stream packet (188 bytes), about 2 MB: one call costs as much as 0.1 MB of reading. */
const READ_BYTES = 12_000 * 188;
const buffers = new BufferPool({ bytes: READ_BYTES, most: 2 });
/**
 * Twice the coarsest step of the kernel's modification time (a tick at 100 Hz). After this pause, every change gets a new time.
 */
const TICK_MS: DurationMs = 20;

/**
 * Reads a file from its first byte to the last that it has at the beginning: one that grows faster than it is read has no other end.
 *
 * @returns the file's state, if it was equal before and after and the name still leads to it; else `undefined`
 * @throws the system's error
 */
export async function readWholeFile(
  file: string,
  { take, pace }: WholeRead,
  signal: AbortSignal,
): Promise<FileState | undefined> {
  await using handle = await openPlainFile(file);
  const before = await stateOfOpen(handle);
  await pace?.clock.sleep(TICK_MS, signal);
  for (let position = 0; position < before.bytes; ) {
    signal.throwIfAborted();
    const wanted = Math.min(READ_BYTES, before.bytes - position);
    const length = await paced(pace, signal, () =>
      buffers.use(async (buffer) => {
        const { bytesRead } = await handle.read(buffer, 0, wanted, position);
        return take(Buffer.from(buffer.buffer, 0, bytesRead)) === false ? 0 : bytesRead;
      }),
    );
    if (length === 0) break;
    position += length;
  }
  const after = await stateOfOpen(handle);
  const isSteady = isSameState(before, after) && isSameState(after, await stateOf(file));
  return isSteady ? after : undefined;
}

async function stateOfOpen(handle: FileHandle): Promise<FileState> {
  return stateFrom(await handle.stat({ bigint: true }));
}

/** Pauses after a chunk: as long as the chunk took, or longer if the pace demands it. */
async function paced(
  pace: Pace | undefined,
  signal: AbortSignal,
  portion: () => Promise<number>,
): Promise<number> {
  if (pace === undefined) return await portion();
  const { clock, bytesPerSecond } = pace;
  const sinceMs = clock.monotonicMs();
  const length = await portion();
  const tookMs = clock.monotonicMs() - sinceMs;
  // The end is reported at once.
  if (length === READ_BYTES) {
    await clock.sleep(Math.max(tookMs, (1000 * length) / bytesPerSecond - tookMs), signal);
  }
  return length;
}
