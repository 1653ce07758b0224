import type { Clock } from "../../kit/time/clock.ts";
import type { WakeSignal } from "../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { BroadcastEvent } from "../../model/inspection.ts";
import type { CaptureEnd, FileInspection, WatchOrder } from "../../model/ports.ts";
import { sameTriplet } from "../../model/service.ts";
import { detailsOf } from "../../model/trouble-details.ts";
import { untilNextBeat } from "./beat.ts";
import { endOfProcess, isLocalFault } from "./capture-end.ts";
import type { CaptureEngine, CaptureLimits } from "./engine.ts";
import type { EngineSet } from "./engine-set.ts";
import { logFile } from "./files.ts";
import { readVerdict } from "./host/verdict.ts";
import { MEANINGS, readLog } from "./log-text.ts";
import { doubtOf, initialProgress, newTime, type Progress, progressAfter, troubleOf } from "./progress.ts";
import {
  fileReplaced,
  fileStateOf,
  fileVanished,
  keepLogSmall,
  lastPart,
  type SyncQueue,
  whyNotWritable,
} from "./segment.ts";
import { isSystemError, storageFailure } from "./storage.ts";

export interface CaptureWatchParts {
  readonly inspection: FileInspection;
  readonly engines: EngineSet;
  /** Signalled when the capture ends. */
  readonly wakeSignal: WakeSignal;
  /** The capture was started by an earlier run of the daemon. */
  readonly isAdopted: boolean;
  readonly isStopRequested: () => boolean;
  /** See DistantEngine. */
  readonly whyLost: () => string | undefined;
  /** Another machine writes the segment to its own disk. */
  readonly writesElsewhere: boolean;
  readonly sync: SyncQueue;
  readonly clock: Clock;
  readonly limits: CaptureLimits;
}

/** Watches one capture to its end. The file and the log decide the outcome, never an exit code. */
export class CaptureWatch {
  readonly #order: WatchOrder;
  readonly #parts: CaptureWatchParts;
  readonly #reportEvents: (events: readonly BroadcastEvent[]) => void;
  #progress: Progress;
  #isDoubted = false;
  /** The latest time at which the name of the file was checked. */
  #namedMs: number;
  /** The latest time at which log and file were maintained. */
  #tendedMs: number;
  /** Set when data could not be synced to the disk. */
  #syncFailure: RecorderdError | undefined;

  constructor(order: WatchOrder, parts: CaptureWatchParts) {
    const nowMs = parts.clock.monotonicMs();
    this.#order = order;
    this.#parts = parts;
    this.#reportEvents = eventReporter(order);
    this.#progress = initialProgress(nowMs, parts.isAdopted);
    this.#namedMs = nowMs;
    this.#tendedMs = nowMs;
  }

