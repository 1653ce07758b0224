import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import {
  findMarked,
  isAlive,
  type MarkedProcess,
  type ProcessIdentity,
  signalProcess,
  startDetached,
} from "../../kit/process/marked-process.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { DurationMs } from "../../model/time.ts";

/** Environment variable of every capture: `<owner>/<attempt id>`. */
const MARK = "RECORDERD_CAPTURE";
const PATH = "/usr/local/bin:/usr/bin:/bin";
/** Interval for checking whether a stopping process has ended. */
const END_LOOK_MS = 20;
/** A process that waits for data ignores the first request; its data is already in the file. */
const HANGS_MS = 200;
/** A process that survives being killed hangs in the kernel: it writes nothing more, and ends when its disk answers. */
const KILLS = 3;
/** Delay after which coreutils' timeout kills a process that ignores its request. Longer than our own wait. */
const KILL_AFTER_SECONDS = 10;

export interface CaptureCommand {
  readonly id: string;
  /** Absolute, or a name to look up in the usual folders. */
  readonly ffmpegPath: string;
  readonly args: readonly string[];
  readonly logFile: string;
  /** The process ends after this time, even without the daemon. */
  readonly endsInMs: DurationMs;
  readonly onExit: () => void;
}

/** The capture processes of one daemon, including those of earlier runs. */
export interface CaptureProcesses {
  /** @throws RecorderdError FFMPEG_MISSING; otherwise a system error */
  start(command: CaptureCommand): Promise<void>;
  ids(): Promise<ReadonlySet<string>>;
  isRunning(id: string): Promise<boolean>;
  /**
   * Asks the process to end, asks again, then kills it. Resolves when it is gone, or when it hangs in the kernel.
   *
   * @param hangs it waits for data that does not arrive: the second request, which ends such a wait, follows at once
   */
  end(id: string, how?: { readonly hangs: boolean }): Promise<void>;
}

export function captureProcesses({
  owner,
  clock,
  stopPatienceMs,
}: {
  readonly owner: string;
  readonly clock: Clock;
  readonly stopPatienceMs: DurationMs;
}): CaptureProcesses {
  /** The last known process of each id: saves a walk through /proc while it lives. */
  const seen = new Map<string, ProcessIdentity>();
  /** Killed, but still in the kernel. */
  const abandoned = new Set<string>();
  const prefix = `${owner}/`;

  async function find(id?: string): Promise<readonly MarkedProcess[]> {
    const all = await findMarked(MARK);
    const isOurs = (mark: string) => mark.startsWith(prefix) && !mark.includes("/", prefix.length);
    return all.filter(({ mark }) => (id === undefined ? isOurs(mark) : mark === prefix + id));
  }

  async function isRunning(id: string): Promise<boolean> {
    if (abandoned.has(id)) return false;
    const known = seen.get(id);
    if (known !== undefined && isAlive(known)) return true;
    const leader = leaderOf(await find(id));
    if (leader === undefined) seen.delete(id);
    else seen.set(id, leader);
    return leader !== undefined;
  }

  async function gone(id: string, patienceMs: DurationMs): Promise<boolean> {
    const deadline = clock.monotonicMs() + patienceMs;
    // One signal per wait: many captures may end at once, and listeners on a shared signal would look like a leak.
    const never = new AbortController().signal;
    while (await isRunning(id)) {
      if (clock.monotonicMs() >= deadline) return false;
      await clock.sleep(END_LOOK_MS, never);
    }
    return true;
  }

  return {
    isRunning,
    async start({ id, ffmpegPath, args, logFile, endsInMs, onExit }) {
      const ffmpeg = await executable(ffmpegPath);
      const seconds = Math.max(1, Math.ceil(endsInMs / 1000));
      const limit = ["--foreground", "--signal=INT", `--kill-after=${KILL_AFTER_SECONDS}`, String(seconds)];
      const env = { PATH, LC_ALL: "C", AV_LOG_FORCE_NOCOLOR: "1", [MARK]: prefix + id };
      const command = { command: "timeout", args: [...limit, ffmpeg, ...args], env, logFile, onExit };
      seen.set(id, await startDetached(command));
    },
    async ids() {
      return new Set((await find()).map(({ mark }) => mark.slice(prefix.length)));
    },
    async end(id, { hangs } = { hangs: false }) {
      // The first request waits for a blocked read; the second one interrupts it.
      for (const patienceMs of [
        hangs ? Math.min(HANGS_MS, stopPatienceMs) : stopPatienceMs,
        stopPatienceMs,
      ]) {
        const leader = leaderOf(await find(id));
        if (leader !== undefined) await signalProcess(leader, "SIGINT");
        if (await gone(id, patienceMs)) return;
      }
      for (let kill = 1; kill <= KILLS; kill += 1) {
        for (const process of await find(id)) await signalProcess(process, "SIGKILL");
        if (await gone(id, stopPatienceMs)) return;
      }
      abandoned.add(id);
    },
  };
}

/** The process that forwards signals to the others. */
function leaderOf(processes: readonly MarkedProcess[]): MarkedProcess | undefined {
  return processes.find(({ isGroupLeader }) => isGroupLeader) ?? processes.at(0);
}

async function executable(name: string): Promise<string> {
  const places = isAbsolute(name) ? [name] : PATH.split(":").map((folder) => join(folder, name));
  for (const place of places) {
    const runs = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return place;
  }
  throw new RecorderdError(
    "FFMPEG_MISSING",
    `No ffmpeg at ${places.join(" or ")}: install it, or give its absolute path in the configuration.`,
    { ffmpegPath: name },
  );
}
