import { once } from "node:events";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { RecorderdError } from "../../model/errors.ts";
import { LIMITS } from "../../model/limits.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { systemCode } from "../machine/system-code.ts";
import { startChild } from "../process/child.ts";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** Its name in the folder, where it stays. */
export const LOCK_FILE = "daemon.lock";
/** What flock ends with when somebody else has the lock. */
const HELD_BY_ANOTHER = 1;

/** For how long, in the file after the process id. */
const BRIEFLY = "briefly";
/** One wait of flock for whoever has the folder briefly: then it is looked whether somebody keeps it now. */
const WAIT_MS = SECOND / 2;

export interface Hold {
  /** The folder is given back as soon as one piece of work is done: others wait for that. */
  readonly isBrief?: boolean;
  /** The longest wait; `LIMITS.lockWaitMs` if absent. */
  readonly waitMs?: DurationMs;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Takes the folder for this process alone, until disposed or until the process is gone, however it goes. Waits for a process that has it
 * briefly. A process that keeps it, as a daemon does, is named at once.
 *
 * The lock is the kernel's own (flock), for a file that only names a process id can be stale, means nothing in another container,
 * and has a moment in which two processes both find it free. Node cannot ask for such a lock, so the program `flock` does: it
 * locks the open file that it inherits, and as that open file is ours too, the lock stays with us when the program has ended.
 * Processes started later do not inherit it: a capture that outlives the daemon does not keep the next daemon out.
 *
 * @throws RecorderdError STORE_LOCKED when another process has it, or it cannot be taken
 */
export async function lockFolder(folder: string, hold: Hold = {}): Promise<AsyncDisposable> {
  const path = join(folder, LOCK_FILE);
  // A bare descriptor: a FileHandle nobody refers to any more would be closed behind our back, and the lock with it.
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
      // The file stays: were it removed, two processes could hold the lock of two files of one name.
      ftruncateSync(fd);
      closeSync(fd);
    },
  };
}

/** Says who holds it, for people and for those who wait; a disk without room must not keep a daemon from its captures. */
function noteHolder(fd: number, { isBrief = false }: Hold): void {
  try {
    writeSync(fd, `${process.pid}${isBrief ? ` ${BRIEFLY}` : ""}\n`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

interface Holder {
  /** Absent where it has not said so yet. */
  readonly pid?: number;
  readonly keeps: boolean;
}

/** A note of a process that is gone says nothing of the one that has the lock now. */
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
    // A link would lead to a file of somebody else's, to be emptied and given away.
    const fd = openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o640);
    const found = fstatSync(fd);
    if (!found.isFile() || found.nlink !== 1) {
      closeSync(fd);
      throw unlockable(path, "it is no file of its own, but a link or something else: remove it");
    }
    return fd;
  } catch (error) {
    if (error instanceof RecorderdError) throw error;
    const isGone = systemCode(error) === "ENOENT";
    throw unlockable(path, isGone ? "its folder is not there" : String(error), error);
  }
}

async function takeLock(fd: number, path: string, hold: Hold): Promise<void> {
  const { waitMs = LIMITS.lockWaitMs, signal } = hold;
  for (let waitedMs = 0; ; waitedMs += WAIT_MS) {
    const { status, said } = await runFlock(
      fd,
      path,
      waitedMs === 0 ? ["-n"] : ["-w", `${WAIT_MS / SECOND}`],
    );
    signal?.throwIfAborted();
    if (status === 0) return;
    if (status !== HELD_BY_ANOTHER) throw unlockable(path, said);
    const holder = holderIn(path);
    if (holder.keeps || waitedMs >= waitMs) throw heldBy(holder, { path, waitedMs });
  }
}

function heldBy(
  { pid, keeps }: Holder,
  { path, waitedMs }: { readonly path: string; readonly waitedMs: DurationMs },
): RecorderdError {
  const who = pid === undefined ? "another process" : `process ${pid}`;
  const what = keeps
    ? `${path} is held by ${who}: another recorderd uses this data folder. Stop it, or give this one a data folder of its own.`
    : `${path} is still held after ${waitedMs / SECOND} s, now by ${who}, for work that should take a moment. See what that process does, and try again.`;
  return new RecorderdError("STORE_LOCKED", what, {
    file: path,
    keeps,
    ...(pid === undefined ? {} : { pid }),
  });
}

async function runFlock(
  fd: number,
  path: string,
  patience: readonly string[],
): Promise<{ readonly status: number | null; readonly said: string }> {
  const child = await startChild("flock", [...patience, "-x", "3"], {
    stdio: ["ignore", "ignore", "pipe", fd],
    timeout: LIMITS.lockMs,
    killSignal: "SIGKILL",
  }).catch((error) => {
    const missing = systemCode(error) === "ENOENT";
    throw unlockable(path, missing ? "the program flock (package util-linux) is missing" : String(error));
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(0, LIMITS.messageLength);
  });
  const [status] = (await once(child, "close")) as [number | null];
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
