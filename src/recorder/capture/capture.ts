import { strict as assert } from "node:assert";
import { dirname } from "node:path";
import { stateOf } from "../../kit/files/file-state.ts";
import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { WakeSignal } from "../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { BroadcastEvent } from "../../model/inspection.ts";
import type {
  Capture,
  CaptureEnd,
  CaptureOrder,
  FileInspection,
  OpenInspection,
  WatchOrder,
} from "../../model/ports.ts";
import { sameTriplet } from "../../model/service.ts";
import { bringsDatagrams, schemeOf } from "../../model/source.ts";
import { endOfProcess, isOurs } from "./capture-end.ts";
import type { CaptureEngine, CaptureLimits } from "./engine.ts";
import { ffmpegEngine } from "./ffmpeg-engine.ts";
import { logFile } from "./files.ts";
import { type HostParts, hostEngine } from "./host/client.ts";
import { whyNotByHost } from "./host/readable.ts";
import { readVerdict } from "./host/verdict.ts";
import { readLog } from "./log-text.ts";
import { doubtOf, newTime, type Progress, seen, troubleOf, unseen } from "./progress.ts";
import { receiveBufferComplaint } from "./receive-buffer.ts";
import {
  keepLogSmall,
  lastPart,
  prepareSegment,
  replaced,
  startFailure,
  syncQueue,
  vanished,
  whyNotWritable,
} from "./segment.ts";
import { isOfSystem, storageFailure } from "./storage.ts";

export interface CaptureParts {
  /** Names this daemon's data: captures of another daemon on the same machine are not ours to see. */
  readonly owner: string;
  /** Absolute, or a name to be found in /usr/local/bin, /usr/bin or /bin. */
  readonly ffmpegPath: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly openInspection: OpenInspection;
  readonly limits: CaptureLimits;
  /** Without it everything is ffmpeg's. */
  readonly host?: HostParts & {
    /** `auto`: the host copies what it can, ffmpeg does the rest. Captures of either are found again whatever it is. */
    readonly use: "auto" | "host" | "ffmpeg";
  };
}

interface Look {
  readonly order: WatchOrder;
  readonly inspection: FileInspection;
  /** The file is to be found under its name, also where it grows: whoever took it away may go on writing it. */
  readonly byName: boolean;
  readonly signal: AbortSignal;
}

export interface HostedCapture extends Capture {
  /** Ends the capture host where it carries nothing. */
  readonly dismissHost: () => Promise<void>;
}

/**
 * Captures by ffmpeg, one process each, and by the capture host, one process for all. What they did is judged by the file and by
 * what was logged beside it, never by an exit code.
 */
