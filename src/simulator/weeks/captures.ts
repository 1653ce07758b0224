import assert from "node:assert/strict";
import { type Clock, waitWithin } from "../../kit/time/clock.ts";
import { partsOfAttemptId } from "../../model/attempt.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { Capture, CaptureEnd, CaptureOrder, WatchOrder } from "../../model/ports.ts";
import { type DurationMs, type EpochMs, HOUR, SECOND } from "../../model/time.ts";
import type { TunerId } from "../../model/tuner.ts";
import type { Window } from "../../model/window.ts";
import { CAPTURE_LIMITS } from "../../recorder/capture/limits.ts";
import type { Air } from "./air.ts";
import type { ChanceNow } from "./chance.ts";
import { ChangeSignal } from "./change-signal.ts";
import type { Receivers } from "./receivers.ts";
import type { FaultStep } from "./script.ts";

/** A capture process and the time span that it put on disk. */
export interface SimulatedCapture {
  readonly id: string;
  readonly recordingId: string;
  readonly startedAt: EpochMs;
  readonly useId: number;
  /** Time of the first payload; never if the tuner delivers none. */
  readonly flowsFrom: EpochMs;
  readonly isCopied: boolean;
  /** No byte after this instant. */
  dataUntil: EpochMs;
  exitsAt: EpochMs;
  cause: ErrorCode;
  asked: boolean;
  endedAt?: EpochMs;
  /** The cause of its failure, if any. */
  fault?: ErrorCode;
  /** The capture host died while this capture was intact. */
  diedWithHost?: true;
  /** Signalled on every change. */
  readonly changed: ChangeSignal;
}

export interface CaptureWatch {
  starting(order: CaptureOrder, recordingId: string): void;
  stopping(capture: SimulatedCapture): void;
  /** An attempt is to begin that has a segment already. */
  repeated(id: string): void;
}

interface CaptureParts {
  readonly receivers: Receivers;
  readonly isCopied: (tunerId: TunerId) => boolean;
  readonly air: Air;
  readonly clock: Clock;
  readonly chance: ChanceNow;
  readonly watch: CaptureWatch;
  /** Aborted at the end of the simulation. */
  readonly signal: AbortSignal;
  /** Captures of several machines with one disk; those of this machine alone when absent. */
  readonly all?: Map<string, SimulatedCapture>;
}

/** The payload on disk so far. */
export function spanOf(
  { flowsFrom, dataUntil, endedAt }: SimulatedCapture,
  now: EpochMs,
): Window | undefined {
  const stop = Math.min(dataUntil, endedAt ?? now);
  return stop > flowsFrom ? { start: flowsFrom, stop } : undefined;
}

/** Ends a capture that brings nothing more. Resolves when it is gone, or cannot be reached. */
type EndCapture = (capture: SimulatedCapture) => Promise<void>;

const FOREVER = Number.POSITIVE_INFINITY;
/** Interval of checks without a specific event to wait for. */
const LOOK_AGAIN_MS = 12 * HOUR;
/** Start-up time of a host on a busy machine. */
const HOST_START_MS = 2 * SECOND;
/** The part of a stream that the host keeps in memory. */
const HOST_BUFFER_MS = SECOND;

/** The captures of one machine, with its disk. They outlive the daemon. */
export class Captures {
  readonly all: Map<string, SimulatedCapture>;
  readonly running = new Map<string, SimulatedCapture>();
  readonly #parts: CaptureParts;
  /** Times at which nothing could be written. */
  readonly unwritable: Window[] = [];
  #diskFullUntil: EpochMs = 0;
  #offlineUntil: EpochMs = 0;
  #hostReadyAt: EpochMs = 0;

  constructor(parts: CaptureParts) {
    this.#parts = parts;
    this.all = parts.all ?? new Map();
  }

  get storageOffline(): boolean {
    return this.#parts.clock.now() < this.#offlineUntil;
  }

  wasOfflineSince(at: EpochMs): boolean {
    return at < this.#offlineUntil;
  }

