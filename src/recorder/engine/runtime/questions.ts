import { type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { Occurrence } from "../core/occurrence.ts";
import {
  type AnswerTo,
  type DecisionOutcome,
  type Question,
  RETRY_CONTINUES,
  replyTo,
} from "../core/reply.ts";

/** A decided question may wait for the guide service: for its list, the booking and the cancellation. */
const PENDING_MS = 3 * MODEL_LIMITS.guideRequestMs;

interface Asker {
  /** The question was decided about; later decisions answer. */
  isPending: boolean;
  /** @returns whether it has its answer */
  readonly hear: (decided: DecisionOutcome) => boolean;
  readonly reject: (error: RecorderdError) => void;
}

/** Questions without an answer. */
export class Questions {
  readonly #askers = new Map<Occurrence, Asker>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits for the answer.
   *
   * @param lateError why no decision was made within `MODEL_LIMITS.tuneMs`
   * @throws RecorderdError the refusal; `lateError()`; GUIDE_TIMEOUT if a pending question stays pending
   */
  async wait<Q extends Question>(question: Q, lateError: () => RecorderdError): Promise<AnswerTo<Q>> {
    const never = new AbortController().signal;
    let onPending = () => {};
    const pending = new Promise<"pending">((resolve) => {
      onPending = () => resolve("pending");
    });
    const answered = new Promise<AnswerTo<Q>>((resolve, reject) => {
      const hear = (decided: DecisionOutcome) => {
        const reply = replyTo(question, decided);
        if (reply.kind === "done") resolve(reply.answer);
        if (reply.kind === "refused") reject(new RecorderdError(reply.code, reply.text));
        if (reply.kind === "pending") onPending();
        return reply.kind !== "pending";
      };
      this.#askers.set(question, { isPending: false, hear, reject });
    });
    // After the deadline nobody awaits it.
    answered.catch(() => {});
    try {
      const limits = { ms: MODEL_LIMITS.tuneMs, signal: never, timeoutError: lateError };
      const first = await withDeadline(this.#clock, limits, () => Promise.race([answered, pending]));
      if (first !== "pending") return await answered;
      const timeoutError = () =>
        new RecorderdError("GUIDE_TIMEOUT", `The service does not answer. ${RETRY_CONTINUES}`);
      return await withDeadline(this.#clock, { ms: PENDING_MS, signal: never, timeoutError }, () => answered);
    } finally {
      this.#askers.delete(question);
    }
  }

  /** Whether a caller waits for the result of this occurrence. */
  has(occurrence: Occurrence): boolean {
    return this.#askers.has(occurrence);
  }

  /** Passes a decision's result to the callers it concerns; call it after the commit. */
  decided(occurrence: Occurrence, decided: DecisionOutcome): void {
    const { refusal: _itsOwn, ...others } = decided;
    for (const [question, asker] of this.#askers) {
      const isIt = question === occurrence;
      if (!isIt && !asker.isPending) continue;
      if (asker.hear(isIt ? decided : others)) this.#askers.delete(question);
      else asker.isPending = true;
    }
  }

  rejectAll(error: RecorderdError): void {
    for (const { reject } of this.#askers.values()) reject(error);
    this.#askers.clear();
  }
}
