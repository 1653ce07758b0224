import { type FileState, isSameState, stateOf } from "../../../kit/files/file-state.ts";
import { systemCode } from "../../../kit/machine/system-code.ts";
import { type Attempt, attemptId } from "../../../model/attempt.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { NetworkSettings } from "../../../model/network.ts";
import type { Recording } from "../../../model/recording.ts";
import type { RecordingFiles } from "../../capture/recording-files.ts";
import type { ReadWhole, WholeInspection } from "../../evidence/whole-file.ts";
import { RUNTIME_LIMITS } from "./limits.ts";

export interface SegmentReaderParts {
  readonly shelf: Pick<RecordingFiles, "segmentFile" | "secure" | "forgetCached">;
  readonly readWhole: ReadWhole;
  readonly networks: NetworkSettings | undefined;
}

/** A segment as read from its first byte to its last, with its file's state before and after. */
export interface SegmentReading extends WholeInspection {
  readonly state: FileState;
}

/**
 * Reads the segments of closing recordings. Any program that may write to the folder may have changed them since
 * supervision saw them grow, so each is inspected once more, and that counts (docs/dev/decisions/0032).
 */
export class SegmentReader {
  readonly #shelf: Pick<RecordingFiles, "segmentFile" | "secure" | "forgetCached">;
  readonly #readWhole: ReadWhole;
  readonly #networks: NetworkSettings | undefined;
  /** Attempts that this run of the daemon watched from start to end. */
  readonly #trusted = new Set<string>();
  /** Results of reading, until the segment is part of a recording: a retried step need not read it again. */
  readonly #read = new Map<string, SegmentReading>();

  constructor({ shelf, readWhole, networks }: SegmentReaderParts) {
    this.#shelf = shelf;
    this.#readWhole = readWhole;
    this.#networks = networks;
  }

  trust(id: string): void {
    this.#trusted.add(id);
  }

  /**
   * @throws RecorderdError FILE_UNREADABLE, STORAGE_OFFLINE, WRITE_FAILED, or FILE_CHANGED if it changes again and
   * again
   */
  async read(recording: Recording, attempt: Attempt, signal: AbortSignal): Promise<SegmentReading> {
    const id = attemptId(recording.id, attempt.number);
    const file = this.#shelf.segmentFile(id);
    await this.#secure(id, attempt);
    const known = this.#read.get(file);
    if (known !== undefined && isSameState(known.state, await segmentState(file))) return known;
    for (let tries = 0; tries < RUNTIME_LIMITS.closingReads; tries += 1) {
      const { state, ...whole } = await this.#readOnce(recording, attempt, signal);
      if (state === undefined) continue;
      const reading = { ...whole, state };
      this.#read.set(file, reading);
      return reading;
    }
    const message = `${file} changes although its recording has ended: find the program that writes to it.`;
    throw new RecorderdError("FILE_CHANGED", message, { file });
  }

  async #readOnce(recording: Recording, attempt: Attempt, signal: AbortSignal): Promise<WholeInspection> {
    const file = this.#shelf.segmentFile(attemptId(recording.id, attempt.number));
    const { closingReadBytesPerSecond: bytesPerSecond } = RUNTIME_LIMITS;
    const untilZeros = attempt.cause === "FILE_CHANGED";
    const order = { service: recording.service, networks: this.#networks, untilZeros, bytesPerSecond };
    return await this.#readWhole(file, order, signal);
  }

  /** Whether no byte has changed since it was read. */
  async isUnchanged(id: string): Promise<boolean> {
    const file = this.#shelf.segmentFile(id);
    const known = this.#read.get(file);
    return known !== undefined && isSameState(known.state, await segmentState(file));
  }

  forget(id: string): void {
    this.#trusted.delete(id);
    this.#read.delete(this.#shelf.segmentFile(id));
  }

  /**
   * Makes the segment survive a loss of power, as the document does. If an earlier run wrote part of it, only that
   * run saw the write errors; the page cache still holds that part.
   */
  async #secure(id: string, { cause }: Attempt): Promise<void> {
    const file = this.#shelf.segmentFile(id);
    try {
      await this.#shelf.secure(file);
      if (this.#trusted.has(id) && !DISK_UNSURE.includes(cause)) return;
    } catch (error) {
      if (!isOffline(error)) await this.#fromDisk(file);
      throw error;
    }
    await this.#fromDisk(file);
  }

  /** The kernel keeps data that it could not write, and reports success from the second attempt on. */
  async #fromDisk(file: string): Promise<void> {
    this.#read.delete(file);
    await this.#shelf.forgetCached(file);
  }
}

/** Ends of attempts whose last bytes may not be on the disk while the file is as young as they are. */
export const END_UNSURE: readonly Attempt["cause"][] = [
  "WRITE_FAILED",
  "STORAGE_OFFLINE",
  "CAPTURE_DIED",
  "FILE_CHANGED",
];

/** Ends of attempts whose bytes the disk may lack while the page cache still holds them. */
const DISK_UNSURE: readonly Attempt["cause"][] = [...END_UNSURE, "DISK_FULL"];

function isOffline(error: unknown): boolean {
  return error instanceof RecorderdError && error.code === "STORAGE_OFFLINE";
}

/**
 * @returns `undefined` if there is no such file: an attempt may end before it has one
 * @throws RecorderdError STORAGE_OFFLINE
 */
export async function segmentState(file: string): Promise<FileState | undefined> {
  try {
    return await stateOf(file);
  } catch (error) {
    const system = systemCode(error);
    const message = `${file} cannot be reached (${system}).`;
    throw new RecorderdError("STORAGE_OFFLINE", message, { file, system }, { cause: error });
  }
}

/** Whether the file under a segment's name is not the one that the attempt wrote. */
export function isForeign({ cause, segment }: Attempt, state: FileState): boolean {
  if (cause === "FILE_REPLACED") return true;
  if (segment === undefined || segment.id === state.id) return false;
  return segment.bytes !== state.bytes || segment.modifiedAt !== millisecondsOf(state);
}

/** The last change of content. */
function millisecondsOf({ modifiedNs }: FileState): number {
  return Number(modifiedNs / 1_000_000n);
}
