import type { Log } from "../../kit/log.ts";
import { anyAbort, type Clock, withDeadline } from "../../kit/time/clock.ts";
import { attemptId, partsOfAttemptId } from "../../model/attempt.ts";
import { RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { TunerDriver, TunerSession } from "../../model/ports.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { NODE_LIMITS } from "./limits.ts";
import type { PartRecording } from "./node-protocol.ts";
import type { PartStore } from "./part-file.ts";
import type { NodePorts } from "./ports.ts";

export interface AloneParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly part: PartStore;
  readonly ports: Pick<NodePorts, "driver" | "keepNote" | "segmentFile" | "start">;
  /** Ids of the captures on this node. */
  readonly running: ReadonlySet<string>;
  /** The connection to a leader proves that it is there. */
  readonly isLed: () => boolean;
  /** A capture runs now, and reads from this session. */
  readonly begun: (id: string, session: TunerSession) => void;
  readonly end: (id: string) => Promise<void>;
}

/** Begins and ends the recordings of this node's part of the plan while no leader gives it orders. */
export class Alone {
  readonly #parts: AloneParts;
  /** Aborted when a leader comes. */
  #unled = new AbortController();
  /** The last time, on the monotonic clock, at which a leader was there. */
  #ledAtMs: DurationMs;
  #lookedMs: DurationMs;
  readonly #beginning = new Set<string>();
  /** The times of the next tries, by recording. */
  readonly #againMs = new Map<string, DurationMs>();
  /** The numbers of the next attempts, where another one may have written a segment of that number. */
  readonly #numbers = new Map<string, number>();
  #hasActed = false;

  constructor(parts: AloneParts) {
    this.#parts = parts;
    this.#ledAtMs = parts.clock.monotonicMs();
    this.#lookedMs = this.#ledAtMs;
  }

  /** Captures have begun or ended that the leader has not ordered, and does not know of. */
  get hasActed(): boolean {
    return this.#hasActed;
  }

  /** A leader is there. */
  led(): void {
    this.#ledAtMs = this.#parts.clock.monotonicMs();
  }

  /** A leader has connected, and is told what runs: from now on, it decides. */
  leaderConnected(): void {
    this.led();
    this.#unled.abort();
    this.#unled = new AbortController();
    this.#againMs.clear();
    this.#numbers.clear();
    this.#hasActed = false;
  }

  /** Called each second. */
  look(signal: AbortSignal): void {
    const { clock, log, part, running, isLed } = this.#parts;
    const nowMs = clock.monotonicMs();
    // After a pause of this node, the signs of life may wait to be read.
    if (isLed() || nowMs - this.#lookedMs > NODE_LIMITS.silentMs) this.#ledAtMs = nowMs;
    this.#lookedMs = nowMs;
    if (nowMs - this.#ledAtMs < NODE_LIMITS.aloneMs) return;
    const { begins, ends } = dueAlone(part.current, { now: clock.now(), running, warmUpMs: this.#warmUpMs });
    if (begins.length + ends.length > 0 && !this.#hasActed) {
      log.warn("no leader gives orders to this node: it records its part of the plan by itself");
      this.#hasActed = true;
    }
    for (const id of ends) void this.#end(id);
    for (const each of begins) {
      const { recordingId } = each;
      if (this.#beginning.has(recordingId) || (this.#againMs.get(recordingId) ?? 0) > nowMs) continue;
      this.#beginning.add(recordingId);
      void this.#begin(each, signal).finally(() => this.#beginning.delete(recordingId));
    }
  }

  readonly #warmUpMs = (tunerId: string): DurationMs =>
    this.#parts.ports.driver(tunerId)?.facts.warmUpMs ?? 0;

  async #end(id: string): Promise<void> {
    const { log, end } = this.#parts;
    await end(id).catch((error: unknown) => {
      log.warn("a capture cannot be ended; retrying", { attempt: id, text: String(error) });
    });
  }

  async #begin(recording: PartRecording, signal: AbortSignal): Promise<void> {
    const { clock, log, ports } = this.#parts;
    const { recordingId, tunerId, attempt } = recording;
    const number = this.#numbers.get(recordingId) ?? attempt;
    const id = attemptId(recordingId, number);
    this.#againMs.set(recordingId, clock.monotonicMs() + NODE_LIMITS.aloneAgainMs);
    const driver = ports.driver(tunerId);
    if (driver === undefined) return;
    using over = anyAbort([signal, this.#unled.signal]);
    try {
      await this.#record(recording, { number, driver, signal: over.signal });
      log.info("recording without a leader", { attempt: id, tunerId });
    } catch (error) {
      if (over.signal.aborted) return;
      const text = error instanceof Error ? error.message : String(error);
      log.warn("a recording cannot begin; retrying", { attempt: id, tunerId, text });
    }
  }

  /** @throws RecorderdError of the tuner or the capture; the signal's reason */
  async #record(
    { recordingId, service, serviceName, tunerId, plannedTunerId, timerId, endsBy }: PartRecording,
    { number, driver, signal }: BeginParts,
  ): Promise<void> {
    const { clock, ports, begun, end } = this.#parts;
    const id = attemptId(recordingId, number);
    const timeoutError = () =>
      new RecorderdError("TUNER_NO_LOCK", `Tuner ${tunerId} did not deliver a stream in time.`, { tunerId });
    const limits = { ms: MODEL_LIMITS.tuneMs, signal, timeoutError };
    const session = await withDeadline(clock, limits, (both) => driver.open(service, both));
    const startedAt = clock.now();
    try {
      signal.throwIfAborted();
      const file = ports.segmentFile(id);
      await ports.start({ id, source: session.source, service, serviceName, file, endsBy });
    } catch (error) {
      this.#numbers.set(recordingId, number + 1);
      await session[Symbol.asyncDispose]();
      throw error;
    }
    begun(id, session);
    await ports.keepNote(id, { timerId, service, tunerId: plannedTunerId, startedAt });
    // A leader has come meanwhile, and does not know of it.
    if (signal.aborted) await end(id);
  }
}

interface BeginParts {
  readonly number: number;
  readonly driver: TunerDriver;
  readonly signal: AbortSignal;
}

/** The work that is due in a part of the plan: recordings that no capture of the node records, and captures whose time is over. */
export function dueAlone(
  part: readonly PartRecording[],
  {
    now,
    running,
    warmUpMs,
  }: {
    readonly now: EpochMs;
    readonly running: ReadonlySet<string>;
    readonly warmUpMs: (tunerId: string) => DurationMs;
  },
): { readonly begins: readonly PartRecording[]; readonly ends: readonly string[] } {
  const recorded = new Set([...running].map((id) => partsOfAttemptId(id).recordingId));
  const over = new Set(part.filter(({ stop }) => stop <= now).map(({ recordingId }) => recordingId));
  return {
    begins: part.filter(
      ({ recordingId, tunerId, start, stop }) =>
        start - warmUpMs(tunerId) <= now && now < stop && !recorded.has(recordingId),
    ),
    ends: [...running].filter((id) => over.has(partsOfAttemptId(id).recordingId)),
  };
}
