import { once } from "node:events";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { RecorderdError } from "../../model/errors.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { systemCode } from "../machine/system-code.ts";
import { endChild, startChild } from "../process/child.ts";
import { onAbort } from "../time/clock.ts";
import { FILES_LIMITS } from "./limits.ts";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** The lock file's name in the locked folder. The file is never removed. */
export const LOCK_FILE = "daemon.lock";
/** Exit code of flock when another process has the lock. */
const HELD_BY_ANOTHER = 1;

/** Marks a short hold; follows the process id in the file. */
const BRIEFLY = "briefly";
/** The shortest and the longest flock wait; then the holder is examined again. Many that wait would keep a processor busy with short ones. */
const WAIT_MS_MIN = SECOND / 2;
const WAIT_MS_MAX = 4 * SECOND;

export interface LockOptions {
  /** The folder is released after one short task, so others wait for it. */
  readonly isBrief?: boolean;
  /** Longest wait for one holder; default `FILES_LIMITS.lockWaitMs`. */
  readonly waitMs?: DurationMs;
  /** Aborts the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Locks the folder for this process until disposed or until the process ends in any way. Waits for a process with a short hold;
 * a lasting holder, such as a daemon, is reported at once.
 *
 * The lock is the kernel's (flock): a file that only names a process id can be stale, means nothing in another container, and
 * leaves a moment in which two processes both find it free. Node cannot call flock, so the program `flock` locks an open file
 * that it inherits from us. The lock stays with our open file after the program ends. Processes started later do not inherit
 * it: a capture that outlives the daemon does not lock out the next daemon.
 *
 * @throws RecorderdError STORE_LOCKED when another process has the lock, or it cannot be taken
 */
export async function lockFolder(folder: string, hold: LockOptions = {}): Promise<AsyncDisposable> {
  const path = join(folder, LOCK_FILE);
  // A raw descriptor: garbage collection would close an unreferenced FileHandle and release the lock.
  const fd = openLockFile(path);
  try {
    await takeLock(fd, path, hold);
    ftruncateSync(fd);
    noteHolder(fd, hold);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  let held = true;
  return {
    [Symbol.asyncDispose]: async () => {
      if (!held) return;
      held = false;
      // The file stays: if it were removed, two processes could lock two files of the same name.
      ftruncateSync(fd);
      closeSync(fd);
    },
  };
}

/** Writes the holder into the file, for people and waiting processes. A full disk must not keep a daemon from its captures. */
function noteHolder(fd: number, { isBrief = false }: LockOptions): void {
  try {
    writeSync(fd, `${process.pid}${isBrief ? ` ${BRIEFLY}` : ""}\n`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

interface Holder {
  /** Absent until the holder has written it. */
  readonly pid?: number;
  readonly keeps: boolean;
}

/** The holder that the file names; a note of an ended process is ignored. */
function holderIn(path: string): Holder {
  const [, digits, how] = /^(\d+)(?: (\w+))?\n$/.exec(readFileSync(path, "utf8")) ?? [];
  if (digits === undefined) return { keeps: false };
  const pid = Number(digits);
  return isAlive(pid) ? { pid, keeps: how !== BRIEFLY } : { keeps: false };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

function openLockFile(path: string): number {
  try {
    // A link could lead to another user's file, which would be emptied.
    const fd = openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o640);
    const found = fstatSync(fd);
    if (!found.isFile() || found.nlink !== 1) {
      closeSync(fd);
      throw unlockable(path, "it is not a regular file but a link or something else: remove it");
    }
    return fd;
  } catch (error) {
    if (error instanceof RecorderdError) throw error;
    const isGone = systemCode(error) === "ENOENT";
    throw unlockable(
      path,
      isGone ? "its folder is missing; create it, or mount its disk" : String(error),
      error,
    );
  }
}

async function takeLock(fd: number, path: string, hold: LockOptions): Promise<void> {
  const { waitMs = FILES_LIMITS.lockWaitMs, signal } = hold;
  let since = { change: lastChange(fd), waitedMs: 0 };
  let nextMs = 0;
  for (let waitedMs = 0; ; waitedMs += nextMs) {
    const { status, said } = await runFlock(fd, path, { waitMs: nextMs, signal });
    signal?.throwIfAborted();
    if (status === 0) return;
    if (status !== HELD_BY_ANOTHER) throw unlockable(path, said);
    const holder = holderIn(path);
    const change = lastChange(fd);
    // Each holder gets its time: a queue of many short holds moves on.
    if (change !== since.change) since = { change, waitedMs };
    const isStuck = waitedMs - since.waitedMs >= waitMs || waitedMs >= FILES_LIMITS.lockQueueMs;
    if (holder.keeps || isStuck) throw heldBy(holder, { path, waitedMs });
    nextMs = Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, waitedMs));
  }
}

/** The time at which the file got its present holder, in ns: each one writes itself into it. */
function lastChange(fd: number): bigint {
  return fstatSync(fd, { bigint: true }).mtimeNs;
}

function heldBy(
  { pid, keeps }: Holder,
  { path, waitedMs }: { readonly path: string; readonly waitedMs: DurationMs },
): RecorderdError {
  const who = pid === undefined ? "another process" : `process ${pid}`;
  const what = keeps
    ? `${path} is locked by ${who}: another recorderd uses this data folder. Stop it, or use another data folder.`
    : `${path} is still locked after ${waitedMs / SECOND} s, now by ${who}, for work that should take a moment. Check what that process does, and try again.`;
  return new RecorderdError("STORE_LOCKED", what, {
    file: path,
    keeps,
    ...(pid === undefined ? {} : { pid }),
  });
}

async function runFlock(
  fd: number,
  path: string,
  { waitMs, signal }: { readonly waitMs: DurationMs; readonly signal: AbortSignal | undefined },
): Promise<{ readonly status: number | null; readonly said: string }> {
  const patience = waitMs === 0 ? ["-n"] : ["-w", `${waitMs / SECOND}`];
  const child = await startChild("flock", [...patience, "-x", "3"], {
    stdio: ["ignore", "ignore", "pipe", fd],
    timeout: waitMs + FILES_LIMITS.lockMs,
    killSignal: "SIGKILL",
  }).catch((error) => {
    const missing = systemCode(error) === "ENOENT";
    throw unlockable(path, missing ? "the program flock (package util-linux) is missing" : String(error));
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(0, FILES_LIMITS.messageLength);
  });
  const closed = once(child, "close");
  const unfollow = signal && onAbort(signal, () => endChild(child, "SIGKILL"));
  const [status] = (await closed) as [number | null];
  unfollow?.();
  return { status, said: said.trim() || "flock did not answer" };
}

function unlockable(path: string, why: string, cause?: unknown): RecorderdError {
  return new RecorderdError(
    "STORE_LOCKED",
    `${path} cannot be locked: ${why}. The data folder must be writable and on a file system with locks.`,
    { file: path },
    { cause },
  );
}
