import { access, appendFile, mkdir, open, stat, statfs, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { logFile } from "./files.ts";
import { MEANINGS } from "./log-text.ts";
import { exists, storageFailure, unless } from "./storage.ts";

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

/** Another file has the segment's name. What the capture writes from then on has no name, or one that nobody knows. */
export function replaced(file: string): RecorderdError {
  const message = `Another file was put in the place of ${file} while it was written. It is left alone.`;
  return new RecorderdError("FILE_REPLACED", message, { file });
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

/**
 * Why nothing can be written beside a segment, if nothing can: then there was no place for the capture's own complaint
 * either. Tried, not asked: a file system that has failed says of itself that it can be written.
 */
export async function whyNotWritable(file: string): Promise<RecorderdError | undefined> {
  try {
    const { bavail, bsize } = await statfs(dirname(file));
    if (bavail * bsize < FULL_BELOW_BYTES)
      return new RecorderdError("DISK_FULL", MEANINGS.DISK_FULL, { file });
    await appendFile(logFile(file), "\n", { mode: 0o600 });
    return undefined;
  } catch (error) {
    return systemCode(error) === "ENOENT" ? undefined : storageFailure(file, error);
  }
}

/**
 * Has the system bring what is written to the disk itself, one file after the other: what is in memory alone is lost with the
 * power, or with a file system that fails. Never waited for: a disk that hangs holds up nothing but this.
 */
export function syncQueue(): (file: string, onFailure: (error: unknown) => void) => void {
  const waiting = new Map<string, (error: unknown) => void>();
  let isBusy = false;

  async function work(): Promise<void> {
    isBusy = true;
    for (const [file, onFailure] of waiting) {
      waiting.delete(file);
      await syncData(file).catch(onFailure);
    }
    isBusy = false;
  }

  return (file, onFailure) => {
    waiting.set(file, onFailure);
    if (!isBusy) void work();
  };
}

/** @throws the system's error when it could not be written: nobody hears of it a second time, and who wrote it not at all */
async function syncData(file: string): Promise<void> {
  // What is gone is seen by who looks for it.
  await using handle = await open(file, "r").catch(() => undefined);
  await handle?.datasync();
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
