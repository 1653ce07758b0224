import { strict as assert } from "node:assert";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import { Nudge } from "../kit/nudge.ts";
import { oneTimeAddress } from "../kit/one-time-address.ts";
import { RecorderdError } from "../model/errors.ts";
import type { BroadcastEvent } from "../model/inspection.ts";
import type { LIMITS } from "../model/limits.ts";
import { sameTriplet } from "../model/service.ts";
import type {
  Capture,
  CaptureEnd,
  CaptureOrder,
  FileInspection,
  OpenInspection,
  WatchOrder,
} from "../ports.ts";
import { endOfProcess } from "./capture-end.ts";
import { logFile } from "./files.ts";
import { readLog } from "./log-text.ts";
import { captureProcesses } from "./process.ts";
import { ffmpegArguments } from "./profiles.ts";
import { newTime, type Progress, seen, troubleOf, unseen } from "./progress.ts";
import { receiveBufferComplaint } from "./receive-buffer.ts";
import { diskIsFull, keepLogSmall, lastPart, prepareSegment, startFailure, vanished } from "./segment.ts";
import { exists } from "./storage.ts";

export type CaptureLimits = Pick<
  Readonly<Record<keyof typeof LIMITS, number>>,
  | "firstPayloadMs"
  | "stallMs"
  | "wrongServiceMs"
  | "captureLookFirstMs"
  | "captureLookMs"
  | "captureLogBytes"
  | "inputTimeoutMs"
  | "stopPatienceMs"
>;

export interface CaptureParts {
  /** Names this daemon's data: captures of another daemon on the same machine are not ours to see. */
  readonly owner: string;
  /** Absolute, or a name to be found in /usr/local/bin, /usr/bin or /bin. */
  readonly ffmpegPath: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly openInspection: OpenInspection;
  readonly limits: CaptureLimits;
}

/** Captures by ffmpeg, one process each. What they did is judged by the file and by ffmpeg's log, never by an exit code. */
export function createCapture(parts: CaptureParts): Capture {
  const { clock, log, limits, openInspection } = parts;
  const processes = captureProcesses({ owner: parts.owner, clock, stopPatienceMs: limits.stopPatienceMs });
  /** Started or watched by this life of the daemon. */
  const known = new Map<string, Nudge>();
  const asked = new Set<string>();
  let receiveBufferChecked = false;

  async function start(order: CaptureOrder): Promise<void> {
    const { id, file } = order;
    assert.match(id, /^[\w.-]+$/, "an attempt id names files and processes");
    // Where the address holds a password, the arguments hold another one that leads there once.
    const source = { ...order.source, url: await forArguments(order.source.url) };
    const args = ffmpegArguments({ ...order, source }, limits);
    await checkReceiveBuffer(source.url);
    await prepareSegment(file);
    const nudge = new Nudge();
    try {
      const endsInMs = order.endsBy - clock.now();
      const { ffmpegPath } = parts;
      const onExit = () => nudge.give();
      await processes.start({ id, ffmpegPath, args, logFile: logFile(file), endsInMs, onExit });
    } catch (error) {
      throw startFailure(file, error);
    }
    known.set(id, nudge);
  }

  async function forArguments(url: string): Promise<string> {
    if (!/^https?:\/\/[^/?#]*@/i.test(url)) return url;
    return await oneTimeAddress(url, { clock, patienceMs: limits.firstPayloadMs });
  }

  async function checkReceiveBuffer(url: string): Promise<void> {
    if (receiveBufferChecked || !/^(udp|rtp|satip):/i.test(url)) return;
    receiveBufferChecked = true;
    const complaint = await receiveBufferComplaint();
    if (complaint !== undefined) log.warn("the kernel limits receive buffers", { complaint });
  }

  async function watch(order: WatchOrder, signal: AbortSignal): Promise<CaptureEnd> {
    const { id } = order;
    const nudge = known.get(id) ?? new Nudge();
    known.set(id, nudge);
    try {
      return await supervise(order, nudge, signal);
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      // Nobody can say any more what it writes.
      await processes.end(id);
      return { cause: error.code, text: error.message };
    } finally {
      known.delete(id);
      asked.delete(id);
    }
  }

  async function supervise(order: WatchOrder, nudge: Nudge, signal: AbortSignal): Promise<CaptureEnd> {
    const { id, file, service } = order;
    await using inspection = openInspection(file, service);
    const tellEvents = eventTeller(order);
    let progress = unseen(clock.monotonicMs());
    for (;;) {
      // Asked before the file is read: what a process that is gone has written is then read whole.
      const running = await processes.isRunning(id);
      const before = progress;
      progress = await look(before, { order, inspection, signal });
      if (progress.flowing && !before.flowing) order.onFlowing();
      tellEvents(progress.found?.events ?? []);
      const utc = newTime(before, progress);
      if (utc !== undefined) order.onTime?.(utc);
      if (!running) return await ended(order, progress);
      const trouble = troubleOf(progress, { service, limits, nowMs: clock.monotonicMs() });
      if (trouble !== undefined && !asked.has(id)) {
        // The sooner it is gone, the sooner another attempt fills the gap.
        await processes.end(id, {
          hangs: trouble.cause === "STREAM_STALLED" || trouble.cause === "STREAM_NO_DATA",
        });
        return trouble;
      }
      await keepLogSmall(logFile(file), limits.captureLogBytes);
      await pause(nudge, progress.flowing ? limits.captureLookMs : limits.captureLookFirstMs, signal);
    }
  }

  async function look(
    before: Progress,
    { order, inspection, signal }: { order: WatchOrder; inspection: FileInspection; signal: AbortSignal },
  ): Promise<Progress> {
    const { file, service } = order;
    if (await exists(file)) {
      const found = await inspection.advance(signal);
      return seen(before, { found, service, nowMs: clock.monotonicMs() });
    }
    if (before.found !== undefined) throw await vanished(file);
    return before;
  }

  async function ended({ id, file, service }: WatchOrder, progress: Progress): Promise<CaptureEnd> {
    if (asked.has(id)) return { cause: "asked", text: "Stopped as asked." };
    const said = readLog(await lastPart(logFile(file)));
    const isFull = !said.closed && (await diskIsFull(file));
    return endOfProcess(progress, { said: isFull ? { ...said, complaint: "DISK_FULL" } : said, service });
  }

  async function pause(nudge: Nudge, ms: number, signal: AbortSignal): Promise<void> {
    await nudge.waitFor(ms, { clock, signal });
    signal.throwIfAborted();
  }

  return {
    start,
    watch,
    running: () => processes.ids(),
    async stop(id) {
      if (known.has(id)) asked.add(id);
      await processes.end(id);
      known.get(id)?.give();
    },
  };
}

/** Hands on the events of the service that is recorded whenever they are not the ones that were told last. */
function eventTeller({ service, onEvents }: WatchOrder): (events: readonly BroadcastEvent[]) => void {
  let told = "[]";
  return (all) => {
    const events = all.filter((event) => sameTriplet(event.service, service));
    const text = JSON.stringify(events);
    if (text === told) return;
    told = text;
    onEvents(events);
  };
}
