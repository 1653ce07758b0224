import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DurationMs, SECOND } from "../../model/time.ts";
import type { Log } from "../log.ts";
import { startChild } from "../process/child.ts";
import type { Clock } from "../time/clock.ts";
import { MACHINE_LIMITS } from "./limits.ts";

/** Kills this process when its event loop stalls. Disposing stops the watch. */
export interface LoopWatch extends AsyncDisposable {
  /** Notes the work that begins now, in one line of characters that need no JSON escapes. Valid until the loop's next turn. */
  begin(work: string): void;
}

export interface LoopWatchParts {
  /** Written when the loop is starved: the second since 1970 on the first line, the last noted work on the second. */
  readonly noteFile: string;
  /** The prefix of the log line that reports the stall. */
  readonly logPrefix: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: LoopLimits;
}

export type LoopLimits = Readonly<
  Record<"loopBeatMs" | "loopLookMs" | "loopStarvedMs" | "loopWatcherMs", DurationMs>
>;

/** The kernel counts a thread's CPU time in these (USER_HZ, proc(5)). */
const TICK_MS = 10;

/**
 * Arguments: seconds to wait for a beat, ticks that mean a starved loop, the note file, the prefix of the log line. Input: a
 * line per beat, until we end. File 3: the last noted work.
 *
 * The main thread's CPU time decides, not elapsed time: a sleeping machine, a stopped process or a hanging disk starves
 * nothing. SIGALRM ends a process without a core dump, which would hold secrets; the parent sees 142.
 */
const WATCHER = `
set -f
umask 027
used() {
  local stat
  read -r stat < "/proc/$PPID/task/$PPID/stat" || exit 0
  set -- \${stat##*) }
  ticks=$((\${12} + \${13}))
}
from=
while :; do
  read -r -t "$1"
  how=$?
  if ((how == 0)); then from=; continue; fi
  ((how > 128)) || exit 0
  used 2> /dev/null
  from=\${from:-$ticks}
  ((ticks - from >= $2)) || continue
  IFS= read -r work <&3
  printf -v now '%(%s)T' -1
  printf '%s\\n%s\\n' "$now" "$work" > "$3"
  printf '%s{"level":50,"time":%s000,"work":"%s","msg":"the event loop is blocked: the daemon is ended so that it can be restarted"}\\n' "$4" "$now" "$work" >&2
  kill -s ALRM "$PPID"
  read -r -t 5
  how=$?
  if ((how > 128)); then kill -s KILL "$PPID"; fi
  exit 0
done
`;

/**
 * Starts a separate process that watches this process's loop: half a megabyte, where a thread with a heap takes nine. If it
 * cannot start, that is logged, and the service manager's watchdog remains.
 */
export async function watchLoop({
  noteFile,
  logPrefix,
  clock,
  log,
  limits = MACHINE_LIMITS,
}: LoopWatchParts): Promise<LoopWatch> {
  const fd = openUnnamed();
  const over = new AbortController();
  const { signal } = over;
  let child: ChildProcess | undefined;
  let noted = "";

  function note(work: string): void {
    if (work === noted) return;
    writeSync(fd, `${work}\n`, 0);
    noted = work;
  }

  function beat(): void {
    note("");
    // A watcher that does not read is dead, or will see from the first beat that all is well.
    if (child?.stdin?.writable === true && child.stdin.writableLength === 0) child.stdin.write("\n");
  }

  async function watched(): Promise<void> {
    const args = [limits.loopLookMs / SECOND, limits.loopStarvedMs / TICK_MS, noteFile, logPrefix].map(
      String,
    );
    const started = await startChild("bash", ["--norc", "--noprofile", "-c", WATCHER, "watch", ...args], {
      detached: true,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" },
      stdio: ["pipe", "ignore", "inherit", fd],
    });
    started.stdin?.on("error", () => {});
    child = started;
    // The end of the watch waits for this process: it must keep ours alive.
    if (signal.aborted) started.kill("SIGKILL");
    else started.unref();
    await new Promise((resolve) => started.once("exit", resolve));
  }

  async function watch(): Promise<void> {
    let isTold = false;
    while (!signal.aborted) {
      const text = await watched().then(() => "it has ended", String);
      child = undefined;
      if (signal.aborted) return;
      if (!isTold) log.warn("the watcher of the event loop is not running; retrying", { text });
      isTold = true;
      await clock.sleep(limits.loopWatcherMs, signal).catch(() => {});
    }
  }

  async function beats(): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(limits.loopBeatMs, signal).catch(() => {});
      beat();
    }
  }

  const running = Promise.all([watch(), beats()]);
  return {
    begin: note,
    async [Symbol.asyncDispose]() {
      if (signal.aborted) return;
      over.abort();
      child?.ref();
      child?.kill("SIGKILL");
      await running;
      closeSync(fd);
    },
  };
}

/** In memory if a tmpfs exists: work is noted too often for a disk. */
function openUnnamed(): number {
  const folder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const file = join(folder, `recorderd-${randomUUID()}`);
  const fd = openSync(file, "wx+", 0o600);
  unlinkSync(file);
  return fd;
}
