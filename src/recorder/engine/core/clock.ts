import { type Attempt, runningAttempts } from "../../../model/attempt.ts";
import { type ClockMemory, type ClockMoved, spanWords } from "../../../model/clock-trust.ts";
import { isOpen, type OpenRecording, type Recording, type Trouble } from "../../../model/recording.ts";
import type { DurationMs, EpochMs } from "../../../model/time.ts";
import { intersection, lengthMs, type Outage, type Window } from "../../../model/window.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";

/** Records what happened to the clock, and whether it is trusted, before any decision depends on the time. */
export function noteClockChanges(draft: Draft): void {
  const { moved, trusted } = draft.world.clock;
  if (moved !== undefined) applyClockMove(draft, moved);
  const doubt = draft.document.clock?.doubt;
  if (trusted === (doubt === undefined)) return;
  const { text = "" } = draft.world.clock;
  if (trusted) draft.note("clock-trusted", undefined);
  else draft.note("clock-not-trusted", undefined, { text });
  // Marks the document as changed, so that sealing it stores the clock's state.
  draft.update({});
}

function applyClockMove(draft: Draft, { byMs, asleepMs }: ClockMoved): void {
  if (byMs !== 0) {
    draft.note("clock-set", undefined, { byMs });
    shiftStoredTimes(draft, byMs);
  }
  if (asleepMs === 0) return;
  const { boot } = draft.world.clock;
  const span = { start: draft.now - asleepMs, stop: draft.now };
  addOutage(draft, { ...span, asleep: true, boot, sameBoot: true });
  draft.note("asleep", undefined, span);
}

/** Shifts the instants that were noted by this setting of the clock. Events carry the service's time and stay. */
function shiftStoredTimes(draft: Draft, byMs: DurationMs): void {
  const { boot } = draft.world.clock;
  const { clock, heartbeatAt, outages } = draft.document;
  draft.update({
    ...(clock?.boot === boot
      ? { heartbeatAt: heartbeatAt + byMs, clock: shiftedMemory(clock, byMs, draft.now) }
      : {}),
    outages: outages.map((outage) => (outage.boot === boot ? shiftedOutage(outage, byMs) : outage)),
  });
  for (const recording of draft.recordings()) {
    if (!isOpen(recording)) continue;
    const { attempts, followed } = recording;
    draft.put({
      ...withShiftedRetry(recording, byMs, draft.now),
      attempts: attempts.map((attempt) => (attempt.boot === boot ? shiftedAttempt(attempt, byMs) : attempt)),
      ...(followed?.overAt === undefined
        ? {}
        : { followed: { ...followed, overAt: followed.overAt + byMs } }),
    });
  }
}

/** A clock that is set while it is doubted was wrong since then. */
function shiftedMemory(clock: ClockMemory, byMs: DurationMs, now: EpochMs): ClockMemory {
  const { doubtSince, wrong } = clock;
  const since = doubtSince === undefined ? undefined : doubtSince + byMs;
  const isCorrection = since !== undefined && since < now && Math.abs(byMs) > ENGINE_LIMITS.wrongClockMs;
  const shifted = wrong && { ...wrong, start: wrong.start + byMs, stop: wrong.stop + byMs };
  const spell = isCorrection ? { start: since, stop: now, aheadMs: -byMs } : shifted;
  return { ...clock, ...withoutUndefined({ doubtSince: since, wrong: spell }) };
}

/** The trouble of a recording that began late or never because of the clock, if it has no other trouble. */
export function clockTrouble(
  draft: Draft,
  { window, attempts, trouble }: Recording,
): { readonly trouble?: Trouble } {
  if (trouble !== undefined) return {};
  const { clock, outages } = draft.document;
  const lost = { start: window.start, stop: attempts[0]?.startedAt ?? window.stop };
  const lostTo = (span: Window) => lengthMs(intersection(lost, span));
  const { trusted, text: fault = "" } = draft.world.clock;
  if (!trusted && lengthMs(lost) > ENGINE_LIMITS.wrongClockMs)
    return { trouble: { code: "CLOCK_WRONG", text: `The recorder's clock was not trusted: ${fault}.` } };
  const { wrong } = clock ?? {};
  if (wrong === undefined) return {};
  if (lostTo(wrong) <= Math.max(ENGINE_LIMITS.wrongClockMs, ...outages.map(lostTo))) return {};
  const { aheadMs } = wrong;
  const by = `${spanWords(aheadMs)} ${aheadMs > 0 ? "ahead" : "behind"}`;
  const text = `The recorder's clock was ${by}.`;
  return { trouble: { code: "CLOCK_WRONG", text, details: { clockAheadMs: aheadMs } } };
}

