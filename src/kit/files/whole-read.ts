import { type FileHandle, open } from "node:fs/promises";
import type { DurationMs } from "../../model/time.ts";
import type { Clock } from "../time/clock.ts";
import { type FileState, isSameState, stateFrom, stateOf } from "./file-state.ts";
import { BufferDesk } from "./spare-buffers.ts";

/** How a long read leaves room for others. */
export interface Pace {
  readonly clock: Clock;
  readonly bytesPerSecond: number;
}

export interface WholeRead {
  /** Called with each portion, in order; the bytes are valid during the call only. `false` ends the reading there. */
  readonly take: (portion: Buffer) => boolean;
  /** Absent: as fast as it can be. */
  readonly pace?: Pace;
}

/** A multiple of a packet of a transport stream (188 bytes), about 2 MB: a call and its way through a thread cost as much as 0.1 MB. */
const READ_BYTES = 12_000 * 188;
const buffers = new BufferDesk({ bytes: READ_BYTES, most: 2 });
/**
 * The coarsest step of the kernel's time of change (a tick of 100 Hz), twice. After such a rest every change gets another time than
 * the one that was seen before it.
 */
const TICK_MS: DurationMs = 20;

/**
 * Reads a file from its first byte to its last.
 *
 * @returns the state of the file that was read, where it was the same before and after and still has the name; else `undefined`
 * @throws the system's error
 */
export async function readWhole(
  file: string,
  { take, pace }: WholeRead,
  signal: AbortSignal,
): Promise<FileState | undefined> {
  await using handle = await open(file, "r");
  const before = await stateOfOpen(handle);
  await pace?.clock.sleep(TICK_MS, signal);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const length = await paced(pace, signal, () =>
      buffers.use(async (buffer) => {
        const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, position);
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

/** Rests after a portion: as long as it took, or longer where the pace asks for that. */
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
  // The end is told at once.
  if (length === READ_BYTES) {
    await clock.sleep(Math.max(tookMs, (1000 * length) / bytesPerSecond - tookMs), signal);
  }
  return length;
}