  /** @throws RecorderdError if the file cannot be used any more; the capture may still run then */
  async untilEnd(signal: AbortSignal): Promise<CaptureEnd> {
    for (;;) {
      // The order matters: checking the process first ensures that a last write is read.
      const engine = await this.#parts.engines.of(this.#order.id);
      await this.#advance({ isRunning: engine !== undefined }, signal);
      if (this.#syncFailure !== undefined) throw this.#syncFailure;
      if (engine === undefined) return await this.#outcome();
      const failure = await this.#endIfFailed();
      if (failure !== undefined) return failure;
      this.#reportDoubt();
      await this.#tend(engine);
      await this.#pause(signal);
    }
  }

  /** Reads what the file has gained, and reports what that shows. */
  async #advance({ isRunning }: { readonly isRunning: boolean }, signal: AbortSignal): Promise<void> {
    const { clock, limits } = this.#parts;
    const before = this.#progress;
    // A writer goes on after its file lost its name, so even a growing file is checked now and then.
    const byName = !isRunning || clock.monotonicMs() - this.#namedMs >= limits.captureNameMs;
    if (byName) this.#namedMs = clock.monotonicMs();
    this.#progress = await this.#read(byName, signal);
    if (this.#progress.flowing && !before.flowing) this.#order.onFlowing();
    this.#reportEvents(this.#progress.inspection?.events ?? []);
    const utc = newTime(before, this.#progress);
    if (utc !== undefined) this.#order.onTime?.(utc);
  }

  /** @param byName checks that the name still leads to the file, even while it grows */
  async #read(byName: boolean, signal: AbortSignal): Promise<Progress> {
    const { inspection, clock, limits } = this.#parts;
    const { file, service } = this.#order;
    const before = this.#progress;
    const nowMs = clock.monotonicMs();
    const { inspection: last } = before;
    if (last === undefined && (await fileStateOf(file, undefined)) === "gone") return before;
    const found = await inspection.advance(signal).catch(async (error: unknown) => {
      if (last !== undefined && !signal.aborted) await this.#checkFile();
      // The outcome is unknown until the file can be read again.
      if (error instanceof RecorderdError && isSystemError(error.cause)) return undefined;
      throw error;
    });
    if (found === undefined) return { ...before, watchedSinceMs: nowMs, payloadGrewAtMs: nowMs };
    // A growing file needs no check, and checking costs as much as reading new data.
    if (last !== undefined && (byName || found.bytes === last.bytes)) await this.#checkFile();
    return progressAfter(before, { found, service, limits, nowMs });
  }

  /** @throws RecorderdError if the segment's name no longer leads to the file */
  async #checkFile(): Promise<void> {
    const { file } = this.#order;
    const state = await fileStateOf(file, this.#parts.inspection.fileId());
    if (state === "gone") throw await fileVanished(file);
    if (state === "replaced") throw fileReplaced(file);
  }

  /** Ends a capture that brings nothing useful: an early end leaves more time for the next attempt. */
  async #endIfFailed(): Promise<CaptureEnd | undefined> {
    const { clock, limits, engines, isStopRequested } = this.#parts;
    const { id, service } = this.#order;
    const trouble = troubleOf(this.#progress, { service, limits, nowMs: clock.monotonicMs() });
    if (trouble === undefined || isStopRequested()) return undefined;
    const hangs = trouble.cause === "STREAM_STALLED" || trouble.cause === "STREAM_NO_DATA";
    await engines.end(id, { hangs });
    return trouble;
  }

  #reportDoubt(): void {
    const { clock, limits, isStopRequested } = this.#parts;
    const doubt = doubtOf(this.#progress, limits, clock.monotonicMs());
    if (doubt !== undefined && !this.#isDoubted && !isStopRequested()) this.#order.onDoubt(doubt);
    this.#isDoubted = doubt !== undefined;
  }

  /** From time to time, limits the log and syncs the file. */
  async #tend(engine: CaptureEngine): Promise<void> {
    const { clock, limits, sync } = this.#parts;
    const { file } = this.#order;
    if (clock.monotonicMs() - this.#tendedMs < limits.captureSyncMs) return;
    this.#tendedMs = clock.monotonicMs();
    await keepLogSmall(logFile(file), limits.captureLogBytes);
    if (engine.leavesUnsynced !== true) return;
    sync(file, (error) => {
      this.#syncFailure = storageFailure(file, error);
    });
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { clock, limits, wakeSignal } = this.#parts;
    const { lookMs = () => limits.captureLookMs } = this.#order;
    const pauseMs = this.#progress.flowing
      ? untilNextBeat(lookMs(), clock.monotonicMs())
      : limits.captureLookFirstMs;
    await wakeSignal.waitFor(pauseMs, { clock, signal });
    signal.throwIfAborted();
  }

  /** How a capture ended that does not run any more. */
  async #outcome(): Promise<CaptureEnd> {
    const { file, service } = this.#order;
    const { clock, isStopRequested, whyLost, writesElsewhere } = this.#parts;
    const lost = whyLost();
    if (lost !== undefined) return { cause: "CAPTURE_DIED", text: lost };
    const log = await lastPart(logFile(file));
    const verdict = readVerdict(log);
    // A capture may learn only at its end that the disk refused data.
    const { complaint } = verdict ?? {};
    const hasLost = complaint !== undefined && isLocalFault(complaint);
    // Another tuner may still record.
    if (hasLost && writesElsewhere)
      return {
        cause: "CAPTURE_DIED",
        text: `The machine with the tuner could not write: ${MEANINGS[complaint]}`,
      };
    if (isStopRequested() && !hasLost) return { cause: "asked", text: "Stopped on request." };
    const found = verdict ?? readLog(log);
    const failure = found.closed ? undefined : await whyNotWritable(file);
    if (failure !== undefined)
      return { cause: failure.code, text: failure.message, ...detailsOf(failure.facts) };
    return endOfProcess(this.#progress, { verdict: found, service, nowMs: clock.monotonicMs() });
  }
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