  span(capture: SimulatedCapture): Window | undefined {
    return spanOf(capture, this.#parts.clock.now());
  }

  spansOf(recordingId: string): readonly Window[] {
    return [...this.all.values()].flatMap((capture) => {
      const span = capture.recordingId === recordingId ? this.span(capture) : undefined;
      return span === undefined ? [] : [span];
    });
  }

  trouble(
    action: Extract<FaultStep, { readonly kind: "capture-trouble" | "disk-full" | "storage-offline" }>,
  ): void {
    const running = [...this.running.values()];
    if ("until" in action) this.unwritable.push({ start: this.#parts.clock.now(), stop: action.until });
    if (action.kind === "disk-full") {
      this.#diskFullUntil = action.until;
      for (const capture of running) this.#break(capture, { cause: "DISK_FULL" });
    } else if (action.kind === "storage-offline") {
      this.#offlineUntil = action.until;
      for (const capture of running) this.#break(capture, { cause: "WRITE_FAILED" });
    } else {
      const capture = running[action.pick % Math.max(1, running.length)];
      if (capture === undefined || capture.fault !== undefined) return;
      if (action.what === "stall")
        this.#break(capture, { cause: "STREAM_STALLED", afterMs: CAPTURE_LIMITS.inputTimeoutMs });
      else this.#break(capture, { cause: action.what === "die" ? "CAPTURE_DIED" : "STREAM_ENDED" });
    }
  }

  /** The buffered part of each capture is lost, and new ones wait until another host listens. */
  hostDies(): void {
    const { clock, chance } = this.#parts;
    this.#hostReadyAt = clock.now() + chance("host start").int(200, HOST_START_MS);
    for (const capture of [...this.running.values()]) {
      if (!capture.isCopied) continue;
      if (capture.fault === undefined) capture.diedWithHost = true;
      const heldMs = chance(`host buffer ${capture.id}`).int(0, HOST_BUFFER_MS);
      this.#break(capture, { cause: "CAPTURE_DIED" });
      capture.dataUntil = Math.min(capture.dataUntil, Math.max(capture.flowsFrom, clock.now() - heldMs));
      this.#exit(capture);
    }
  }

  /** The machine sleeps: captures lose their sources. */
  sleepUntil(until: EpochMs): void {
    const afterMs = until - this.#parts.clock.now() + CAPTURE_LIMITS.inputTimeoutMs;
    for (const capture of this.running.values()) {
      if (capture.fault === undefined) this.#break(capture, { cause: "STREAM_STALLED", afterMs });
    }
  }

  /** The machine loses power, and with it every capture. */
  powerOff(): void {
    for (const capture of [...this.running.values()]) {
      this.#break(capture, { cause: "CAPTURE_DIED" });
      this.#exit(capture);
    }
  }

  port(): Capture {
    return {
      start: (order) => this.#start(order),
      running: async () => new Set(this.running.keys()),
      hasBegun: async ({ id }) => this.all.has(id),
      watch: (order, signal) => this.watch(order, signal),
      stop: (id) => this.#stop(id),
    };
  }

  async #start(order: CaptureOrder): Promise<void> {
    const { receivers, isCopied, clock, chance, watch } = this.#parts;
    const { id, source, endsBy } = order;
    const { recordingId } = partsOfAttemptId(id);
    watch.starting(order, recordingId);
    if (this.all.has(id)) {
      watch.repeated(id);
      throw new RecorderdError("CAPTURE_NOT_STARTED", `The segment of ${id} belongs to an earlier attempt.`);
    }
    const now = clock.now();
    if (this.storageOffline) throw new RecorderdError("STORAGE_OFFLINE", "The disk is not there.");
    if (now < this.#diskFullUntil) throw new RecorderdError("DISK_FULL", "The disk is full.");
    const use = receivers.uses[Number(source.url.split("/").at(-1))];
    assert(use !== undefined && use.to === undefined, "a capture reads what a tuner delivers");
    use.read = true;
    const isCopy = isCopied(use.tunerId);
    const opensAt = isCopy ? Math.max(now, this.#hostReadyAt) : now;
    const flowsFrom = receivers.deliversData(use.tunerId)
      ? opensAt + chance(`flow ${id}`).int(100, 800)
      : FOREVER;
    const silent = flowsFrom === FOREVER;
    const capture: SimulatedCapture = {
      id,
      recordingId,
      startedAt: now,
      useId: use.id,
      flowsFrom,
      isCopied: isCopy,
      dataUntil: FOREVER,
      exitsAt: Math.min(endsBy, silent ? now + CAPTURE_LIMITS.inputTimeoutMs : FOREVER),
      cause: silent ? "STREAM_NO_DATA" : "STREAM_ENDED",
      asked: false,
      ...(silent ? { fault: "STREAM_NO_DATA" as const } : {}),
      changed: new ChangeSignal(),
    };
    this.all.set(id, capture);
    this.running.set(id, capture);
    void this.#runProcess(capture);
  }

  /** Runs the process until it exits by itself. */
  async #runProcess(capture: SimulatedCapture): Promise<void> {
    const { clock, signal } = this.#parts;
    while (capture.endedAt === undefined && !signal.aborted) {
      if (clock.now() >= capture.exitsAt) this.#exit(capture);
      else await this.#until(capture, capture.exitsAt, signal).catch(() => {});
    }
  }

  /** The broadcast's announcement changed. */
  listen(): void {
    for (const { changed } of this.running.values()) changed.signal();
  }

  async watch(
    { id, service, onFlowing, onDoubt, onTime, onEvents }: WatchOrder,
    signal: AbortSignal,
    end: EndCapture = (capture) => this.#end(capture, signal),
  ): Promise<CaptureEnd> {
    const { clock, air } = this.#parts;
    const capture = this.all.get(id);
    assert(capture !== undefined, `${id} was never started`);
    const since = clock.now();
    let flowing = false;
    let doubted = false;
    let told = "[]";
    for (;;) {
      signal.throwIfAborted();
      const { flowsFrom, dataUntil, endedAt, asked, cause } = capture;
      if (!flowing && clock.now() > flowsFrom && dataUntil > flowsFrom) {
        flowing = true;
        onFlowing();
        // The announced end is right, and the file ends now.
        onTime?.(clock.now());
      }
      const hears = flowing && clock.now() < dataUntil;
      const events = hears ? air.eventsOf(service) : [];
      if (hears && JSON.stringify(events) !== told) {
        told = JSON.stringify(events);
        onEvents(events);
      }
      if (endedAt !== undefined) {
        if (asked) return { cause: "asked", text: "Stopped on request." };
        const real = cause === "STREAM_ENDED" && !flowing ? "STREAM_NO_DATA" : cause;
        return { cause: real, text: `The simulated capture ended: ${real}.` };
      }
      const trouble = flowing ? "STREAM_STALLED" : "STREAM_NO_DATA";
      const patience = flowing
        ? Math.max(dataUntil, since) + CAPTURE_LIMITS.stallMs
        : since + CAPTURE_LIMITS.firstPayloadMs;
      if (clock.now() >= patience) {
        await end(capture);
        return { cause: trouble, text: `The simulated supervision says ${trouble}.` };
      }
      const isSteady = flowing && dataUntil - Math.max(flowsFrom, since) >= CAPTURE_LIMITS.steadyMs;
      const doubtAt = isSteady && !doubted ? dataUntil + CAPTURE_LIMITS.doubtMs : FOREVER;
      if (clock.now() >= doubtAt) {
        doubted = true;
        onDoubt("The simulated supervision sees nothing come.");
        continue;
      }
      const flowsAt = flowing || dataUntil <= flowsFrom ? FOREVER : flowsFrom + 1;
      const changesAt = hears ? air.changesAt(service) : FOREVER;
      await this.#until(capture, Math.min(patience, doubtAt, flowsAt, changesAt), signal);
    }
  }

  async #stop(id: string): Promise<void> {
    const capture = this.all.get(id);
    if (capture === undefined || capture.endedAt !== undefined) return;
    this.#parts.watch.stopping(capture);
    capture.asked = true;
    await this.#end(capture, this.#parts.signal);
  }

  async #end(capture: SimulatedCapture, signal: AbortSignal): Promise<void> {
    const { clock, chance } = this.#parts;
    capture.exitsAt = Math.min(capture.exitsAt, clock.now() + chance(`end ${capture.id}`).int(20, 400));
    capture.changed.signal();
    while (capture.endedAt === undefined) await this.#until(capture, FOREVER, signal);
  }

  #break(
    capture: SimulatedCapture,
    { cause, afterMs = 0 }: { cause: ErrorCode; afterMs?: DurationMs },
  ): void {
    const now = this.#parts.clock.now();
    capture.fault = cause;
    capture.cause = cause;
    capture.dataUntil = Math.min(capture.dataUntil, now);
    capture.exitsAt = Math.min(capture.exitsAt, now + afterMs);
    capture.changed.signal();
  }

  #exit(capture: SimulatedCapture): void {
    capture.endedAt = Math.min(capture.exitsAt, this.#parts.clock.now());
    this.running.delete(capture.id);
    this.#parts.receivers.readNoMore(capture.useId);
    capture.changed.signal();
  }

  /** Waits until `at`, or until the capture changes. */
  async #until({ changed }: SimulatedCapture, at: EpochMs, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const ms = Math.min(Math.max(0, at - clock.now()), LOOK_AGAIN_MS);
    await waitWithin(signal, (over) => Promise.race([changed.next, clock.sleep(ms, over).catch(() => {})]));
    signal.throwIfAborted();
  }
}
