import { type Attempt, attemptId, currentAttempt } from "../../../model/attempt.ts";
import { ERRORS } from "../../../model/errors.ts";
import type { OpenRecording, Recording } from "../../../model/recording.ts";
import { doublingPauseMs } from "../../../model/time.ts";
import type { TunerId } from "../../../model/tuner.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { orderNextClosingStep } from "./closing.ts";
import type { Draft } from "./draft.ts";
import { learnEnd, probeAtOnce } from "./health.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import type { Occurrence } from "./occurrence.ts";

/** The next attempt of a recording. The caller stores it together with its other changes. */
export function nextAttempt({ now, world }: Draft, { attempts }: Recording, tunerId: TunerId): Attempt {
  return { number: attempts.length + 1, tunerId, startedAt: now, boot: world.clock.boot };
}

export function orderAttempt(draft: Draft, recording: Recording, { number, tunerId }: Attempt): void {
  const { id: recordingId, service, channelName, window } = recording;
  if (service === undefined) return;
  // The capture compares this instant with the clock of this machine.
  const endsBy = window.stop + ENGINE_LIMITS.captureOverrunMs - (draft.world.clock.othersAheadMs ?? 0);
  draft.order({ kind: "attempt", recordingId, attempt: number, tunerId, service, channelName, endsBy });
}

type AttemptEnd = Pick<
  Extract<Occurrence, { readonly kind: "attempt-ended" }>,
  "attempt" | "cause" | "text" | "details" | "segment"
>;

export function endAttempt(
  draft: Draft,
  recording: OpenRecording,
  { attempt, cause, text, details, segment }: AttemptEnd,
): void {
  const left = segment === undefined ? {} : { segment };
  const done = changeAttempt(recording, attempt, { endedAt: draft.now, cause, ...left });
  learnEnd(draft, done, attempt);
  draft.note("attempt-ended", done, { attempt: attemptId(done.id, attempt), cause, text });
  if (done.state === "closing") return orderNextClosingStep(draft, draft.put(done));
  const trouble =
    cause === "asked" ? {} : { trouble: { code: cause, text, ...withoutUndefined({ details }) } };
  const next = { ...done, ...trouble };
  const gaveUp = cause !== "asked" && ERRORS[cause] === "give-up";
  if (gaveUp && !draft.clockUntrusted) {
    const closing = draft.move(next, "expired", {});
    if (closing?.state === "closing") orderNextClosingStep(draft, closing);
    return;
  }
  if (currentAttempt(done) !== undefined) {
    // The other attempt goes on: note the trouble only if that one does not flow yet.
    draft.put(currentAttempt(done)?.flowingAt === undefined ? next : done);
    return;
  }
  const input = done.state === "tuning" ? "refused" : "interrupted";
  draft.move(next, input, {
    nextTryAt: draft.now + (gaveUp ? ENGINE_LIMITS.retryMsMax : retryDelayMs(next)),
  });
}

/** The attempt was committed but never started: the next one begins at once and may use the same tuner. */
export function endUnbegunAttempt(draft: Draft, recording: Recording, attempt: number): void {
  const done = changeAttempt(recording, attempt, { endedAt: draft.now, cause: "asked", begun: false });
  draft.note("attempt-unbegun", done, { attempt: attemptId(done.id, attempt) });
  if (currentAttempt(done) !== undefined) draft.put(done);
  else draft.move(done, "interrupted", { nextTryAt: draft.now });
}

/** Retries at once the recordings that wait for this tuner. */
export function retryOnReturnedTuner(draft: Draft, tunerId: TunerId): void {
  for (const recording of draft.index.begun) {
    if (recording.state !== "waiting" || recording.nextTryAt <= draft.now) continue;
    const last = recording.attempts.findLast((attempt) => attempt.tunerId === tunerId);
    if (last?.cause !== "TUNER_UNREACHABLE") continue;
    draft.put({ ...recording, nextTryAt: draft.now });
  }
  probeAtOnce(draft, tunerId);
}

/**
 * The delay before the next attempt. It doubles with each attempt in a row without payload; after a longer flow it is
 * 0.
 */
function retryDelayMs({ attempts }: Recording): number {
  if (attempts.length >= ENGINE_LIMITS.attemptsQuick) return ENGINE_LIMITS.retryMsMax;
  const lastFlowing = attempts.findLastIndex(({ flowingAt }) => flowingAt !== undefined);
  const vain = attempts.slice(lastFlowing + 1);
  // The failures of an unreachable server say nothing about one that is back.
  const isAway = vain.at(-1)?.cause === "TUNER_UNREACHABLE";
  const inVain = vain.filter(({ cause }) => isAway || cause !== "TUNER_UNREACHABLE").length;
  const { retryMsMin: firstMs, retryMsMax: maxMs } = ENGINE_LIMITS;
  if (inVain > 0) return doublingPauseMs(inVain, { firstMs, maxMs });
  const { startedAt = 0, endedAt = 0 } = attempts.at(-1) ?? {};
  return endedAt - startedAt < ENGINE_LIMITS.briefAttemptMs ? ENGINE_LIMITS.retryMsMin : 0;
}

export function changeAttempt<R extends Recording>(
  recording: R,
  number: number,
  change: Partial<Attempt>,
): R {
  const attempts = recording.attempts.map((attempt) =>
    attempt.number === number ? { ...attempt, ...change } : attempt,
  );
  return { ...recording, attempts };
}
