import { ERRORS, type ErrorCode } from "../../../model/errors.ts";
import { type Healing, type HealingStep, isAsking, isHealing } from "../../../model/healing.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { Remedy } from "../../../model/plan.ts";
import { isBefore, isEnded, isLost, isSound, isTerminal, type Recording } from "../../../model/recording.ts";
import { hasYetToBegin, isRepeatOf, type Repeat } from "../../../model/repeat.ts";
import { type DurationMs, doublingPauseMs, type EpochMs } from "../../../model/time.ts";
import { flawedMsOf } from "../../../model/verdict.ts";
import { lossText, repeatText } from "../../report/core/message.ts";
import { isAwaitingList } from "./clock.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import type { Occurrence } from "./occurrence.ts";

/**
 * Advances every booked or requested repeat and, if the configuration says so, books the next one. Repeats are booked
 * one at a time: each must fit beside the plan at that time.
 */
export function advanceHealing(draft: Draft, remedies: readonly Remedy[]): void {
  if (draft.clockUntrusted) return;
  for (const recording of draft.index.healing) {
    if (recording.healing !== undefined) advanceOne(draft, recording, recording.healing);
  }
  if (draft.world.policy.repeats === "book" && !isAwaitingList(draft)) bookNextRepeat(draft, remedies);
}

/** After a start: sends the requests of the earlier run to the service again. */
export function retryRequestsAfterStart(draft: Draft): void {
  for (const recording of draft.index.healing) {
    const { healing } = recording;
    if (healing !== undefined && isAsking(healing))
      draft.put({ ...recording, healing: { ...healing, nextTryAt: draft.now } });
  }
}

/** A user wants the repeat recorded instead: the timer is cancelled once the repeat is booked. */
export function applyRepeatRequest(
  draft: Draft,
  { recordingId, repeat }: Extract<Occurrence, { readonly kind: "repeat-asked" }>,
): void {
  const recording = draft.recording(recordingId);
  if (recording === undefined || isTerminal(recording.state)) return;
  const { healing } = recording;
  const isUnderWay = healing !== undefined && isHealing(healing);
  if (!isUnderWay) return startHealing(draft, recording, { repeat, by: "person" });
  const asked = { ...healing, by: "person" as const };
  const { heals: _nobody, ...partner } = repeatRecordingOf(draft, recording, healing) ?? {};
  // The repeat is a user's own order now.
  if ("id" in partner) draft.put(partner);
  if (healing.step === "booked") orderCancellation(draft, recording, asked);
  else draft.put({ ...recording, healing: asked });
}

/** Marks a recording that a user deleted: its repeats are not recorded. */
export function noteDeletion(
  draft: Draft,
  { recordingId }: Extract<Occurrence, { readonly kind: "deleted" }>,
): void {
  const recording = draft.recording(recordingId);
  if (recording !== undefined && isEnded(recording)) draft.put({ ...recording, unwanted: true });
}

export function noteRepeatBooked(
  draft: Draft,
  { recordingId, showId, timerId }: Extract<Occurrence, { readonly kind: "repeat-booked" }>,
): void {
  const recording = draft.recording(recordingId);
  const { healing } = recording ?? {};
  if (recording === undefined || healing?.step !== "booking" || healing.repeat.showId !== showId) return;
  finishBooking(draft, recording, { ...healing, ...(timerId === undefined ? {} : { timerId }) });
}

export function noteTimerCancelled(
  draft: Draft,
  { recordingId }: Extract<Occurrence, { readonly kind: "timer-cancelled" }>,
): void {
  const recording = draft.recording(recordingId);
  const { healing } = recording ?? {};
  if (recording === undefined || healing === undefined) return;
  if (healing.step === "dropping") {
    const repeat = repeatRecordingOf(draft, recording, healing);
    if (repeat !== undefined) withdrawPlanned(draft, repeat);
    moveToStep(draft, recording, { healing, step: "needless" });
  }
  if (healing.step !== "cancelling") return;
  const next = moveToStep(draft, recording, { healing, step: healing.by === "person" ? "moved" : "healed" });
  withdrawPlanned(draft, next);
}

