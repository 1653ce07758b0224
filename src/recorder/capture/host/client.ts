import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { readFile } from "../../../kit/files/steady-fs.ts";
import type { Log } from "../../../kit/log.ts";
import { NODE_PATH } from "../../../kit/machine/machine.ts";
import {
  findMarked,
  type MarkedProcess,
  signalProcess,
  startDetached,
} from "../../../kit/process/marked-process.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { CaptureOrder } from "../../../model/ports.ts";
import { MINUTE } from "../../../model/time.ts";
import type { CaptureEngine, CaptureLimits } from "../engine.ts";
import { HOST_LIMITS } from "./limits.ts";
import { HostLink } from "./link.ts";
import { hostFolder, hostSocket } from "./place.ts";
import { type CopyOrder, HOST_MARK, PROTOCOL } from "./protocol.ts";
import { HostTrust } from "./trust.ts";

/** Interval for checking whether a new host listens, or a stopping host is gone. */
const LOOK_MS = 20;
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

export interface HostEngineParts extends HostParts {
  readonly owner: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: CaptureLimits;
  readonly onEnded: (id: string) => void;
}

export interface HostEngine extends CaptureEngine {
  /** Resolves when a host listens. @throws RecorderdError CAPTURE_NOT_STARTED */
  makeReady(): Promise<void>;
  /** Whether the host takes a capture that ffmpeg could take too; starts a host if none runs. @param url of its source */
  isUsable(url: string): Promise<boolean>;
  /** Ends an idle host. */
  dismiss(): Promise<void>;
}

