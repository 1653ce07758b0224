import { strict as assert } from "node:assert";
import { dirname } from "node:path";
import { stateOf } from "../../kit/files/file-state.ts";
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
import { detailsOf } from "../../model/trouble-details.ts";
import { untilNextBeat } from "./beat.ts";
import { endOfProcess, isLocalFault } from "./capture-end.ts";
import type { DistantEngine } from "./engine.ts";
import { EngineSet } from "./engine-set.ts";
import { logFile } from "./files.ts";
import { readVerdict } from "./host/verdict.ts";
import { type LocalEngineParts, localEngines } from "./local-engines.ts";
import { readLog } from "./log-text.ts";
import { doubtOf, initialProgress, newTime, type Progress, progressAfter, troubleOf } from "./progress.ts";
import { receiveBufferComplaint } from "./receive-buffer.ts";
import {
  fileReplaced,
  fileVanished,
  keepLogSmall,
  lastPart,
  prepareSegment,
  startFailure,
  syncQueue,
  whyNotWritable,
} from "./segment.ts";
import { isSystemError, storageFailure } from "./storage.ts";

export interface CaptureParts extends LocalEngineParts {
  readonly openInspection: OpenInspection;
  /** In a fleet: the captures on other nodes. */
  readonly elsewhere?: (onEnded: (id: string) => void) => DistantEngine;
}

interface Look {
  readonly order: WatchOrder;
  readonly inspection: FileInspection;
  /** Checks that the name still leads to the file, even while it grows: a writer goes on after the file was removed. */
  readonly byName: boolean;
  readonly signal: AbortSignal;
}

export interface HostedCapture extends Capture {
  /** Ends an idle capture host. */
  readonly dismissHost: () => Promise<void>;
}

