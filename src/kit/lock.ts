import { spawn } from "node:child_process";
import {
  closeSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { RecorderdError } from "../model/errors.ts";
import { LIMITS } from "../model/limits.ts";

/** Its name in the folder, where it stays. */
export const LOCK_FILE = "daemon.lock";
/** What flock ends with when somebody else has the lock. */
const HELD_BY_ANOTHER = 1;

/**
 * Takes the folder for this process alone, until disposed or until the process is gone, however it goes.
 *
 * The lock is the kernel's own (flock), for a file that only names a process id can be stale, means nothing in another container,
 * and has a moment in which two processes both find it free. Node cannot ask for such a lock, so the program `flock` does: it
 * locks the open file that it inherits, and as that open file is ours too, the lock stays with us when the program has ended.
 * Processes started later do not inherit it: a capture that outlives the daemon does not keep the next daemon out.
 *
 * @throws RecorderdError STORE_LOCKED when another process has it, or it cannot be taken
 */
export async function lockFolder(folder: string): Promise<AsyncDisposable> {
  const path = join(folder, LOCK_FILE);
  // A bare descriptor: a FileHandle nobody refers to any more would be closed behind our back, and the lock with it.
  const fd = openLockFile(path);
  try {
    await takeLock(fd, path);
    ftruncateSync(fd);
    noteHolder(fd);
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

/** Says who holds it, for people; a disk without room must not keep a daemon from its captures. */
function noteHolder(fd: number): void {
  try {
    writeSync(fd, `${process.pid}\n`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function openLockFile(path: string): number {
  try {
    const fd = openSync(path, "a+", 0o640);
    giveToOwner(fd, dirname(path));
    return fd;
  } catch (error) {
    throw unlockable(path, error instanceof Error ? error.message : String(error), error);
  }
}

/** What root makes in the folder of another user is that user's, whose daemon is to lock it next. */
function giveToOwner(fd: number, folder: string): void {
  const { uid, gid } = statSync(folder);
  if (uid !== 0 && fstatSync(fd).uid === 0) fchownSync(fd, uid, gid);
}

async function takeLock(fd: number, path: string): Promise<void> {
  const { status, said } = await runFlock(fd, path);
  if (status === 0) return;
  if (status !== HELD_BY_ANOTHER) throw unlockable(path, said);
  const holder = readFileSync(path, "utf8").trim();
  const pid = /^\d+$/.test(holder) ? Number(holder) : undefined;
  throw new RecorderdError(
    "STORE_LOCKED",
    `${path} is held by ${pid === undefined ? "another process" : `process ${pid}`}: ` +
      "another recorderd uses this data folder. Stop it, or give this one a data folder of its own.",
    { file: path, ...(pid === undefined ? {} : { pid }) },
  );
}

function runFlock(
  fd: number,
  path: string,
): Promise<{ readonly status: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("flock", ["-n", "-x", "3"], {
      stdio: ["ignore", "ignore", "pipe", fd],
      timeout: LIMITS.lockMs,
      killSignal: "SIGKILL",
    });
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(0, LIMITS.messageLength);
    });
    child.on("error", (error) => {
      const missing = "code" in error && error.code === "ENOENT";
      reject(unlockable(path, missing ? "the program flock (package util-linux) is missing" : error.message));
    });
    child.on("close", (status) => resolve({ status, said: said.trim() || "flock did not answer" }));
  });
}

function unlockable(path: string, why: string, cause?: unknown): RecorderdError {
  return new RecorderdError(
    "STORE_LOCKED",
    `${path} cannot be locked: ${why}. The data folder must be writable and on a file system with locks.`,
    { file: path },
    { cause },
  );
}
