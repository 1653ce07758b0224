import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { unreadableFile } from "../../../kit/files/unreadable-file.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { type Attempt, attemptId } from "../../../model/attempt.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import { isTerminal, type Recording } from "../../../model/recording.ts";
import type { Playable, PlaybackApi } from "../../api/daemon-api.ts";
import { sidecarFile } from "../../capture/files.ts";
import { openView, type ViewParts } from "../../capture/view.ts";
import type { LeaseDesk } from "../../engine/runtime/lease-desk.ts";
import { isOwn } from "../library/core/importing.ts";
import type { IndexPlace } from "../library/index-place.ts";
import { sidecarPath } from "../library/removal.ts";
import { finishedIndex, growingIndex } from "./access-index.ts";
import { createIndexCache } from "./index-cache.ts";
import { PLAYBACK_LIMITS } from "./limits.ts";

export interface PlayingParts {
  readonly recording: (id: string) => Recording | undefined;
  readonly entry: (id: string) => LibraryEntry | undefined;
  readonly indexOf: IndexPlace;
  readonly segmentFile: (attempt: string) => string;
  readonly desk: LeaseDesk;
  readonly view: ViewParts;
  /** Called with each part that someone reads of a finished recording. */
  readonly onRead: (id: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const TYPES: Readonly<Record<string, string>> = {
  ts: "video/mp2t",
  mkv: "video/x-matroska",
  mp4: "video/mp4",
};

export interface Playing extends Pick<PlaybackApi, "open" | "sidecar" | "accessPoints" | "live"> {
  /** The picture that a job made next to a recording. */
  thumbnail(recordingId: string): Promise<Buffer | undefined>;
}

/** Recordings, finished or growing, and live services. */
export function createPlaying(parts: PlayingParts): Playing {
  const { recording, entry, clock, signal } = parts;
  const indexes = createIndexCache();

  function unknown(id: string): RecorderdError {
    return new RecorderdError(
      "RECORDING_UNKNOWN",
      `There is no recording ${id} to play: it has not begun, was deleted, or never existed.`,
    );
  }

  function fileOf(id: string): string {
    const kept = entry(id);
    const file = kept === undefined ? recording(id)?.evidence?.file : kept.deleted ? undefined : kept.file;
    if (file === undefined) throw unknown(id);
    return file;
  }

  /** Its file is another recorder's, and so is everything beside it. */
  function isForeign(id: string): boolean {
    const kept = entry(id);
    return kept !== undefined && !isOwn(kept);
  }

  /** The recording whose segments are still apart; `undefined`: its file is there, or it never existed. */
  function growingRecording(id: string): Recording | undefined {
    const found = recording(id);
    return found === undefined || isTerminal(found.state) || entry(id) !== undefined ? undefined : found;
  }

  async function contentOf(file: string): Promise<Buffer> {
    return await readFile(file).catch((error: unknown) => {
      throw unreadableFile(file, error);
    });
  }

  return {
    open: async (id) => {
      const found = growingRecording(id);
      if (found === undefined) return finished(id, signal);
      const size = await sizeSoFar(found, parts.segmentFile);
      const numbers = attemptsOnDisk(found).map(({ number }) => number);
      if (numbers.length === 0) throw unknown(id);
      return {
        size,
        isGrowing: true,
        type: "video/mp2t",
        // A later attempt's data follows; the finished file may hold less.
        etag: `"${id}.growing"`,
        read: (range) => Readable.from(growing(id, { ...range, parts })),
      };
    },
    sidecar: async (id) => {
      if (isForeign(id)) throw new RecorderdError("FILE_UNREADABLE", "An imported recording has no sidecar.");
      return await contentOf(sidecarFile(fileOf(id), ".json"));
    },
    thumbnail: async (id) => {
      if (growingRecording(id) !== undefined || isForeign(id)) return undefined;
      const made = entry(id)?.made.find((each) => each.endsWith("-thumb.jpg"));
      // Earlier versions called it `.jpg`.
      return await readFile(made ?? sidecarPath(fileOf(id), ".jpg")).catch(() => undefined);
    },
    accessPoints: async (id) => {
      const found = growingRecording(id);
      if (found === undefined) {
        const kept = entry(id);
        return await finishedIndex(fileOf(id), indexes, kept && parts.indexOf(kept));
      }
      const segments = attemptsOnDisk(found).map(({ number, endedAt, flowingAt }) => ({
        file: parts.segmentFile(attemptId(id, number)),
        isOver: endedAt !== undefined,
        startedAt: flowingAt,
      }));
      if (segments.length === 0) throw unknown(id);
      try {
        return await growingIndex(segments, indexes);
      } catch (error) {
        // The segments may have become the file meanwhile.
        const file = found.evidence?.file;
        const joined =
          file === undefined ? undefined : await finishedIndex(file, indexes).catch(() => undefined);
        if (joined === undefined) throw error;
        return { ...joined, isGrowing: true };
      }
    },
    live: async (service) => {
      const lease = await parts.desk.take({ use: "view", service, forMs: MODEL_LIMITS.viewMs }, signal);
      try {
        const { stream, ended } = await openView({ source: lease.source, service }, parts.view, lease.ended);
        // A recording took the tuner, or the time is over: the reader sees the stream break off.
        const leave = () => stream.destroy();
        lease.ended.addEventListener("abort", leave, { once: true });
        signal.addEventListener("abort", leave, { once: true });
        stream.once("close", () => {
          signal.removeEventListener("abort", leave);
          void ended.then(() => lease[Symbol.asyncDispose]());
        });
        return stream;
      } catch (error) {
        await lease[Symbol.asyncDispose]();
        throw lease.ended.aborted ? lease.ended.reason : error;
      }
    },
  };

  async function finished(id: string, until: AbortSignal): Promise<Playable> {
    const file = fileOf(id);
    const { size, mtimeMs } = await stat(file).catch((error: unknown) => {
      throw unreadableFile(file, error);
    });
    return {
      size,
      isGrowing: false,
      type: TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
      read: (range) =>
        Readable.from(partOf(file, { ...range, signal: until, onRead: () => parts.onRead(id) })),
    };
  }

  /**
   * Reads the segments as far as they are written until the last one has ended; segments that have been joined are
   * read from the finished file.
   */
  async function* growing(
    id: string,
    wanted: Part & { readonly parts: PlayingParts },
  ): AsyncGenerator<Buffer> {
    let skip = wanted.first;
    let left = wanted.last === undefined ? Number.POSITIVE_INFINITY : wanted.last - wanted.first + 1;
    let done = 0;
    /** By the number of the attempt. */
    const sizes = new Map<number, number>();
    while (!signal.aborted) {
      const now = recording(id);
      const next = now === undefined ? undefined : attemptsOnDisk(now).find(({ number }) => number > done);
      if (next === undefined) {
        if (now === undefined || isCaptureOver(now)) return;
        await clock.sleep(PLAYBACK_LIMITS.lookMs, signal).catch(() => {});
        continue;
      }
      done = next.number;
      const handle = await open(parts.segmentFile(attemptId(id, done))).catch(() => undefined);
      if (handle === undefined) {
        const joined = await joinedAt(id, { number: done, sizes });
        if (joined === undefined) return;
        const { file, from } = joined;
        const first = joined.first + Math.max(0, skip - from);
        const onRead = () => parts.onRead(id);
        yield* partOf(file, { first, last: first + left - 1, signal, onRead });
        return;
      }
      try {
        const { size } = await handle.stat();
        if (hasEnded(id, done) && skip >= size) {
          sizes.set(done, size);
          skip -= size;
          continue;
        }
        let position = skip;
        for await (const bytes of followed(handle, { id, number: done, from: skip })) {
          const some = bytes.length > left ? bytes.subarray(0, left) : bytes;
          left -= some.length;
          position += bytes.length;
          yield some;
          if (left === 0) return;
        }
        sizes.set(done, position);
        skip = 0;
      } finally {
        await handle.close();
      }
    }
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
  ): Promise<{ readonly file: string; readonly first: number; readonly from: number } | undefined> {
    for (let now = recording(id); now !== undefined && isCaptureOver(now); now = recording(id)) {
      if (!isTerminal(now.state)) {
        await clock.sleep(PLAYBACK_LIMITS.lookMs, signal).catch(() => {});
        if (signal.aborted) return undefined;
        continue;
      }
      const { kept = [], keptBytes = {}, keptFrom = {}, bytes } = now.evidence ?? {};
      const file = (entry(id) ?? now.evidence)?.file;
      if (file === undefined || (await stat(file).catch(() => undefined))?.size !== bytes) return undefined;
      const before = kept.filter((each) => each < number);
      const first = before.reduce((sum, each) => sum + (keptBytes[each] ?? sizes.get(each) ?? 0), 0);
      return { file, first, from: keptFrom[number] ?? 0 };
    }
    return undefined;
  }

  function hasEnded(id: string, number: number): boolean {
    const attempt = recording(id)?.attempts.find((each) => each.number === number);
    return attempt === undefined || attempt.endedAt !== undefined;
  }
}

interface Part {
  readonly first: number;
  readonly last?: number;
}

async function* partOf(
  file: string,
  { first, last, signal, onRead }: Part & { readonly signal: AbortSignal; readonly onRead: () => void },
): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    let position = first;
    const end = (last ?? Number.POSITIVE_INFINITY) + 1;
    while (position < end && !signal.aborted) {
      const length = Math.min(PLAYBACK_LIMITS.readBytes, end - position);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
      if (bytesRead === 0) return;
      onRead();
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Attempts with data on disk, in order. */
function attemptsOnDisk({ attempts }: Recording): readonly Attempt[] {
  return attempts.filter(({ flowingAt }) => flowingAt !== undefined);
}

function isCaptureOver({ state }: Recording): boolean {
  return isTerminal(state) || state === "closing";
}

async function sizeSoFar(recording: Recording, segmentFile: (attempt: string) => string): Promise<number> {
  let bytes = 0;
  for (const { number } of attemptsOnDisk(recording)) {
    bytes += (await stat(segmentFile(attemptId(recording.id, number))).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
