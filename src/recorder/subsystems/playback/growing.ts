import { type FileHandle, stat } from "node:fs/promises";
import { open } from "../../../kit/files/steady-fs.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { type Attempt, attemptId } from "../../../model/attempt.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import { isTerminal, type Recording } from "../../../model/recording.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { type Part, partOf, type RecordedFile } from "./file-part.ts";
import { PLAYBACK_LIMITS } from "./limits.ts";

export interface GrowingParts {
  readonly recording: (id: string) => Recording | undefined;
  readonly entry: (id: string) => LibraryEntry | undefined;
  readonly segmentFile: (attempt: string) => string;
  /** Called with each part that someone reads of a finished recording. */
  readonly onRead: (id: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Reads a recording whose segments are still apart, as far as they are written, until the last one has ended. Segments that are joined
 * meanwhile are read from the finished file.
 */
export type ReadGrowing = (id: string, wanted: Part) => AsyncGenerator<Buffer>;

export function createGrowingReader(parts: GrowingParts): ReadGrowing {
  const { recording, entry, clock, signal } = parts;

  async function* read(id: string, { first, last }: Part): AsyncGenerator<Buffer> {
    const left = last === undefined ? Number.POSITIVE_INFINITY : last - first + 1;
    const reading: Reading = { id, skip: first, left, sizes: new Map() };
    let number: number | undefined = 0;
    while (reading.left > 0) {
      number = await segmentAfter(id, number);
      if (number === undefined) return;
      const handle = await open(parts.segmentFile(attemptId(id, number))).catch(() => undefined);
      if (handle === undefined) return yield* readJoined(reading, number);
      try {
        yield* readSegment(handle, reading, number);
      } finally {
        await handle.close();
      }
    }
  }

  /** Waits for the next attempt that has data. @returns `undefined` if there will be none */
  async function segmentAfter(id: string, done: number): Promise<number | undefined> {
    while (!signal.aborted) {
      const now = recording(id);
      const next = now === undefined ? undefined : attemptsOnDisk(now).find(({ number }) => number > done);
      if (next !== undefined) return next.number;
      if (now === undefined || isCaptureOver(now)) return undefined;
      await clock.sleep(PLAYBACK_LIMITS.lookMs, signal).catch(() => {});
    }
    return undefined;
  }

  async function* readSegment(handle: FileHandle, reading: Reading, number: number): AsyncGenerator<Buffer> {
    const { id, sizes } = reading;
    const { size } = await handle.stat();
    if (hasEnded(id, number) && reading.skip >= size) {
      sizes.set(number, size);
      reading.skip -= size;
      return;
    }
    let position = reading.skip;
    for await (const bytes of followed(handle, { id, number, from: position })) {
      const wanted = bytes.subarray(0, reading.left);
      reading.left -= wanted.length;
      position += bytes.length;
      yield wanted;
      if (reading.left === 0) return;
    }
    sizes.set(number, position);
    reading.skip = 0;
  }

  async function* readJoined({ id, skip, left, sizes }: Reading, number: number): AsyncGenerator<Buffer> {
    const joined = await joinedAt(id, { number, sizes });
    if (joined === undefined) return;
    const first = joined.first + Math.max(0, skip - joined.from);
    const onRead = () => parts.onRead(id);
    yield* partOf(joined.recorded, { first, last: first + left - 1, signal, onRead });
  }

  async function* followed(
    handle: FileHandle,
    { id, number, from }: { readonly id: string; readonly number: number; readonly from: number },
  ): AsyncGenerator<Buffer> {
    const { readBytes } = PLAYBACK_LIMITS;
    let position = from;
    while (!signal.aborted) {
      // Checked before reading, so that everything written before the end is read.
      const isLast = hasEnded(id, number);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(readBytes), 0, readBytes, position);
      position += bytesRead;
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      else if (isLast) return;
      else await clock.sleep(PLAYBACK_LIMITS.lookMs, signal).catch(() => {});
    }
  }

  /**
   * The place in the finished file where a removed segment begins, and the offset of its first remaining byte.
   *
   * @param sizes of the segments before it, by number
   * @returns `undefined` if unknown: the segment was not joined, or the file is another one by now
   */
  async function joinedAt(
    id: string,
    { number, sizes }: { readonly number: number; readonly sizes: ReadonlyMap<number, number> },
  ): Promise<{ readonly recorded: RecordedFile; readonly first: number; readonly from: number } | undefined> {
    for (let now = recording(id); now !== undefined && isCaptureOver(now); now = recording(id)) {
      if (!isTerminal(now.state)) {
        await clock.sleep(PLAYBACK_LIMITS.lookMs, signal).catch(() => {});
        if (signal.aborted) return undefined;
        continue;
      }
      const { kept = [], keptBytes = {}, keptFrom = {}, bytes = 0 } = now.evidence ?? {};
      const { file, modifiedAt } = entry(id) ?? now.evidence ?? {};
      if (file === undefined || (await stat(file).catch(() => undefined))?.size !== bytes) return undefined;
      const before = kept.filter((each) => each < number);
      const first = before.reduce((sum, each) => sum + (keptBytes[each] ?? sizes.get(each) ?? 0), 0);
      return {
        recorded: { file, bytes, ...withoutUndefined({ modifiedAt }) },
        first,
        from: keptFrom[number] ?? 0,
      };
    }
    return undefined;
  }

  function hasEnded(id: string, number: number): boolean {
    const attempt = recording(id)?.attempts.find((each) => each.number === number);
    return attempt === undefined || attempt.endedAt !== undefined;
  }

  return read;
}

/** How far somebody has read. */
interface Reading {
  readonly id: string;
  /** Bytes between the beginning of the next segment and the next wanted byte. */
  skip: number;
  /** Bytes still wanted. */
  left: number;
  /** Bytes of each earlier segment, by the number of its attempt. */
  readonly sizes: Map<number, number>;
}

/** Attempts with data on disk, in order. */
export function attemptsOnDisk({ attempts }: Recording): readonly Attempt[] {
  return attempts.filter(({ flowingAt }) => flowingAt !== undefined);
}

function isCaptureOver({ state }: Recording): boolean {
  return isTerminal(state) || state === "closing";
}

export async function sizeSoFar(
  recording: Recording,
  segmentFile: (attempt: string) => string,
): Promise<number> {
  let bytes = 0;
  for (const { number } of attemptsOnDisk(recording)) {
    bytes += (await stat(segmentFile(attemptId(recording.id, number))).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
