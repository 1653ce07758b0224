import type { DaemonDocument } from "../../engine/document.ts";
import { attemptId, currentAttempt, isTerminal, type Recording } from "../../model/recording.ts";
import { sameTriplet } from "../../model/service.ts";
import { type EpochMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";
import type { Told } from "../../model/timer.ts";
import { uncovered, type Window } from "../../model/window.ts";
import type { CaptureWatch, SimulatedCapture } from "./captures.ts";
import { isCovered, unexplained } from "./causes.ts";
import {
  type ClockBreak,
  type ClockInvariant,
  doubtWithoutCause,
  endedByAWrongClock,
  unnoticed,
} from "./clock-invariants.ts";
import {
  type Finding,
  longSilence,
  overstated,
  stateLost,
  twiceRecorded,
  unchanged,
  unheardForget,
  untold,
  wasJustSet,
} from "./exchange.ts";
import type { GuideWatch } from "./guide.ts";
import type { ReceiverWatch } from "./receivers.ts";
import { ABSENCE, CLOCK_SLACK_MS } from "./setting.ts";
import { sameTunerAgain } from "./tries.ts";
import { sameWindow, type TrueTimer } from "./true-timer.ts";
import { away, type Truth } from "./truth.ts";

/** What must hold, whatever happens. */
export type Invariant =
  | "R-01 an order is never lost, and ends once"
  | "R-01 what was missed while the recorder was off says so"
  | "R-02 an outage is when the recorder was off"
  | "R-04 whole is what is covered"
  | "R-05 running means payload on disk"
  | "R-06 what is over ends"
  | "R-08 an end is final"
  | "R-08 done only once committed"
  | "R-08 told in order"
  | "R-08 the service knows the end"
  | "R-10 the ledger knows every end"
  | "R-08 the service knows what was said"
  | "R-11 only a good answer changes orders"
  | "R-12 what is not withdrawn is kept"
  | "R-13 a forget counts at once"
  | "R-14 the same order changes nothing"
  | "R-15 a malformed entry is told of"
  | "R-16 one event, one recording"
  | "R-18 only forget, a fault or the end stops a capture"
  | "R-18 the latest order is followed"
  | "R-20 another tuner is tried first"
  | "R-20 what can be recorded is recorded"
  | "R-21 nothing is held after the end"
  | "R-22 one multiplex to a tuner"
  | "R-29 payload is kept"
  | "R-30 one capture to a recording"
  | ClockInvariant
  | "R-42 no loop without a pause"
  | "R-43 what waits is delivered"
  | "R-43 the service is asked again"
  | "R-43 the service is left alone for as long as it asks"
  | "R-44 nothing ends the daemon";

export interface Violation {
  readonly invariant: Invariant;
  readonly at: EpochMs;
  readonly text: string;
  readonly timerId?: string;
}

const RANK: Readonly<Record<string, number>> = {
  waiting: 0,
  pending: 0,
  running: 1,
  completed: 2,
  failed: 2,
};
/** What was served a moment ago may not be in the document yet. */
const NEWS_MS = 2 * SECOND;
const ATTEMPTS_PER_HOUR = 300;
const REQUESTS_PER_HOUR = 1500;
const RETRIES_LAST_MS = 15 * MINUTE;

/** Looks on where something becomes visible, and keeps the first thing that must not be. */
export class Invariants implements GuideWatch, CaptureWatch, ReceiverWatch {
  violation: Violation | undefined;
  #answersUsed = 0;
  #requests = 0;
  #doubtedAt = 0;
  #polledAt: EpochMs | undefined;
  #told = new Map<string, string>();
  readonly #truth: () => Truth;

  constructor(truth: () => Truth) {
    this.#truth = truth;
  }

  broken(invariant: Invariant, text: string, timerId?: string): void {
    const at = this.#truth().clock.now();
    this.violation ??= { invariant, at, text, ...(timerId === undefined ? {} : { timerId }) };
  }

  #found(invariant: Invariant, finding: Finding | undefined): void {
    if (finding !== undefined) this.broken(invariant, finding.text, finding.timerId);
  }

  polled(earlyMs: number): void {
    // A clock that was set is looked after at once, also where the service fails in that very moment.
    if (earlyMs > 0 && !wasJustSet(this.#truth())) {
      this.broken("R-43 the service is left alone for as long as it asks", `asked ${earlyMs} ms too early`);
    }
    const truth = this.#truth();
    this.#found("R-13 a forget counts at once", unheardForget(truth, NEWS_MS));
    this.#found("R-08 the service knows what was said", untold(truth));
    this.#found("R-43 the service is asked again", longSilence(truth, this.#polledAt));
    this.#polledAt = truth.clock.now();
  }

  telling(timerId: string, { message }: Told): void {
    const report = this.#truth()
      .document()
      .outbox.find((each) => each.timerId === timerId && each.message === message);
    if (report === undefined) this.broken("R-08 done only once committed", `tells “${message}”`, timerId);
  }

  took(timer: TrueTimer, told: Told): void {
    const { timerId } = timer.booking;
    const { state, message } = told;
    const { document, captures } = this.#truth();
    this.#found("R-08 the service knows what was said", stateLost(timer, told, this.#truth()));
    const report = document().outbox.find((each) => each.timerId === timerId && each.message === message);
    const id = report?.recordingId;
    if (state === undefined || id === undefined || report?.acknowledgesForget === true) return;
    // A recording that goes by another id of the service now begins anew there.
    const about = `${timerId} ${id}`;
    const before = this.#told.get(about) ?? "waiting";
    const isBack = (RANK[state] ?? 0) < (RANK[before] ?? 0) || (RANK[before] === 2 && state !== before);
    if (isBack) this.broken("R-08 told in order", `${before}, then ${state}`, timerId);
    this.#told.set(about, state);
    if (state === "running" && captures.spansOf(id).length === 0) {
      this.broken("R-05 running means payload on disk", `“${message}” without a byte`, timerId);
    }
    const recording = document().recordings[id];
    if (state === "completed" && recording !== undefined) this.#isWhole(recording);
  }

  tuning(
    tuner: Parameters<ReceiverWatch["tuning"]>[0],
    service: Parameters<ReceiverWatch["tuning"]>[1],
  ): void {
    const { recordings, leases } = this.#truth().document();
    const ordered = Object.values(recordings).some(
      (recording) =>
        currentAttempt(recording)?.tunerId === tuner.id &&
        recording.service !== undefined &&
        sameTriplet(recording.service, service),
    );
    const isLent = Object.values(leases).some(
      (lease) => lease.tunerId === tuner.id && sameTriplet(lease.service, service),
    );
    if (!ordered && !isLent)
      this.broken("R-08 done only once committed", `${tuner.id} is tuned for no committed attempt`);
  }

  overloaded(_tunerId: string, text: string): void {
    this.broken("R-22 one multiplex to a tuner", text);
  }

  starting({ id }: Parameters<CaptureWatch["starting"]>[0], recordingId: string): void {
    const { document, captures } = this.#truth();
    const recording = document().recordings[recordingId];
    const attempt = recording === undefined ? undefined : currentAttempt(recording);
    if (recording === undefined || attempt === undefined || attemptId(recordingId, attempt.number) !== id) {
      this.broken(
        "R-08 done only once committed",
        `capture ${id} is no committed attempt`,
        recording?.timerId,
      );
    }
    const other = [...captures.running.values()].find((capture) => capture.recordingId === recordingId);
    if (other !== undefined) {
      this.broken(
        "R-30 one capture to a recording",
        `${id} starts while ${other.id} runs`,
        recording?.timerId,
      );
    }
  }

  stopping({ recordingId, id, fault }: SimulatedCapture): void {
    const { document, clock, machine } = this.#truth();
    const recording = document().recordings[recordingId];
    if (fault !== undefined || recording === undefined) return;
    // It may be as wrong as a clock may be that is trusted.
    const now = clock.now() + Math.min(Math.abs(machine.offsetMs), CLOCK_SLACK_MS);
    // Begun by a clock that was ahead.
    if (machine.wrong.length > 0 && recording.window.start > now) return;
    const orders = this.#ordersNow(recording.timerId);
    const isWanted = orders.length > 0 && orders.every(({ event, forget }) => !forget && event.stop > now);
    if (!isWanted) return;
    this.broken(
      "R-18 only forget, a fault or the end stops a capture",
      `${id} is stopped`,
      recording.timerId,
    );
  }

  committed(before: DaemonDocument, after: DaemonDocument): void {
    this.#ordersChanged(before, after);
    const { clock, machine } = this.#truth();
    if (after.clock?.doubt !== undefined) this.#doubtedAt = clock.now();
    this.#clockIsWell(doubtWithoutCause(after, this.#truth()));
    if (before.outages !== after.outages && machine.wrong.length === 0) {
      this.#found(
        "R-02 an outage is when the recorder was off",
        overstated(after, away(this.#truth()), clock.now()),
      );
    }
    if (before.recordings === after.recordings) return;
    const { tuners } = this.#truth();
    this.#found("R-20 another tuner is tried first", sameTunerAgain(before, after, tuners));
    for (const recording of Object.values(after.recordings)) {
      const earlier = before.recordings[recording.id];
      if (earlier === recording) continue;
      if (earlier !== undefined && isTerminal(earlier.state) && earlier.state !== recording.state) {
        this.broken("R-08 an end is final", `${earlier.state} became ${recording.state}`, recording.timerId);
      }
      if (isTerminal(recording.state) && earlier?.state !== recording.state) this.#ended(recording);
    }
  }

  /** From time to time while the daemon has been up for a while. */
  hourly(): void {
    const { document, clock, captures, receivers, guide } = this.#truth();
    const now = clock.now();
    const recordings = Object.values(document().recordings);
    for (const { state, window, timerId, attempts } of recordings) {
      const late = now - window.stop > RETRIES_LAST_MS && !isTerminal(state) && !this.#wasTroubled(now);
      if (late) this.broken("R-06 what is over ends", `still ${state}`, timerId);
      const lately = attempts.filter(({ startedAt }) => startedAt > now - HOUR).length;
      if (lately > ATTEMPTS_PER_HOUR)
        this.broken("R-42 no loop without a pause", `${lately} attempts`, timerId);
    }
    for (const { recordingId, id } of captures.running.values()) {
      const recording = document().recordings[recordingId];
      const isOver = recording === undefined || now - recording.window.stop > MINUTE;
      if (isOver && !this.#wasTroubled(now)) {
        this.broken("R-06 what is over ends", `capture ${id} still runs`, recording?.timerId);
      }
    }
    for (const { tunerId, from } of receivers.held()) {
      const isHeld =
        recordings.some((recording) => currentAttempt(recording)?.tunerId === tunerId) ||
        Object.values(document().leases).some((lease) => lease.tunerId === tunerId);
      const isLeft = now - from > MINUTE && !isHeld;
      if (isLeft) this.broken("R-21 nothing is held after the end", `${tunerId} is held for nobody`);
    }
    this.#found("R-08 the service knows what was said", untold(this.#truth()));
    this.#clockIsWell(unnoticed(this.#truth()));
    const requests = guide.requests - this.#requests;
    this.#requests = guide.requests;
    if (requests > REQUESTS_PER_HOUR)
      this.broken("R-42 no loop without a pause", `${requests} requests in an hour`);
  }

  /** When all is over and the service has long been well. */
  final(): void {
    const { document, captures, receivers, guide, shelf, ledger } = this.#truth();
    const { outbox, recordings } = document();
    const written = new Map(
      ledger.flatMap(({ recordingId, facts = {} }) => ("to" in facts ? [[recordingId, facts["to"]]] : [])),
    );
    for (const { id, state, timerId } of Object.values(recordings)) {
      const last = written.get(id);
      if (last !== state)
        this.broken("R-10 the ledger knows every end", `${state}, it says ${last}`, timerId);
    }
    if (outbox.length > 0) {
      this.broken("R-43 what waits is delivered", `${outbox.length} reports still wait`, outbox[0]?.timerId);
    }
    if (captures.running.size > 0 || receivers.held().length > 0) {
      this.broken("R-21 nothing is held after the end", `${captures.running.size} captures still run`);
    }
    for (const { id, timerId, state, evidence } of Object.values(recordings)) {
      if (!isTerminal(state)) this.broken("R-06 what is over ends", `still ${state}`, timerId);
      const spans = captures.spansOf(id);
      const isLost =
        shelf.lost(id).length > 0 || (spans.length > 0 && !shelf.files.has(evidence?.file ?? ""));
      if (isLost) this.broken("R-29 payload is kept", "payload is in no file", timerId);
    }
    this.#found("R-08 the service knows what was said", untold(this.#truth()));
    this.#found("R-16 one event, one recording", twiceRecorded(this.#truth()));
    for (const timer of guide.timersById.values()) this.#accounted(timer, Object.values(recordings));
    for (const [id, told] of guide.junk) {
      if (!told.some(({ state }) => state === "failed"))
        this.broken("R-15 a malformed entry is told of", id, id);
    }
  }

  #accounted(timer: TrueTimer, recordings: readonly Recording[]): void {
    const { booking, served, forget, removed, state } = timer;
    const { timerId } = booking;
    const [first] = served;
    const last = served.at(-1);
    if (first === undefined || last === undefined || removed === "gone" || removed === "rekeyed") return;
    if (forget) {
      if (removed !== "acknowledged")
        this.broken("R-08 the service knows the end", "forget unanswered", timerId);
      return;
    }
    const kept = recordings.filter((each) => each.timerId === timerId && each.state !== "cancelled");
    const later = kept.filter(({ endedAt = 0 }) => endedAt > last.at - NEWS_MS);
    // Long absent, and back only when its event was over: nobody can tell that it was ordered all the time.
    if (kept.length === 0 && timer.absences.some(({ from, to = Infinity }) => to - from >= ABSENCE.confirmMs))
      return;
    if (kept.length === 0 || later.length > 1) {
      this.broken("R-01 an order is never lost, and ends once", `${kept.length} recordings`, timerId);
    }
    const final = kept.at(-1);
    const expected = final?.state === "completed" ? "completed" : "failed";
    if (state !== expected) {
      this.broken(
        "R-08 the service knows the end",
        `it holds ${state}, the end was ${final?.state}`,
        timerId,
      );
    }
  }

  #ended(recording: Recording): void {
    const { timerId, id, state, attempts } = recording;
    const { captures, clock, guide } = this.#truth();
    const orders = this.#ordersNow(timerId);
    if (state === "cancelled") {
      const spell = guide.timersById.get(timerId)?.absences.at(-1);
      const isAbsent = spell !== undefined && clock.now() - spell.from >= ABSENCE.confirmMs;
      const isForgotten = guide.timersById.get(timerId)?.served.some(({ forget }) => forget);
      if (isForgotten !== true && !isAbsent) {
        this.broken("R-12 what is not withdrawn is kept", "cancelled without a word", timerId);
      }
      return;
    }
    this.#clockIsWell(endedByAWrongClock(recording, this.#truth()), timerId);
    const spans = captures.spansOf(id);
    if (state === "completed") this.#isWhole(recording);
    const isWhole = isCovered(recording, { spans, truth: this.#truth() }) === "yes";
    if (isWhole || (state === "failed" && spans.length > 0) || (state === "partial" && spans.length === 0)) {
      if (state !== "completed")
        this.broken("R-04 whole is what is covered", `${state}, but see the truth`, timerId);
    }
    if (state === "missed" && attempts.length > 0) {
      this.broken("R-01 an order is never lost, and ends once", "missed after an attempt", timerId);
    }
    if (!orders.some(({ event }) => sameWindow(event, recording.event))) {
      this.broken("R-18 the latest order is followed", "ends with another event than ordered", timerId);
    }
    const off: readonly Window[] = away(this.#truth()).map(({ from, to = clock.now() }) => ({
      start: from,
      stop: to,
    }));
    const isOld = orders[0] !== undefined && orders[0].at < recording.window.start;
    const wasOff = isOld && uncovered(recording.window, off).length === 0;
    if (
      state === "missed" &&
      wasOff &&
      recording.told !== undefined &&
      !/was (off|asleep)/.test(recording.told.message)
    ) {
      this.broken("R-01 what was missed while the recorder was off says so", recording.told.message, timerId);
    }
    const isMissed = attempts.every(({ startedAt }) => startedAt >= recording.window.stop);
    if (state !== "missed" && wasOff && isMissed && spans.length === 0) {
      this.broken("R-01 what was missed while the recorder was off says so", `it is ${state}`, timerId);
    }
    const [gap] = unexplained(recording, this.#truth());
    if (gap !== undefined) {
      const text = `${iso(gap.start)} to ${iso(gap.stop)} is missing for no cause (${state})`;
      this.broken("R-20 what can be recorded is recorded", text, timerId);
    }
  }

  #isWhole(recording: Recording): void {
    const truth = this.#truth();
    const spans = truth.captures.spansOf(recording.id);
    if (isCovered(recording, { spans, truth }) === "no") {
      this.broken("R-04 whole is what is covered", "completed, but not covered", recording.timerId);
    }
  }

  #clockIsWell(found: ClockBreak | undefined, timerId?: string): void {
    if (found !== undefined) this.broken(found.invariant, found.text, timerId);
  }

  #ordersChanged(before: DaemonDocument, after: DaemonDocument): void {
    if (before.timers === after.timers && before.channels === after.channels) return;
    const { guide } = this.#truth();
    this.#found("R-14 the same order changes nothing", unchanged(before, after));
    const changed = Object.entries(after.timers).find(([id, timer]) => before.timers[id] !== timer);
    if (changed === undefined && before.channels === after.channels) return;
    if (guide.goodAnswers === this.#answersUsed) {
      this.broken("R-11 only a good answer changes orders", "orders changed without an answer", changed?.[0]);
    }
    this.#answersUsed = guide.goodAnswers;
  }

  /** The orders that may hold for the daemon at this instant: the latest that it must know, and what came since. */
  #ordersNow(timerId: string): TrueTimer["served"] {
    const { guide, clock } = this.#truth();
    const served = guide.timersById.get(timerId)?.served ?? [];
    const known = served.findLastIndex(({ at }) => at <= clock.now() - NEWS_MS);
    return served.slice(Math.max(0, known));
  }

  #wasTroubled(now: EpochMs): boolean {
    const { document, captures } = this.#truth();
    const since = now - RETRIES_LAST_MS;
    if (document().clock?.doubt !== undefined || this.#doubtedAt > since) return true;
    return captures.wasOfflineSince(since) || away(this.#truth()).some(({ to = now }) => to > since);
  }
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}
