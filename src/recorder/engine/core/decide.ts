import { attemptId, isAttemptRunning, runningAttempts } from "../../../model/attempt.ts";
import {
  inMotion,
  isOpen,
  type OpenRecording,
  type Recording,
  type RecordingIn,
} from "../../../model/recording.ts";
import { runToEnd, type Steps } from "../../../model/steps.ts";
import { withoutReport } from "../../report/core/outbox.ts";
import { changeAttempt, endAttempt, retryOnReturnedTuner } from "./attempt.ts";
import { recordBroadcastEvents } from "./broadcast-events.ts";
import {
  addOutage,
  cappedRetryAt,
  endPrematureAttempts,
  noteClockChanges,
  resumeSuspended,
  suspendForUntrustedClock,
} from "./clock.ts";
import { applyInspection, finishRecording, noteSidecarsWritten, orderDueSidecars } from "./closing.ts";
import { noteClosingFailure } from "./closing-blocker.ts";
import type { DaemonDocument } from "./document.ts";
import { type Decision, Draft, type World } from "./draft.ts";
import { adoptFound } from "./found-attempts.ts";
import {
  applyRepeatRequest,
  noteDeletion,
  noteRepeatBooked,
  noteRepeatFailed,
  noteTimerCancelled,
  retryRequestsAfterStart,
} from "./healing.ts";
import { applyProbeResult, forgetOld, learnFlow } from "./health.ts";
import { clearLeases, grantLease, releaseLease } from "./leases.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import type { Occurrence } from "./occurrence.ts";
import { applyAirings } from "./repeats.ts";
import { settle } from "./settle.ts";
import { adoptOrInterrupt, awaitClaims, endStray, takeUpFound } from "./survivors.ts";
import { beginTakeover, finishTakeover } from "./takeover.ts";
import { applyOverride, recomputeAllPriorities } from "./timer-override.ts";
import { applyChannels, applyProgrammes, applyTimerList } from "./timers.ts";

/**
 * The whole behaviour of the daemon: returns the new document and the commands that follow from an occurrence. Pure:
 * the same document, occurrence and world give the same decision. Commands run only after the document is on disk,
 * and can be derived from it again after a crash.
 */
export function decide(document: DaemonDocument, occurrence: Occurrence, world: World): Decision {
  return runToEnd(decideInSteps(document, occurrence, world));
}

/** Makes the same decision in several steps when there is much to decide. */
export function* decideInSteps(
  document: DaemonDocument,
  occurrence: Occurrence,
  world: World,
): Steps<Decision> {
  const draft = new Draft(document, world);
  noteClockChanges(draft);
  yield* draft.step();
  yield* applyOccurrence(draft, occurrence);
  endPrematureAttempts(draft);
  yield* draft.step();
  yield* settle(draft);
  yield* draft.step();
  return draft.seal();
}

function* applyOccurrence(draft: Draft, occurrence: Occurrence): Steps<void> {
  switch (occurrence.kind) {
    case "started":
      return yield* recover(draft, occurrence);
    case "attempts-found":
      return adoptFound(draft, occurrence);
    case "instant":
      return recordHeartbeat(draft);
    case "timers-fetched":
      return applyTimerList(draft, occurrence.list, occurrence.absent);
    case "channels-fetched":
      return applyChannels(draft, occurrence.channels);
    case "programmes-fetched":
      applyProgrammes(draft, occurrence.programmes);
      return orderDueSidecars(draft);
    case "airings-fetched":
      return applyAirings(draft, occurrence);
    case "override-changed":
      return applyOverride(draft, occurrence.recordingId, occurrence.change);
    case "repeat-asked":
      return applyRepeatRequest(draft, occurrence);
    case "deleted":
      return noteDeletion(draft, occurrence);
    case "repeat-booked":
      return noteRepeatBooked(draft, occurrence);
    case "timer-cancelled":
      return noteTimerCancelled(draft, occurrence);
    case "repeat-failed":
      return noteRepeatFailed(draft, occurrence);
    case "attempt-flowing":
      return withAttempt(draft, occurrence, (recording) => noteFlowing(draft, recording, occurrence.attempt));
    case "attempt-doubted":
      return withAttempt(draft, occurrence, (recording) => beginTakeover(draft, recording, occurrence.text));
    case "events-seen":
      return withAttempt(draft, occurrence, (recording) =>
        recordBroadcastEvents(draft, recording, occurrence.events),
      );
    case "attempt-ended":
      return withAttempt(draft, occurrence, (recording) => endAttempt(draft, recording, occurrence));
    case "inspected":
      return withClosing(draft, occurrence.recordingId, (recording) =>
        draft.clockUntrusted
          ? suspendForUntrustedClock(draft, recording)
          : applyInspection(draft, recording, occurrence.evidence),
      );
    case "published":
      // Each closing step may be repeated, so a suspended one runs again once the clock is trusted.
      return withClosing(draft, occurrence.recordingId, (recording) =>
        draft.clockUntrusted
          ? suspendForUntrustedClock(draft, recording)
          : finishRecording(draft, recording, occurrence),
      );
    case "annotated":
      return noteSidecarsWritten(draft, occurrence.recording);
    case "closing-failed":
      return withClosing(draft, occurrence.recordingId, (recording) =>
        noteClosingFailure(draft, recording, occurrence),
      );
    case "lease-asked":
      return grantLease(draft, occurrence);
    case "lease-ended":
      return releaseLease(draft, occurrence.leaseId);
    case "probed":
      releaseLease(draft, occurrence.leaseId);
      return applyProbeResult(draft, occurrence.tunerId, occurrence.code);
    case "tuner-back":
      return retryOnReturnedTuner(draft, occurrence.tunerId);
    case "delivery":
      return applyDelivery(draft, occurrence);
  }
  occurrence satisfies never;
}

