import { Readable } from "node:stream";
import { attemptId } from "../../../model/attempt.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import { isTerminal, type Recording } from "../../../model/recording.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import type { Playable, PlaybackApi } from "../../api/daemon-api.ts";
import { sidecarFile } from "../../capture/files.ts";
import { exists } from "../../capture/storage.ts";
import { openView, type ViewParts } from "../../capture/view.ts";
import type { LeaseDesk } from "../../engine/runtime/lease-desk.ts";
import { isOwn } from "../library/core/importing.ts";
import type { IndexPlace } from "../library/index-place.ts";
import { sidecarPath } from "../library/removal.ts";
import { finishedIndex, growingIndex } from "./access-index.ts";
import { partOf, type RecordedFile } from "./file-part.ts";
import { attemptsOnDisk, createGrowingReader, type GrowingParts, sizeSoFar } from "./growing.ts";
import { createIndexCache } from "./index-cache.ts";
import { openOwn, readOwn } from "./own-file.ts";

export interface PlayingParts extends GrowingParts {
  readonly indexOf: IndexPlace;
  readonly desk: LeaseDesk;
  readonly view: ViewParts;
  /** Whether a file that is not here may be on another node of the fleet. */
  readonly mayBeElsewhere: () => boolean;
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
  const { recording, entry, signal } = parts;
  const indexes = createIndexCache();
  const readGrowing = createGrowingReader(parts);

  function unknown(id: string): RecorderdError {
    return new RecorderdError(
      "RECORDING_UNKNOWN",
      `There is no recording ${id} to play: it has not begun, was deleted, or never existed.`,
    );
  }

  function recordedFile(id: string): RecordedFile {
    const kept = entry(id);
    const found = kept ?? recording(id)?.evidence;
    if (found?.file === undefined || kept?.deleted !== undefined) throw unknown(id);
    const { file, bytes, modifiedAt } = found;
    return { file, bytes, ...withoutUndefined({ modifiedAt }) };
  }

  /** For `catch`: a file that is not here may be on another node of the fleet. */
  function elsewhere(file: string): (error: unknown) => Promise<never> {
    return async (error) => {
      if (!parts.mayBeElsewhere() || (await exists(file))) throw error;
      const message = "This recording is on another recorder of the fleet, which is off: start that machine.";
      throw new RecorderdError("NODE_AWAY", message, { file });
    };
  }

  const fileOf = (id: string) => recordedFile(id).file;

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
        read: (range) => Readable.from(readGrowing(id, range)),
      };
    },
    sidecar: async (id) => {
      if (isForeign(id)) throw new RecorderdError("FILE_UNREADABLE", "An imported recording has no sidecar.");
      return await readOwn(sidecarFile(fileOf(id), ".json"));
    },
    thumbnail: async (id) => {
      if (growingRecording(id) !== undefined || isForeign(id)) return undefined;
      const made = entry(id)?.made.find((each) => each.endsWith("-thumb.jpg"));
      // Earlier versions called it `.jpg`.
      return await readOwn(made ?? sidecarPath(fileOf(id), ".jpg")).catch(() => undefined);
    },
    accessPoints: async (id) => {
      const found = growingRecording(id);
      if (found === undefined) {
        const kept = entry(id);
        const file = fileOf(id);
        return await finishedIndex(file, indexes, kept && parts.indexOf(kept)).catch(elsewhere(file));
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
    const recorded = recordedFile(id);
    const { file } = recorded;
    await using handle = await openOwn(file, recorded).catch(elsewhere(file));
    const { size, mtimeMs } = await handle.stat();
    return {
      size,
      isGrowing: false,
      type: TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
      read: (range) =>
        Readable.from(partOf(recorded, { ...range, signal: until, onRead: () => parts.onRead(id) })),
    };
  }
}