export function noteRepeatFailed(
  draft: Draft,
  { recordingId, code, text, afterMs }: Extract<Occurrence, { readonly kind: "repeat-failed" }>,
): void {
  const recording = draft.recording(recordingId);
  const { healing } = recording ?? {};
  if (recording === undefined || healing === undefined || !isAsking(healing)) return;
  const trouble = { code, text };
  if (ERRORS[code] === "give-up") return giveUp(draft, recording, { ...healing, trouble });
  const failures = healing.failures + 1;
  const nextTryAt = draft.now + Math.max(afterMs, retryDelayMs(failures, code));
  draft.put({ ...recording, healing: { ...healing, failures, trouble, nextTryAt } });
  if (healing.failures === 0) draft.note("repeat-delayed", recording, { code, text });
}

function retryDelayMs(failures: number, code: ErrorCode): DurationMs {
  if (ERRORS[code] === "sign-in") return MODEL_LIMITS.guideBackOffMsMax;
  return doublingPauseMs(failures, {
    firstMs: 5 * ENGINE_LIMITS.retryMsMin,
    maxMs: MODEL_LIMITS.guideBackOffMsMax,
  });
}

function advanceOne(draft: Draft, found: Recording, known: Healing): void {
  const { now } = draft;
  const partner = repeatRecordingOf(draft, found, known);
  const healing = partner === undefined ? known : { ...known, recordingId: partner.id };
  const recording = partner === undefined ? found : linkToRepeat(draft, found, partner);
  const { step, repeat } = healing;
  switch (step) {
    case "booking":
      // The service lists the repeat, so it has booked it, even if its answer was lost.
      if (partner !== undefined) return finishBooking(draft, recording, healing);
      if (!hasYetToBegin(repeat, draft.airNow)) return giveUp(draft, recording, healing);
      if (isDue(healing, now)) orderBooking(draft, recording, healing);
      return;
    case "cancelling":
      if (isDue(healing, now)) orderCancellation(draft, recording, healing);
      return;
    case "dropping":
      if (isDue(healing, now)) dropRepeat(draft, recording, healing);
      return;
    case "booked":
      return compareWithRepeat(draft, recording, { healing, partner });
    case "moved":
    case "healed":
    case "needless":
    case "given-up":
      return;
  }
}

/** Whether the next try is due. A later instant than the longest pause allows was noted by a wrong clock. */
function isDue({ nextTryAt = Number.POSITIVE_INFINITY }: Healing, now: EpochMs): boolean {
  return nextTryAt <= now || (nextTryAt < Number.POSITIVE_INFINITY && nextTryAt > now + PAUSE_MS_MAX);
}

const PAUSE_MS_MAX: DurationMs = Math.max(MODEL_LIMITS.guideBackOffMsMax, MODEL_LIMITS.guideRetryAfterMsMax);

/** Compares the repeat's recording with the original one and moves to the step that follows. */
function compareWithRepeat(
  draft: Draft,
  recording: Recording,
  { healing, partner }: { readonly healing: Healing; readonly partner: Recording | undefined },
): void {
  const { repeat, since } = healing;
  if (partner === undefined) {
    // The service accepted the booking and no longer lists it: someone cancelled it.
    const isGone = draft.now >= Math.min(since + ENGINE_LIMITS.repeatListedMs, repeat.event.stop);
    if (isGone) giveUp(draft, recording, { ...healing, isFinal: true });
    return;
  }
  const isRefused = partner.withdrawn || partner.state === "cancelled";
  if (isRefused || recording.withdrawn) return giveUp(draft, recording, { ...healing, isFinal: true });
  if (isSound(recording)) {
    if (isBefore(partner)) dropRepeat(draft, recording, healing);
    else moveToStep(draft, recording, { healing, step: "needless" });
    return;
  }
  if (!isTerminal(partner.state)) return;
  if (!isBetter(partner, recording)) return giveUp(draft, recording, healing);
  if (isTerminal(recording.state)) moveToStep(draft, recording, { healing, step: "healed" });
  else if (isBefore(recording)) orderCancellation(draft, recording, healing);
}

