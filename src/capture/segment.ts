import { access, mkdir, open, stat, statfs, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { RecorderdError } from "../model/errors.ts";
import { exists, storageFailure, systemCode, unless } from "./storage.ts";

/** Of ffmpeg's log only the end matters: that is where it says why. */
const LOG_TAIL_BYTES = 64 * 1024;
/** A disk with less room than one write is full. */
const FULL_BELOW_BYTES = 1024 * 1024;

/**
 * Makes the folder of segments, but never the folder above it: where that is missing, its disk is not mounted, and what is
 * recorded would be hidden by it later.
 *
 * @throws RecorderdError CAPTURE_NOT_STARTED when the segment exists already
 * @throws RecorderdError STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED
 */
export async function prepareSegment(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { mode: 0o750 }).catch(unless("EEXIST"));
  } catch (error) {
    throw storageFailure(file, error);
  }
  if (await exists(file)) throw notStarted(file, "exists already");
}

/** Why a process could not be started, in the words of the port. */
export function startFailure(file: string, error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  const system = systemCode(error);
  if (system === "EEXIST") return notStarted(file, "belongs to an attempt that was started before");
  if (!String(error.syscall).startsWith("spawn")) return storageFailure(file, error);
  return new RecorderdError(
    "CAPTURE_NOT_STARTED",
    `No process could be started (${system}): check that coreutils' timeout is installed and that the limit of processes is not reached.`,
    { system },
    { cause: error },
  );
}

function notStarted(file: string, why: string): RecorderdError {
  const message = `${file} ${why}: each attempt writes a segment of its own.`;
  return new RecorderdError("CAPTURE_NOT_STARTED", message, { file });
}

/** A segment that was there is not there any more. */
export async function vanished(file: string): Promise<RecorderdError> {
  try {
    await access(dirname(file));
  } catch (error) {
    return storageFailure(file, error);
  }
  return new RecorderdError("WRITE_FAILED", `${file} was taken away while it was written.`, { file });
}

/** Its disk has no room; then there is none for ffmpeg's complaint either. */
export async function diskIsFull(file: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(dirname(file));
    return bavail * bsize < FULL_BELOW_BYTES;
  } catch {
    return false;
  }
}

/** The process appends to its log, so it goes on at the new end. */
export async function keepLogSmall(log: string, bytesMax: number): Promise<void> {
  try {
    if ((await stat(log)).size > bytesMax) await truncate(log);
  } catch {
    // A log that is gone is small.
  }
}

/** The last lines of a log; none where there is none. */
export async function lastPart(log: string): Promise<string> {
  try {
    await using handle = await open(log, "r");
    const { size } = await handle.stat();
    const length = Math.min(size, LOG_TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return "";
  }
}