/** Captures with the capture host, which it starts when there is work, or soon will be. */
export function hostEngine(parts: HostEngineParts): HostEngine {
  const { owner, folder, program, version, clock, log, limits, onEnded } = parts;
  let link: HostLink | undefined;
  /** Serializes calls: two at once would start two hosts. */
  let turn: Promise<unknown> = Promise.resolve();
  const trust = new HostTrust();
  /** Source addresses of the captures started since the daemon started. */
  const urls = new Map<string, string>();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  }

  async function hosts(): Promise<readonly MarkedProcess[]> {
    return (await findMarked(HOST_MARK)).filter(({ mark }) => mark === owner);
  }

  /** The connection to the running host; `undefined` if none runs. */
  async function runningHost(): Promise<HostLink | undefined> {
    if (link?.isOpen === true) return link;
    const deadline = clock.monotonicMs() + limits.hostAnswerMs;
    for (;;) {
      const found = await greeted();
      if (found !== undefined) return await adopted(found);
      if ((await hosts()).length === 0) return undefined;
      if (clock.monotonicMs() >= deadline) break;
      await clock.sleep(LOOK_MS, new AbortController().signal);
    }
    log.warn("the capture host does not answer; it is killed");
    await end("SIGKILL");
    return undefined;
  }

  async function greeted(): Promise<HostLink | undefined> {
    await using place = await hostFolder(folder);
    if (place === undefined) return undefined;
    const socket = connect(hostSocket(place));
    // An idle connection must not keep the process alive; requests have deadlines.
    socket.unref();
    return await HostLink.greet(socket, { clock, answerMs: limits.hostAnswerMs, onEnded: ended, onGone });
  }

  function onGone(running: ReadonlySet<string>): void {
    if (running.size === 0) return;
    log.warn("the capture host has ended", { captures: running.size });
    const sources = new Set([...running].flatMap((id) => urls.get(id) ?? []));
    const { apart, isLeftAlone } = trust.recordDeath(sources, clock.monotonicMs());
    if (apart > 0) {
      const facts = { sources: apart, minutes: HOST_LIMITS.leftAloneMs / MINUTE };
      log.warn(
        "several capture hosts died while reading the same sources: with capture.engine auto, ffmpeg reads these sources for a while",
        facts,
      );
    }
    if (isLeftAlone) {
      log.warn("the capture host died several times: with capture.engine auto, ffmpeg is used for a while", {
        minutes: HOST_LIMITS.leftAloneMs / MINUTE,
      });
    }
    for (const id of running) ended(id);
  }

  function ended(id: string): void {
    urls.delete(id);
    onEnded(id);
  }

  async function adopted(found: HostLink): Promise<HostLink | undefined> {
    if (found.protocol === PROTOCOL) {
      link = found;
      return found;
    }
    log.warn("the capture host uses another version of the protocol; it is stopped", {
      protocol: found.protocol,
    });
    found.close();
    await end("SIGINT");
    return undefined;
  }

  /** Resolves when no host of ours runs, or when it hangs in the kernel. */
  async function end(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    for (const process of await hosts()) await signalProcess(process, signal);
    const deadline = clock.monotonicMs() + limits.hostAnswerMs;
    while ((await hosts()).length > 0) {
      if (clock.monotonicMs() >= deadline) {
        if (signal === "SIGINT") await end("SIGKILL");
        return;
      }
      await clock.sleep(LOOK_MS, new AbortController().signal);
    }
  }

  async function ready(): Promise<HostLink> {
    const found = await runningHost();
    if (found !== undefined && (found.version === version || found.running.size > 0)) return found;
    if (found !== undefined) {
      // An idle host of an earlier version: replace it.
      found.leave();
      await end("SIGINT");
    }
    await spawn();
    const started = await runningHost();
    if (started !== undefined) return started;
    trust.recordFailedStart(clock.monotonicMs());
    const words = lastWords(await readFile(logPath(), "utf8").catch(() => ""));
    const message = `The capture host did not start${words}`;
    throw new RecorderdError("CAPTURE_NOT_STARTED", message, {});
  }

  function logPath(): string {
    return join(folder, "capture-host.log");
  }

  async function spawn(): Promise<void> {
    await rm(logPath(), { force: true });
    await startDetached({
      command: NODE_PATH,
      args: [`--max-old-space-size=${HOST_LIMITS.heapMiB}`, program, folder, version],
      env: {
        PATH,
        LC_ALL: "C",
        UV_THREADPOOL_SIZE: THREADS,
        MALLOC_MMAP_THRESHOLD_: MMAP_THRESHOLD,
        [HOST_MARK]: owner,
      },
      logFile: logPath(),
      onExit: () => {},
    });
  }

  function copyOrder({ id, source, service, file, endsBy, endsWithDaemon = false }: CaptureOrder): CopyOrder {
    return {
      id,
      source,
      sid: service.sid,
      tsid: service.tsid,
      file,
      endsInMs: Math.max(0, endsBy - clock.now()),
      silenceMs: limits.inputTimeoutMs,
      patienceMs: 2 * limits.stopPatienceMs,
      endsWithClient: endsWithDaemon,
    };
  }

  return {
    async isUsable(url) {
      if (!trust.isGiven(url, clock.monotonicMs())) return false;
      try {
        await inTurn(ready);
        return true;
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        log.warn("the capture host cannot be used: ffmpeg is used for a while", { text });
        return false;
      }
    },
    async dismiss() {
      const host = await inTurn(runningHost);
      if (host === undefined || host.running.size > 0) return;
      host.leave();
      await inTurn(() => end("SIGINT"));
    },
    async start(order) {
      const host = await inTurn(ready);
      urls.set(order.id, order.source.url);
      const answer = await host.ask({ type: "start", order: copyOrder(order) });
      if (answer?.type !== "done") urls.delete(order.id);
      if (answer === undefined) {
        throw new RecorderdError("CAPTURE_NOT_STARTED", "The capture host ended before it answered.", {});
      }
      if (answer.type === "failed") throw systemFailure(answer);
    },
    async makeReady() {
      (await inTurn(ready)).alert();
    },
    async ids() {
      const host = await inTurn(runningHost);
      return new Set(host?.running);
    },
    async isRunning(id) {
      const host = link?.isOpen === true ? link : await inTurn(runningHost);
      return host?.running.has(id) === true;
    },
    async end(id) {
      const host = await inTurn(runningHost);
      if (host === undefined || !host.running.has(id)) return;
      const answer = await host.ask({ type: "stop", id });
      if (answer !== undefined || !host.isOpen) return;
      log.warn("the capture host does not answer; it is killed");
      await inTurn(() => end("SIGKILL"));
    },
  };
}

/** The last error in a program's output, as a suffix for a sentence. */
function lastWords(text: string): string {
  const lines = text.split("\n").filter((line) => /\S/.test(line) && !/^\s+at |^Node\.js v/.test(line));
  const word = lines.findLast((line) => /Error/.test(line)) ?? lines.at(-1);
  return word === undefined ? "." : `: ${word.trim().slice(0, LAST_WORDS_MAX)}`;
}

/** Rebuilds the error of the failed system call. */
function systemFailure({
  code,
  syscall,
  message,
}: {
  readonly code: string;
  readonly syscall: string;
  readonly message: string;
}): Error {
  return Object.assign(new Error(message), code === "" ? {} : { code, syscall });
}