function withShiftedRetry(recording: OpenRecording, byMs: DurationMs, now: EpochMs): OpenRecording {
  if (recording.state !== "waiting" && recording.state !== "closing") return recording;
  const { nextTryAt } = recording;
  const pause = nextTryAt === undefined ? {} : { nextTryAt: cappedRetryAt(nextTryAt + byMs, now) };
  return recording.state === "closing"
    ? { ...recording, ...pause, closing: shiftedClosing(recording.closing, byMs) }
    : { ...recording, ...pause };
}

/** Limits the delay: the instant may have been noted by a wrong clock. */
export function cappedRetryAt(nextTryAt: EpochMs, now: EpochMs): EpochMs {
  return Math.min(nextTryAt, now + ENGINE_LIMITS.retryMsMax);
}

function shiftedOutage(outage: Outage, byMs: DurationMs): Outage {
  const { start, stop, sameBoot } = outage;
  return { ...outage, start: sameBoot ? start + byMs : start, stop: stop + byMs };
}

function shiftedAttempt(attempt: Attempt, byMs: DurationMs): Attempt {
  const { startedAt, flowingAt, endedAt, steppedMs = 0 } = attempt;
  return {
    ...attempt,
    startedAt: startedAt + byMs,
    ...(flowingAt === undefined ? {} : { flowingAt: flowingAt + byMs }),
    // A running capture dates its segment by the new setting itself.
    ...(endedAt === undefined ? {} : { endedAt: endedAt + byMs, steppedMs: steppedMs + byMs }),
  };
}

type Closing = NonNullable<Recording["closing"]>;

function shiftedClosing({ since, blocker }: Closing, byMs: DurationMs): Closing {
  const shifted = { since: since + byMs };
  return blocker === undefined
    ? shifted
    : { ...shifted, blocker: { ...blocker, since: blocker.since + byMs } };
}

export function addOutage(draft: Draft, outage: Outage): void {
  const outages = [...draft.document.outages, outage].slice(-ENGINE_LIMITS.outages);
  draft.update({ outages, listAwaitedUntil: draft.now + ENGINE_LIMITS.listAwaitMs });
}

export function awaitList(draft: Draft): void {
  if (!isAwaitingList(draft)) draft.update({ listAwaitedUntil: draft.now + ENGINE_LIMITS.listAwaitMs });
}

/** Whether the stored orders may be outdated. The clock may have been set back since. */
export function isAwaitingList({ now, document: { listAwaitedUntil } }: Draft): boolean {
  return now < listAwaitedUntil && listAwaitedUntil <= now + ENGINE_LIMITS.listAwaitMs;
}

/** Leaves a recording unchanged, and notes the reason, until the clock is trusted again. */
export function suspendForUntrustedClock(draft: Draft, recording: OpenRecording): void {
  const { text = "" } = draft.world.clock;
  const held = draft.before.clock?.doubt ?? text;
  if (recording.clockHoldReason !== held) draft.put({ ...recording, clockHoldReason: held });
}

/** Clears the reason for the suspension: the clock is trusted, or other sources replace it. */
export function resumeSuspended<R extends Recording>(draft: Draft, recording: R): R {
  if (recording.clockHoldReason === undefined) return recording;
  const { clockHoldReason: _over, ...rest } = recording;
  return draft.put(rest as unknown as R);
}

/**
 * Ends attempts that began by a wrong clock and whose windows are still ahead by the right one: they would keep their
 * tuners until then. They begin again in time.
 */
export function endPrematureAttempts(draft: Draft): void {
  const { suspendsDecisions, trusted, moved, othersAgree = false } = draft.world.clock;
  const wasSet = Math.abs(moved?.byMs ?? 0) > ENGINE_LIMITS.prematureMs;
  const isBelievedAgain = trusted && draft.before.clock?.doubt !== undefined;
  const isKnown = othersAgree || (!suspendsDecisions && (wasSet || isBelievedAgain));
  if (!isKnown) return;
  for (const recording of draft.open()) {
    const isAhead = recording.window.start - draft.airNow > ENGINE_LIMITS.prematureMs;
    if (!isAhead || recording.state === "closing") continue;
    for (const { number } of runningAttempts(recording)) {
      draft.order({ kind: "stop", recordingId: recording.id, attempt: number });
    }
  }
}
