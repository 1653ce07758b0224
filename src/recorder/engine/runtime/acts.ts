import { RecorderdError } from "../../../model/errors.ts";
import type { Orders } from "../../../model/ports.ts";
import type { Recording, RecordingId } from "../../../model/recording.ts";
import { detailsOf } from "../../../model/trouble-details.ts";
import { ENGINE_LIMITS } from "../core/limits.ts";
import type { Command, Occurrence } from "../core/occurrence.ts";
import { type AttemptParts, createAttemptActs } from "./attempt-acts.ts";
import type { Closing } from "./closing-acts.ts";
import type { LeaseActs } from "./lease-desk.ts";

export interface ActParts extends AttemptParts {
  readonly closing: Closing;
  readonly leases: LeaseActs;
  readonly orders: Orders;
  readonly deliver: () => void;
  /** Called on a broken invariant inside an act: the daemon cannot go on. */
  readonly onBug: (error: unknown) => void;
}

/**
 * Carries out commands, each as a task of its own; results come back as occurrences. When the signal is aborted, the
 * daemon ends and its captures stay.
 */
export function createActs(parts: ActParts, signal: AbortSignal): (command: Command) => void {
  const { capture, closing, leases, clock, log } = parts;
  /**
   * Versions of recordings whose sidecars are written or being written. A second writer of the same version might still write
   * when they count as written, and a crash would leave its file incomplete.
   */
  const annotated = new WeakSet<Recording>();
  const attempts = createAttemptActs(parts, signal);

  async function runClosingStep(recordingId: RecordingId, step: () => Promise<Occurrence>): Promise<void> {
    try {
      await parts.post(await step());
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RecorderdError)) throw error;
      const { code, message: text, facts } = error;
      await parts.post({ kind: "closing-failed", recordingId, code, text, ...detailsOf(facts) });
    }
  }

  /** Writes the sidecars of an order, retrying until it succeeds or is not due any more. */
  async function annotate(recordingId: RecordingId): Promise<void> {
    for (let isTold = false; !signal.aborted; isTold = true) {
      const recording = parts.recording(recordingId);
      if (recording?.sidecarDue !== true || annotated.has(recording)) return;
      annotated.add(recording);
      try {
        return await parts.post(await closing.annotate(recording, signal));
      } catch (error) {
        annotated.delete(recording);
        if (signal.aborted) return;
        if (!(error instanceof RecorderdError)) throw error;
        const why = { recordingId, code: error.code, text: error.message };
        if (!isTold) log.warn("the sidecars of a recording cannot be written; retrying", why);
      }
      await clock.sleep(ENGINE_LIMITS.retryMsMax, signal).catch(() => {});
    }
  }

  async function book(command: Extract<Command, { readonly kind: "book-repeat" }>): Promise<Occurrence> {
    const { recordingId, showId } = command;
    const timerId = await parts.orders.book(command, signal);
    return {
      kind: "repeat-booked",
      recordingId,
      showId,
      ...(timerId === undefined ? {} : { timerId }),
    };
  }

  async function cancel({
    recordingId,
    timerId,
  }: Extract<Command, { readonly kind: "cancel-timer" }>): Promise<Occurrence> {
    await parts.orders.cancel(timerId, signal);
    return { kind: "timer-cancelled", recordingId, timerId };
  }

  /** Sends a request to the guide service. The engine decides about retries. */
  async function requestFromService(
    recordingId: RecordingId,
    step: () => Promise<Occurrence>,
  ): Promise<void> {
    try {
      await parts.post(await step());
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RecorderdError)) throw error;
      const { code, message: text, facts } = error;
      const afterMs = typeof facts["retryAfterMs"] === "number" ? facts["retryAfterMs"] : 0;
      log.warn("the repeat of a recording could not be booked", { recordingId, code, text });
      await parts.post({ kind: "repeat-failed", recordingId, code, text, afterMs });
    }
  }

  /** Tuners that are opened meanwhile wait: this capture may read any of them. */
  async function endStray(attempt: string): Promise<void> {
    log.warn("ending a capture without an open recording", { attempt });
    const ended = capture.stop(attempt);
    parts.releases.expect(ended.catch(() => {}));
    await ended;
  }

  function run(command: Command): Promise<void> | void {
    switch (command.kind) {
      case "attempt":
        return attempts.attempt(command);
      case "adopt":
        return attempts.adopt(command);
      case "lease":
        return leases.grant(command);
      case "evict":
        return leases.evict(command.leaseId);
      case "probe":
        return leases.probe(command);
      case "stop":
        return attempts.stop(command);
      case "inspect":
        return runClosingStep(command.recordingId, () =>
          closing.inspect(recordingOf(command.recordingId), signal),
        );
      case "publish":
        return runClosingStep(command.recordingId, () =>
          closing.publish(recordingOf(command.recordingId), signal),
        );
      case "annotate":
        return annotate(command.recordingId);
      case "book-repeat":
        return requestFromService(command.recordingId, () => book(command));
      case "cancel-timer":
        return requestFromService(command.recordingId, () => cancel(command));
      case "deliver":
        return parts.deliver();
      case "end-stray":
        return endStray(command.attemptId);
    }
  }

  function recordingOf(id: RecordingId): Recording {
    const recording = parts.recording(id);
    if (recording === undefined)
      throw new Error(`a command names recording ${id}, which the document does not hold`);
    return recording;
  }

  return (command) => {
    Promise.resolve(run(command)).catch((error: unknown) => {
      if (!signal.aborted) parts.onBug(error);
    });
  };
}
