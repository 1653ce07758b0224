import { access, mkdir, stat, statfs, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { stateOf } from "../../kit/files/file-state.ts";
import { open } from "../../kit/files/steady-fs.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { logFile } from "./files.ts";
import { MEANINGS } from "./log-text.ts";
import { exists, ignoring, storageFailure } from "./storage.ts";

/** The end of ffmpeg's log contains the reason. */
const LOG_TAIL_BYTES = 64 * 1024;
/** A disk with less room than one write is full. */
const FULL_BELOW_BYTES = 1024 * 1024;

/**
 * Creates the folder of segments, but never its parent: a missing parent means that its disk is not mounted, and mounting would
 * later hide the recording.
 *
 * @throws RecorderdError CAPTURE_NOT_STARTED if the segment already exists
 * @throws RecorderdError STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED
 */
export async function prepareSegment(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { mode: 0o750 }).catch(ignoring("EEXIST"));
  } catch (error) {
    throw storageFailure(file, error);
  }
  if (await exists(file)) throw notStarted(file, "exists already");
}

/** Translates a failed start into a RecorderdError. */
export function startFailure(file: string, error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  const system = systemCode(error);
  if (system === "EEXIST") return notStarted(file, "belongs to an earlier attempt");
  if (!String(error.syscall).startsWith("spawn")) return storageFailure(file, error);
  return new RecorderdError(
    "CAPTURE_NOT_STARTED",
    `No process could be started (${system}): check that coreutils' timeout is installed and that the limit of processes is not reached.`,
    { system },
    { cause: error },
  );
}

function notStarted(file: string, why: string): RecorderdError {
  const message = `${file} ${why}: each attempt needs its own segment.`;
  return new RecorderdError("CAPTURE_NOT_STARTED", message, { file });
}

/** Another file has the segment's name, so the capture's further output has no known name. */
export function fileReplaced(file: string): RecorderdError {
  const message = `Another file replaced ${file} while it was being written. That file is left unchanged.`;
  return new RecorderdError("FILE_REPLACED", message, { file });
}

/** A segment that existed is gone. */
export async function fileVanished(file: string): Promise<RecorderdError> {
  try {
    await access(dirname(file));
  } catch (error) {
    return storageFailure(file, error);
  }
  return new RecorderdError("WRITE_FAILED", `${file} was removed while it was being written.`, { file });
}

/**
 * Whether a segment's name leads to the file with this identity. `unknown`: the system gives no answer. A writer goes on after
 * its file lost its name, so only a missing or different file ends a capture.
 */
export async function fileStateOf(
  file: string,
  id: string | undefined,
): Promise<"there" | "gone" | "replaced" | "unknown"> {
  try {
    const state = await stateOf(file);
    if (state === undefined) return "gone";
    return id === undefined || state.id === id ? "there" : "replaced";
  } catch {
    return "unknown";
  }
}

/**
 * The reason why nothing can be written next to a segment, if there is one: then the capture could not log its own complaint
 * either. It tries a write, because a failed file system still claims to be writable.
 */
export async function whyNotWritable(file: string): Promise<RecorderdError | undefined> {
  try {
    const { bavail, bsize } = await statfs(dirname(file));
    if (bavail * bsize < FULL_BELOW_BYTES)
      return new RecorderdError("DISK_FULL", MEANINGS.DISK_FULL, { file });
    await using log = await open(logFile(file), "a", 0o600);
    await log.appendFile("\n");
    return undefined;
  } catch (error) {
    return systemCode(error) === "ENOENT" ? undefined : storageFailure(file, error);
  }
}

export type SyncQueue = (file: string, onFailure: (error: unknown) => void) => void;

/**
 * Syncs files to disk, one after the other: unsynced data is lost with the power, or with a failing file system. Nobody waits for
 * it, so a hanging disk blocks only this queue.
 */
export function syncQueue(): SyncQueue {
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

/** @throws a system error on failure: the kernel reports it once, and not to the writer */
async function syncData(file: string): Promise<void> {
  // A missing file is noticed elsewhere.
  await using handle = await open(file, "r").catch(() => undefined);
  await handle?.datasync();
}

/** The process appends to its log, so it continues at the new end. */
export async function keepLogSmall(log: string, bytesMax: number): Promise<void> {
  try {
    if ((await stat(log)).size > bytesMax) await truncate(log);
  } catch {
    // A missing log is small.
  }
}

/** The last lines of a log; empty if there is none. */
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
