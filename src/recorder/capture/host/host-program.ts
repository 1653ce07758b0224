import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readFile } from "../../../kit/files/steady-fs.ts";
import { NODE_PATH } from "../../../kit/machine/machine.ts";
import {
  findMarked,
  isAlive,
  type MarkedProcess,
  type ProcessIdentity,
  signalProcess,
  startDetached,
} from "../../../kit/process/marked-process.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { DurationMs } from "../../../model/time.ts";
import { HOST_LIMITS } from "./limits.ts";
import { HOST_MARK } from "./protocol.ts";

/** Interval for checking whether a new host listens, or a stopping host is gone. */
export const LOOK_MS = 20;
const PATH = "/usr/local/bin:/usr/bin:/bin";
const LAST_WORDS_MAX = 300;
/** Threads for writes: slow disks then block one another, not the event loop. */
const THREADS = "16";
/** Buffers of this size are pages of their own: after a stall of a disk, the system gets them back. */
const MMAP_THRESHOLD = String(32 * 1024);

export interface HostParts {
  /** The daemon's own folder: holds the socket and the log. */
  readonly folder: string;
  /** Path of the host's JavaScript program. */
  readonly program: string;
  readonly version: string;
}

export interface HostProgramParts extends HostParts {
  readonly owner: string;
  readonly clock: Clock;
  /** A host that runs for longer after a request to end is killed. */
  readonly endMs: DurationMs;
}

/** The detached process of the capture host. */
export class HostProgram {
  readonly #parts: HostProgramParts;
  readonly #logFile: string;
  /** The last known process: saves a walk through /proc at each look while it lives. */
  #known: ProcessIdentity | undefined;

  constructor(parts: HostProgramParts) {
    this.#parts = parts;
    this.#logFile = join(parts.folder, "capture-host.log");
  }

  async isRunning(): Promise<boolean> {
    if (this.#known !== undefined && isAlive(this.#known)) return true;
    [this.#known] = await this.#processes();
    return this.#known !== undefined;
  }

  /** Returns once it runs, before it listens. */
  async start(): Promise<void> {
    const { folder, program, version, owner } = this.#parts;
    await rm(this.#logFile, { force: true });
    this.#known = await startDetached({
      command: NODE_PATH,
      args: [`--max-old-space-size=${HOST_LIMITS.heapMiB}`, program, folder, version],
      env: {
        PATH,
        LC_ALL: "C",
        UV_THREADPOOL_SIZE: THREADS,
        MALLOC_MMAP_THRESHOLD_: MMAP_THRESHOLD,
        [HOST_MARK]: owner,
      },
      logFile: this.#logFile,
      onExit: () => {},
    });
  }

  /** Resolves when no host of ours runs, or when it hangs in the kernel. */
  async end(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    const { clock, endMs } = this.#parts;
    for (const each of await this.#processes()) await signalProcess(each, signal);
    const deadline = clock.monotonicMs() + endMs;
    while (await this.isRunning()) {
      if (clock.monotonicMs() >= deadline) {
        if (signal === "SIGINT") await this.end("SIGKILL");
        return;
      }
      await clock.sleep(LOOK_MS, new AbortController().signal);
    }
  }

  /** The last error in its log, as a suffix for a sentence. */
  async lastWords(): Promise<string> {
    const text = await readFile(this.#logFile, "utf8").catch(() => "");
    const lines = text.split("\n").filter((line) => /\S/.test(line) && !/^\s+at |^Node\.js v/.test(line));
    const last = lines.findLast((line) => /Error/.test(line)) ?? lines.at(-1);
    return last === undefined ? "." : `: ${last.trim().slice(0, LAST_WORDS_MAX)}`;
  }

  async #processes(): Promise<readonly MarkedProcess[]> {
    return (await findMarked(HOST_MARK)).filter(({ mark }) => mark === this.#parts.owner);
  }
}