/** Runs captures. The file and the log decide the outcome, never an exit code. */
export function createCapture(parts: CaptureParts): HostedCapture {
  const { clock, limits, log, openInspection, host } = parts;
  const onEnded = (id: string) => captures.get(id)?.signal();
  const local = localEngines(parts, onEnded);
  const distant = parts.elsewhere?.(onEnded);
  const engines = new EngineSet(distant === undefined ? local.all : [...local.all, distant], async (order) =>
    distant?.takes(order.source) === true ? distant : await local.engineFor(order),
  );
  /** Captures started or watched since the daemon started. */
  const captures = new Map<string, WakeSignal>();
  const stopRequested = new Set<string>();
  const sync = syncQueue();
  let receiveBufferChecked = false;

  async function start(order: CaptureOrder): Promise<void> {
    const { id, file } = order;
    assert.match(id, /^[\w.-]+$/, "an attempt id names files and processes");
    await checkReceiveBuffer(order.source.url);
    await prepareSegment(file);
    const isFirst = !captures.has(id);
    if (isFirst) captures.set(id, new WakeSignal());
    try {
      await engines.start(order);
    } catch (error) {
      if (isFirst) captures.delete(id);
      throw startFailure(file, error);
    }
  }

  async function makeReady(): Promise<void> {
    try {
      await Promise.all([local.makeReady(), distant?.makeReady?.()]);
    } catch (error) {
      throw startFailure(host?.folder ?? "", error);
    }
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
    const isAdopted = !captures.has(id);
    const wakeSignal = captures.get(id) ?? new WakeSignal();
    captures.set(id, wakeSignal);
    await using inspection = (order.openInspection ?? openInspection)(order.file, order.service);
    try {
      return await withSegment(
        await supervise(order, { wakeSignal, inspection, isAdopted }, signal),
        order.file,
        inspection,
      );
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      // Nobody watches its output any more.
      await engines.end(id);
      const { code: cause, message: text, facts } = error;
      return await withSegment({ cause, text, ...detailsOf(facts) }, order.file, inspection);
    } finally {
      captures.delete(id);
      engines.forget(id);
      stopRequested.delete(id);
    }
  }

  async function supervise(
    order: WatchOrder,
    {
      wakeSignal,
      inspection,
      isAdopted,
    }: {
      readonly wakeSignal: WakeSignal;
      readonly inspection: FileInspection;
      readonly isAdopted: boolean;
    },
    signal: AbortSignal,
  ): Promise<CaptureEnd> {
    const { id, file, service, lookMs = () => limits.captureLookMs } = order;
    const reportEvents = eventReporter(order);
    let isDoubted = false;
    let progress = initialProgress(clock.monotonicMs(), isAdopted);
    let tendedMs = clock.monotonicMs();
    let namedMs = clock.monotonicMs();
    let unwritten: RecorderdError | undefined;
    const onSyncFailure = (error: unknown) => {
      unwritten = storageFailure(file, error);
    };
    for (;;) {
      // The order matters: checking the process first ensures that a last write is read.
      const engine = await engines.of(id);
      const running = engine !== undefined;
      const before = progress;
      const byName = !running || clock.monotonicMs() - namedMs >= limits.captureNameMs;
      if (byName) namedMs = clock.monotonicMs();
      progress = await look(before, { order, inspection, byName, signal });
      if (progress.flowing && !before.flowing) order.onFlowing();
      reportEvents(progress.inspection?.events ?? []);
      const utc = newTime(before, progress);
      if (utc !== undefined) order.onTime?.(utc);
      if (unwritten !== undefined) throw unwritten;
      if (!running) return await ended(order, progress);
      const trouble = troubleOf(progress, { service, limits, nowMs: clock.monotonicMs() });
      if (trouble !== undefined && !stopRequested.has(id)) {
        // An early end leaves more time for the next attempt.
        await engines.end(id, {
          hangs: trouble.cause === "STREAM_STALLED" || trouble.cause === "STREAM_NO_DATA",
        });
        return trouble;
      }
      const doubt = doubtOf(progress, limits, clock.monotonicMs());
      if (doubt !== undefined && !isDoubted && !stopRequested.has(id)) order.onDoubt(doubt);
      isDoubted = doubt !== undefined;
      if (clock.monotonicMs() - tendedMs >= limits.captureSyncMs) {
        tendedMs = clock.monotonicMs();
        await keepLogSmall(logFile(file), limits.captureLogBytes);
        if (engine.leavesUnsynced === true) sync(file, onSyncFailure);
      }
      const pauseMs = progress.flowing
        ? untilNextBeat(lookMs(), clock.monotonicMs())
        : limits.captureLookFirstMs;
      await pause(wakeSignal, pauseMs, signal);
    }
  }

  async function look(before: Progress, { order, inspection, byName, signal }: Look): Promise<Progress> {
    const { file, service } = order;
    const nowMs = clock.monotonicMs();
    const { inspection: last } = before;
    if (last === undefined && (await fileStateOf(file, undefined)) === "gone") return before;
    const found = await inspection.advance(signal).catch(async (error: unknown) => {
      if (last !== undefined && !signal.aborted) await checkFile(file, inspection);
      // The outcome is unknown until the file can be read again.
      if (error instanceof RecorderdError && isSystemError(error.cause)) return undefined;
      throw error;
    });
    if (found === undefined) return { ...before, watchedSinceMs: nowMs, payloadGrewAtMs: nowMs };
    // A growing file needs no check, and checking costs as much as reading new data.
    if (last !== undefined && (byName || found.bytes === last.bytes)) await checkFile(file, inspection);
    return progressAfter(before, { found, service, limits, nowMs });
  }

  /** @throws RecorderdError if the segment's name no longer leads to the file */
  async function checkFile(file: string, inspection: FileInspection): Promise<void> {
    const standing = await fileStateOf(file, inspection.fileId());
    if (standing === "gone") throw await fileVanished(file);
    if (standing === "replaced") throw fileReplaced(file);
  }

  async function ended({ id, file, service }: WatchOrder, progress: Progress): Promise<CaptureEnd> {
    const lost = distant?.whyLost(id);
    if (lost !== undefined) return { cause: "CAPTURE_DIED", text: lost };
    const log = await lastPart(logFile(file));
    const verdict = readVerdict(log);
    // A capture may learn only at its end that the disk refused data.
    const hasLost = verdict?.complaint !== undefined && isLocalFault(verdict.complaint);
    if (stopRequested.has(id) && !hasLost) return { cause: "asked", text: "Stopped on request." };
    const found = verdict ?? readLog(log);
    const failure = found.closed ? undefined : await whyNotWritable(file);
    if (failure !== undefined)
      return { cause: failure.code, text: failure.message, ...detailsOf(failure.facts) };
    return endOfProcess(progress, { verdict: found, service, nowMs: clock.monotonicMs() });
  }

  async function pause(wakeSignal: WakeSignal, ms: number, signal: AbortSignal): Promise<void> {
    await wakeSignal.waitFor(ms, { clock, signal });
    signal.throwIfAborted();
  }

  return {
    start,
    watch,
    makeReady,
    running: () => engines.ids(),
    hasBegun: async ({ id, file }) => captures.has(id) || (await hasTraces(file)),
    dismissHost: local.dismissHost,
    async stop(id) {
      if (captures.has(id)) stopRequested.add(id);
      await engines.end(id);
      captures.get(id)?.signal();
    },
  };
}

/**
 * `unknown`: the system gives no answer. A writer goes on after its file lost its name, so only a missing or different file ends a
 * capture.
 */
async function fileStateOf(
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

/** Whether an attempt wrote anything; true also if that is unknown, as with an absent disk. */
async function hasTraces(file: string): Promise<boolean> {
  const looks = [dirname(file), file, logFile(file)].map((name) => stateOf(name).catch(() => "unknown"));
  const [folder, ...own] = await Promise.all(looks);
  return folder === undefined || own.some((state) => state !== undefined);
}

/** The end of a finished capture, with what it left. */
async function withSegment(end: CaptureEnd, file: string, inspection: FileInspection): Promise<CaptureEnd> {
  const state = await stateOf(file).catch(() => undefined);
  const id = inspection.fileId();
  if (state === undefined || id === undefined) return end;
  if (state.id !== id) return { cause: "FILE_REPLACED", text: fileReplaced(file).message };
  const modifiedAt = Number(state.modifiedNs / 1_000_000n);
  return { ...end, segment: { id, bytes: state.bytes, modifiedAt } };
}

/** Passes on the events of the recorded service whenever they change. */
function eventReporter({ service, onEvents }: WatchOrder): (events: readonly BroadcastEvent[]) => void {
  let latest = "[]";
  return (all) => {
    const events = all.filter((event) => sameTriplet(event.service, service));
    const text = JSON.stringify(events);
    if (text === latest) return;
    latest = text;
    onEvents(events);
  };
}