/** The repeat is whole while the other recording is not, or fewer of its seconds have flaws. */
function isBetter(repeat: Recording, other: Recording): boolean {
  if (!isSound(repeat)) return false;
  if (other.state !== "completed" || other.evidence === undefined) return true;
  return repeat.evidence !== undefined && flawedMsOf(repeat.evidence) < flawedMsOf(other.evidence);
}

/** The recording of the repeat, once the service lists its timer. */
function repeatRecordingOf(draft: Draft, { id }: Recording, healing: Healing): Recording | undefined {
  const { recordingId, timerId, repeat } = healing;
  if (recordingId !== undefined) return draft.recording(recordingId);
  return draft
    .recordings()
    .findLast(
      (other) =>
        other.id !== id &&
        (other.timerId === timerId ||
          (other.showId === repeat.showId && other.channelId === repeat.channelId)),
    );
}

/** Links both recordings to each other. The repeat inherits the priority override of the original. */
function linkToRepeat(draft: Draft, recording: Recording, partner: Recording): Recording {
  const { healing, override = {}, id } = recording;
  if (healing === undefined || healing.recordingId === partner.id) return recording;
  const { priority } = override;
  const isUnsaid = partner.override === undefined && priority !== undefined && isBefore(partner);
  const heals = healing.by === "recorder" ? { heals: id } : {};
  draft.put({ ...partner, ...heals, ...(isUnsaid ? { override: { priority }, priority } : {}) });
  return draft.put({ ...recording, healing: { ...healing, recordingId: partner.id } });
}

interface HealingStart {
  readonly repeat: Repeat;
  readonly by: Healing["by"];
}

function startHealing(draft: Draft, recording: Recording, { repeat, by }: HealingStart): void {
  const { timeZone } = draft.world.policy;
  const tried = [...(recording.healing?.tried ?? []), repeat.showId];
  const text = `${lossText(recording, { timeZone })}: its repeat ${repeatText(repeat, { timeZone })} is booked.`;
  const healing = { repeat, by, step: "booking" as const, since: draft.now, text, tried, failures: 0 };
  orderBooking(draft, draft.put({ ...recording, healing }), healing);
  const { showId, channelName, event } = repeat;
  draft.note("repeat-ordered", recording, {
    by,
    show: showId,
    channel: channelName,
    start: event.start,
    text,
  });
}

function orderBooking(draft: Draft, recording: Recording, healing: Healing): void {
  clearRetry(draft, recording, healing);
  const { id: recordingId, padding } = recording;
  draft.order({ kind: "book-repeat", recordingId, showId: healing.repeat.showId, padding });
}

function finishBooking(draft: Draft, recording: Recording, healing: Healing): void {
  draft.note("repeat-booked", recording, { show: healing.repeat.showId });
  if (healing.by === "person") return orderCancellation(draft, recording, healing);
  moveToStep(draft, recording, { healing, step: "booked" });
}

function orderCancellation(draft: Draft, recording: Recording, healing: Healing): void {
  const next =
    healing.step === "cancelling" ? recording : moveToStep(draft, recording, { healing, step: "cancelling" });
  clearRetry(draft, next, next.healing ?? healing);
  draft.order({ kind: "cancel-timer", recordingId: recording.id, timerId: recording.timerId });
}