type StartFacts = Omit<Extract<Occurrence, { readonly kind: "started" }>, "kind">;

/** After a start: adopts the captures that still run, interrupts the others, and gives every order again. */
function* recover(draft: Draft, outlived: StartFacts): Steps<void> {
  const { running } = outlived;
  const { heartbeatAt, outbox, clock } = draft.document;
  const { boot, moved } = draft.world.clock;
  const isSameBoot = clock?.boot === boot;
  // By the clock as it is set now, like the stored times.
  const aliveAt = (outlived.aliveAt ?? 0) + (isSameBoot ? (moved?.byMs ?? 0) : 0);
  // A sign of life from the future predates a setting of the clock and dates nothing, unless this start has set it back.
  const offSince = aliveAt <= draft.now || !isSameBoot ? Math.max(heartbeatAt, aliveAt) : heartbeatAt;
  // A clock that was set back meanwhile gives a stop before the start, until the clock is corrected.
  const outage = { start: offSince, stop: draft.now };
  addOutage(draft, { ...outage, asleep: false, boot, sameBoot: isSameBoot });
  draft.note("started", undefined, { offSince, running: running.size });
  clearLeases(draft);
  yield* recomputeAllPriorities(draft);
  const { found = [], unclaimed = [] } = outlived;
  takeUpFound(draft, found);
  awaitClaims(draft, unclaimed);
  const known = new Set(unclaimed.map(({ recordingId, number }) => attemptId(recordingId, number)));
  yield* draft.forEach(draft.recordings(), (found) => {
    const recording = withCappedRetry(draft, found);
    for (const { number } of runningAttempts(recording)) known.add(attemptId(recording.id, number));
    if (inMotion(recording.state)) adoptOrInterrupt(draft, recording, outlived);
  });
  for (const id of running) if (!known.has(id)) endStray(draft, id);
  if (outbox.length > 0) draft.order({ kind: "deliver" });
  orderDueSidecars(draft);
  retryRequestsAfterStart(draft);
}

/** The clock may have been set back while the machine was off. */
function withCappedRetry(draft: Draft, recording: Recording): Recording {
  if (recording.nextTryAt === undefined) return recording;
  const nextTryAt = cappedRetryAt(recording.nextTryAt, draft.now);
  return nextTryAt === recording.nextTryAt ? recording : draft.put({ ...recording, nextTryAt });
}

/** Stores the latest sign of life, at most once per `ENGINE_LIMITS.heartbeatMs`. */
function recordHeartbeat(draft: Draft): void {
  const sinceMs = draft.now - draft.document.heartbeatAt;
  if (sinceMs >= 0 && sinceMs < ENGINE_LIMITS.heartbeatMs) return;
  draft.update({ heartbeatAt: draft.now });
  forgetOld(draft);
}

function withAttempt(
  draft: Draft,
  { recordingId, attempt }: { readonly recordingId: string; readonly attempt: number },
  then: (recording: OpenRecording) => void,
): void {
  const recording = draft.recording(recordingId);
  if (recording === undefined || !isOpen(recording)) return;
  // News of a finished attempt comes too late.
  if (isAttemptRunning(recording, attempt)) then(recording);
}

function withClosing(
  draft: Draft,
  recordingId: string,
  then: (recording: RecordingIn<"closing">) => void,
): void {
  const recording = draft.recording(recordingId);
  if (recording?.state === "closing")
    then(draft.clockUntrusted ? recording : resumeSuspended(draft, recording));
}

function noteFlowing(draft: Draft, recording: Recording, number: number): void {
  // An adopted capture reports its flow again.
  if (recording.attempts[number - 1]?.flowingAt !== undefined) return;
  const { trouble: _over, ...sound } = changeAttempt(recording, number, { flowingAt: draft.now });
  const next = draft.move(sound, "flowing", {});
  if (next === undefined) return;
  learnFlow(draft, next, number);
  if (recording.state === "recording") finishTakeover(draft, next, number);
}

function applyDelivery(
  draft: Draft,
  { seq, outcome, message }: Extract<Occurrence, { readonly kind: "delivery" }>,
): void {
  const { outbox, refusedStates, timers } = draft.document;
  const report = outbox.find((waiting) => waiting.seq === seq);
  if (outcome.kind === "deferred" || report === undefined) return;
  const { timerId, state, acknowledgesForget, ...rest } = report;
  const isRefusal = outcome.kind === "refused" && outcome.code === "GUIDE_NOT_ACCEPTABLE";
  if (isRefusal && state !== undefined && !acknowledgesForget) {
    // The service rejects this state, so from now on it gets the message alone. Another report with the state may be
    // on its way already.
    const alone = { ...rest, timerId, acknowledgesForget, seq: draft.nextReport() };
    draft.update({ outbox: outbox.map((waiting) => (waiting === report ? alone : waiting)) });
    if (!refusedStates.includes(state)) draft.update({ refusedStates: [...refusedStates, state] });
    draft.note("state-refused", { timerId }, { state, text: outcome.text });
    draft.order({ kind: "deliver" });
    return;
  }
  draft.update({ outbox: withoutReport(outbox, seq) });
  if (acknowledgesForget && timers[timerId] !== undefined) {
    const { [timerId]: _gone, ...rest } = timers;
    draft.update({ timers: rest });
  }
  const recording = report.recordingId === undefined ? undefined : draft.recording(report.recordingId);
  draft.note(outcome.kind === "delivered" ? "report-delivered" : "report-refused", recording ?? { timerId }, {
    ...(state === undefined ? {} : { state }),
    message,
    ...(outcome.kind === "refused" ? { code: outcome.code, text: outcome.text } : {}),
  });
}