export function createCapture(parts: CaptureParts): HostedCapture {
  const { clock, log, limits, openInspection } = parts;
  const onEnded = (id: string) => known.get(id)?.signal();
  const { owner, ffmpegPath, host } = parts;
  const ffmpeg = ffmpegEngine({ owner, ffmpegPath, clock, limits, onEnded });
  const copier = host === undefined ? undefined : hostEngine({ owner, clock, log, limits, onEnded, ...host });
  const engines = copier === undefined ? [ffmpeg] : [copier, ffmpeg];
  /** Started or watched by this life of the daemon. */
  const known = new Map<string, WakeSignal>();
  /** Who runs a capture, once that was seen. */
  const runBy = new Map<string, CaptureEngine>();
  const asked = new Set<string>();
  const sync = syncQueue();
  let receiveBufferChecked = false;
  /** What was started last: a household whose tuners ffmpeg alone can read needs no host. */
  let latest = host?.use === "ffmpeg" ? ffmpeg : engines[0];

  async function start(order: CaptureOrder): Promise<void> {
    const { id, file } = order;
    assert.match(id, /^[\w.-]+$/, "an attempt id names files and processes");
    const engine = await engineFor(order);
    latest = engine;
    await checkReceiveBuffer(order.source.url);
    await prepareSegment(file);
    const isFirst = !known.has(id);
    if (isFirst) known.set(id, new WakeSignal());
    try {
      await engine.start(order);
    } catch (error) {
      if (isFirst) known.delete(id);
      throw startFailure(file, error);
    }
    runBy.set(id, engine);
  }

  async function makeReady(): Promise<void> {
    try {
      await latest?.makeReady?.();
    } catch (error) {
      throw startFailure(host?.folder ?? "", error);
    }
  }

  async function engineFor({ source }: CaptureOrder): Promise<CaptureEngine> {
    if (copier === undefined || host?.use === "ffmpeg") return ffmpeg;
    const hindrance = whyNotByHost(source);
    if (host?.use === "auto") {
      return hindrance === undefined && (await copier.isUsable(source.url)) ? copier : ffmpeg;
    }
    if (hindrance === undefined) return copier;
    throw new RecorderdError("CAPTURE_NOT_STARTED", `${hindrance} Set capture.engine to auto or ffmpeg.`);
  }

  /** `undefined` where nobody runs it. */
  async function engineOf(id: string): Promise<CaptureEngine | undefined> {
    const seen = runBy.get(id);
    if (seen !== undefined) return (await seen.isRunning(id)) ? seen : undefined;
    for (const engine of engines) {
      if (!(await engine.isRunning(id))) continue;
      runBy.set(id, engine);
      return engine;
    }
    return undefined;
  }

  async function end(id: string, how?: { readonly hangs: boolean }): Promise<void> {
    await (await engineOf(id))?.end(id, how);
  }

  async function checkReceiveBuffer(url: string): Promise<void> {
    const scheme = schemeOf(url);
    if (receiveBufferChecked || scheme === undefined || !bringsDatagrams(scheme)) return;
    receiveBufferChecked = true;
    const complaint = await receiveBufferComplaint();
    if (complaint !== undefined) log.warn("the kernel limits receive buffers", { complaint });
  }

  async function watch(order: WatchOrder, signal: AbortSignal): Promise<CaptureEnd> {
    const { id } = order;
    const nudge = known.get(id) ?? new WakeSignal();
    known.set(id, nudge);
    await using inspection = openInspection(order.file, order.service);
    try {
      return await withSegment(await supervise(order, { nudge, inspection }, signal), order.file, inspection);
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      // Nobody can say any more what it writes.
      await end(id);
      return await withSegment({ cause: error.code, text: error.message }, order.file, inspection);
    } finally {
      known.delete(id);
      runBy.delete(id);
      asked.delete(id);
    }
  }

  async function supervise(
    order: WatchOrder,
    { nudge, inspection }: { readonly nudge: WakeSignal; readonly inspection: FileInspection },
    signal: AbortSignal,
  ): Promise<CaptureEnd> {
    const { id, file, service } = order;
    const tellEvents = eventTeller(order);
    let isDoubted = false;
    let progress = unseen(clock.monotonicMs());
    let tendedMs = clock.monotonicMs();
    let namedMs = clock.monotonicMs();
    let unwritten: RecorderdError | undefined;
    const onSyncFailure = (error: unknown) => {
      unwritten = storageFailure(file, error);
    };
    for (;;) {
      // Asked before the file is read: what a process that is gone has written is then read whole.
      const engine = await engineOf(id);
      const running = engine !== undefined;
      const before = progress;
      const byName = !running || clock.monotonicMs() - namedMs >= limits.captureNameMs;
      if (byName) namedMs = clock.monotonicMs();
      progress = await look(before, { order, inspection, byName, signal });
      if (progress.flowing && !before.flowing) order.onFlowing();
      tellEvents(progress.found?.events ?? []);
      const utc = newTime(before, progress);
      if (utc !== undefined) order.onTime?.(utc);
      if (unwritten !== undefined) throw unwritten;
      if (!running) return await ended(order, progress);
      const trouble = troubleOf(progress, { service, limits, nowMs: clock.monotonicMs() });
      if (trouble !== undefined && !asked.has(id)) {
        // The sooner it is gone, the sooner another attempt fills the gap.
        await end(id, {
          hangs: trouble.cause === "STREAM_STALLED" || trouble.cause === "STREAM_NO_DATA",
        });
        return trouble;
      }
      const doubt = doubtOf(progress, limits, clock.monotonicMs());
      if (doubt !== undefined && !isDoubted && !asked.has(id)) order.onDoubt(doubt);
      isDoubted = doubt !== undefined;
      if (clock.monotonicMs() - tendedMs >= limits.captureSyncMs) {
        tendedMs = clock.monotonicMs();
        await keepLogSmall(logFile(file), limits.captureLogBytes);
        if (engine === ffmpeg) sync(file, onSyncFailure);
      }
      await pause(nudge, progress.flowing ? limits.captureLookMs : limits.captureLookFirstMs, signal);
    }
  }

  async function look(before: Progress, { order, inspection, byName, signal }: Look): Promise<Progress> {
    const { file, service } = order;
    const nowMs = clock.monotonicMs();
    const { found: last } = before;
    if (last === undefined && (await standingOf(file, undefined)) === "gone") return before;
    const found = await inspection.advance(signal).catch(async (error: unknown) => {
      if (last !== undefined && !signal.aborted) await refuse(file, inspection);
      // Nobody can tell how it goes on: it is judged when it can be read again.
      if (error instanceof RecorderdError && isOfSystem(error.cause)) return undefined;
      throw error;
    });
    if (found === undefined) return { ...before, watchedSinceMs: nowMs, payloadGrewAtMs: nowMs };
    // Asked only where it does not answer itself by growing, and now and then: that takes as long as reading what came.
    if (last !== undefined && (byName || found.bytes === last.bytes)) await refuse(file, inspection);
    return seen(before, { found, service, limits, nowMs });
  }

  /** @throws RecorderdError where the segment's name leads to it no more */
  async function refuse(file: string, inspection: FileInspection): Promise<void> {
    const standing = await standingOf(file, inspection.fileId());
    if (standing === "gone") throw await vanished(file);
    if (standing === "replaced") throw replaced(file);
  }

  async function ended({ id, file, service }: WatchOrder, progress: Progress): Promise<CaptureEnd> {
    const log = await lastPart(logFile(file));
    const verdict = readVerdict(log);
    // Whoever is asked to end may find out only then that the disk did not take what it wrote.
    const hasLost = verdict?.complaint !== undefined && isOurs(verdict.complaint);
    if (asked.has(id) && !hasLost) return { cause: "asked", text: "Stopped as asked." };
    const said = verdict ?? readLog(log);
    const failure = said.closed ? undefined : await whyNotWritable(file);
    if (failure !== undefined) return { cause: failure.code, text: failure.message };
    return endOfProcess(progress, { said, service });
  }

  async function pause(nudge: WakeSignal, ms: number, signal: AbortSignal): Promise<void> {
    await nudge.waitFor(ms, { clock, signal });
    signal.throwIfAborted();
  }

  return {
    start,
    watch,
    makeReady,
    running: async () => {
      const ids = await Promise.all(engines.map((engine) => engine.ids()));
      return new Set(ids.flatMap((each) => [...each]));
    },
    hasBegun: async ({ id, file }) => known.has(id) || (await hasTraces(file)),
    dismissHost: async () => copier?.dismiss(),
    async stop(id) {
      if (known.has(id)) asked.add(id);
      await end(id);
      known.get(id)?.signal();
    },
  };
}

/**
 * `unknown`: the system does not say. The file may be there as before, and who has it open goes on writing: only a name that leads to
 * no file, or to another one, ends a capture.
 */
async function standingOf(
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

/** Whether something was written for an attempt; said also where nobody can tell, as on a disk that is not there. */
async function hasTraces(file: string): Promise<boolean> {
  const looks = [dirname(file), file, logFile(file)].map((name) => stateOf(name).catch(() => "unknown"));
  const [folder, ...own] = await Promise.all(looks);
  return folder === undefined || own.some((state) => state !== undefined);
}

/** The end of a capture that writes no more, with what it left. */
async function withSegment(end: CaptureEnd, file: string, inspection: FileInspection): Promise<CaptureEnd> {
  const state = await stateOf(file).catch(() => undefined);
  const id = inspection.fileId();
  if (state === undefined || id === undefined) return end;
  if (state.id !== id) return { cause: "FILE_REPLACED", text: replaced(file).message };
  const modifiedAt = Number(state.modifiedNs / 1_000_000n);
  return { ...end, segment: { id, bytes: state.bytes, modifiedAt } };
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