function dropRepeat(draft: Draft, recording: Recording, healing: Healing): void {
  const timerId = repeatRecordingOf(draft, recording, healing)?.timerId;
  if (timerId === undefined) return;
  const next =
    healing.step === "dropping" ? recording : moveToStep(draft, recording, { healing, step: "dropping" });
  clearRetry(draft, next, next.healing ?? healing);
  draft.order({ kind: "cancel-timer", recordingId: recording.id, timerId });
}

/** The request replaces the pending retry. */
function clearRetry(draft: Draft, recording: Recording, { nextTryAt: _now, ...healing }: Healing): void {
  draft.put({ ...recording, healing });
}

function giveUp(draft: Draft, recording: Recording, healing: Healing): void {
  moveToStep(draft, recording, { healing, step: "given-up" });
}

/** The next step starts without the trouble of the previous one; a given-up repeat keeps its reason. */
function moveToStep(
  draft: Draft,
  recording: Recording,
  { healing, step }: { readonly healing: Healing; readonly step: HealingStep },
): Recording {
  const { trouble, nextTryAt: _none, ...rest } = healing;
  const kept = step === "given-up" && trouble !== undefined ? { trouble } : {};
  const next = draft.put({
    ...recording,
    healing: { ...rest, ...kept, step, since: draft.now, failures: 0 },
  });
  if (step !== "booked") draft.note("repeat-step", next, { step, show: healing.repeat.showId });
  return next;
}

/** Withdraws a recording whose timer was cancelled at the service. A running one continues. */
function withdrawPlanned(draft: Draft, recording: Recording): void {
  if (isBefore(recording)) draft.move(recording, "withdrawn", { withdrawn: true });
}

function bookNextRepeat(draft: Draft, remedies: readonly Remedy[]): void {
  // A fresh booking enters the plan only when the service lists it.
  const isWaiting = ({ healing }: Recording) =>
    healing !== undefined &&
    (healing.step === "booking" || (healing.step === "booked" && healing.recordingId === undefined));
  const repeats = remedies.flatMap((remedy) => (remedy.kind === "repeat" ? [remedy] : []));
  if (repeats.length === 0 || draft.index.healing.some(isWaiting)) return;
  for (const { recordingId, repeat } of repeats) {
    const recording = draft.recording(recordingId);
    if (recording === undefined || !canBeHealed(recording) || isAlreadyOrdered(draft, recording, repeat))
      continue;
    return startHealing(draft, recording, { repeat, by: "recorder" });
  }
}

/** Whether a repeat may be booked for a recording, judged by the recording alone. */
export function canBeHealed(recording: Recording): boolean {
  const { healing, heals, withdrawn: isGone, state } = recording;
  // The original recording decides about further repeats.
  if (heals !== undefined || isGone) return false;
  const isFresh =
    healing === undefined ||
    (healing.step === "given-up" &&
      healing.isFinal !== true &&
      healing.tried.length < ENGINE_LIMITS.repeatsBooked);
  return isFresh && (!isTerminal(state) || needsHealing(recording));
}

/** Whether a recording has ended with less than it should have. */
export function needsHealing(recording: Recording): boolean {
  if (recording.unwanted === true) return false;
  if (isLost(recording)) return true;
  return recording.state === "completed" && !recording.withdrawn && !isSound(recording);
}

function isAlreadyOrdered(draft: Draft, recording: Recording, repeat: Repeat): boolean {
  const { id, timerId, name: title, programme = {}, event, showId } = recording;
  const { timers } = draft.document;
  if (Object.values(timers).some((timer) => timer.action === "record" && timer.showId === repeat.showId))
    return true;
  return draft.recordings().some((other) => {
    if (other.id === id || other.heals === id || needsHealing(other) || other.state === "cancelled")
      return false;
    if (other.timerId === timerId) return true;
    const { showId: otherShow = "", name, programme: known = {}, channelId } = other;
    const airing = { showId: otherShow, channelId, title: name, event: other.event, programme: known };
    return isRepeatOf(airing, { title, programme, event, showId });
  });
}
