import { attemptId, runningAttempts } from "../../model/attempt.ts";
import { isTerminal } from "../../model/recording.ts";
import { sameTriplet } from "../../model/service.ts";
import { type EpochMs, HOUR, MINUTE } from "../../model/time.ts";
import type { ReportContent } from "../../model/timer.ts";
import type { DaemonDocument } from "../../recorder/engine/core/document.ts";
import { sameItems } from "../../recorder/plan/same-items.ts";
import { sameTunerAgain } from "./attempts-invariant.ts";
import type { CaptureWatch, SimulatedCapture } from "./captures.ts";
import { doubtWithoutCause, unnoticedClockBreak } from "./clock-invariants.ts";
import { breachesAtEnd, breachesOfCompleteness, breachesOfTimer } from "./ends.ts";
import {
  type Finding,
  falseChange,
  longSilence,
  missedForget,
  missingReport,
  NEWS_MS,
  ordersNow,
  overstatedOutage,
  stateLost,
  twiceRecorded,
  wasJustSet,
} from "./exchange.ts";
import type { GuideWatch } from "./guide.ts";
import type { Breach, Invariant, Violation } from "./invariant.ts";
import type { ReceiverWatch } from "./receivers.ts";
import { breachesOfRepeats } from "./repeats-invariant.ts";
import { CLOCK_SLACK_MS } from "./setting.ts";
import type { TrueTimer } from "./true-timer.ts";
import { downtimesOf, type Truth } from "./truth.ts";

const RANK: Readonly<Record<string, number>> = {
  waiting: 0,
  pending: 0,
  running: 1,
  completed: 2,
  failed: 2,
};
const ATTEMPTS_PER_HOUR = 300;
const REQUESTS_PER_HOUR = 1500;
const RETRIES_LAST_MS = 15 * MINUTE;

/** Checks the invariants wherever a state becomes visible, and keeps the first violation. */
export class Invariants implements GuideWatch, CaptureWatch, ReceiverWatch {
  violation: Violation | undefined;
  #answersUsed = 0;
  #requests = 0;
  readonly #orderedShows = new Set<string>();
  #doubtedAt = 0;
  #polledAt: EpochMs | undefined;
  #told = new Map<string, string>();
  /** By what the reports were checked last. */
  #reportsSeen: readonly unknown[] = [];
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

  #all(breaches: Iterable<Breach>): void {
    for (const { invariant, text, timerId } of breaches) this.broken(invariant, text, timerId);
  }

  polled(earlyMs: number): void {
    // A clock step is examined at once, even if the service fails at that moment.
    if (earlyMs > 0 && !wasJustSet(this.#truth())) {
      this.broken("R-43 polling waits for Retry-After", `the recorder polled ${earlyMs} ms too early`);
    }
    const truth = this.#truth();
    this.#found("R-13 a forget takes effect at once", missedForget(truth, NEWS_MS));
    this.#noReportIsLost();
    this.#found("R-43 polling resumes after every failure", longSilence(truth, this.#polledAt));
    this.#polledAt = truth.clock.now();
  }

  telling(timerId: string, { message }: ReportContent): void {
    const report = this.#truth()
      .document()
      .outbox.find((each) => each.timerId === timerId && each.message === message);
    if (report === undefined)
      this.broken(
        "R-08 every action follows its commit",
        `report “${message}” was sent, but is not in the document: not yet, or not any more`,
        timerId,
      );
  }

  ordered(showId: string): void {
    if (this.#orderedShows.has(showId))
      this.broken("R-17 recorderd books a show at most once", `show ${showId} was booked twice`);
    this.#orderedShows.add(showId);
  }

  took(timer: TrueTimer, told: ReportContent): void {
    const { timerId } = timer.booking;
    const { state, message } = told;
    const { document, captures } = this.#truth();
    this.#found("R-08 no report is lost", stateLost(timer, told, this.#truth()));
    const report = document().outbox.find((each) => each.timerId === timerId && each.message === message);
    const id = report?.recordingId;
    if (state === undefined || id === undefined || report?.acknowledgesForget === true) return;
    // A recording whose timer got another id restarts under it.
    const about = `${timerId} ${id}`;
    const before = this.#told.get(about) ?? "waiting";
    const isBack = (RANK[state] ?? 0) < (RANK[before] ?? 0) || (RANK[before] === 2 && state !== before);
    if (isBack)
      this.broken("R-08 reported states never go back", `${state} was reported after ${before}`, timerId);
    this.#told.set(about, state);
    if (state === "running" && captures.spansOf(id).length === 0) {
      this.broken(
        "R-05 a running recording has payload on disk",
        `“${message}” was reported without a byte on disk`,
        timerId,
      );
    }
    const recording = document().recordings[id];
    if (state === "completed" && recording !== undefined)
      this.#all(breachesOfCompleteness(recording, this.#truth()));
  }

  tuning(
    tuner: Parameters<ReceiverWatch["tuning"]>[0],
    service: Parameters<ReceiverWatch["tuning"]>[1],
  ): void {
    const { recordings, leases } = this.#truth().document();
    const ordered = Object.values(recordings).some(
      (recording) =>
        runningAttempts(recording).some(({ tunerId }) => tunerId === tuner.id) &&
        recording.service !== undefined &&
        sameTriplet(recording.service, service),
    );
    const isLent = Object.values(leases).some(
      (lease) => lease.tunerId === tuner.id && sameTriplet(lease.service, service),
    );
    if (!ordered && !isLent)
      this.broken(
        "R-08 every action follows its commit",
        `${tuner.id} was tuned without a committed attempt or lease`,
      );
  }

  overloaded(_tunerId: string, text: string): void {
    this.broken("R-22 a tuner receives one multiplex at a time", text);
  }

  repeated(id: string): void {
    this.broken("R-08 every action follows its commit", `${id} has one already`);
  }

  starting({ id }: Parameters<CaptureWatch["starting"]>[0], recordingId: string): void {
    const { document, captures } = this.#truth();
    const recording = document().recordings[recordingId];
    const committed = recording === undefined ? [] : runningAttempts(recording);
    if (!committed.some(({ number }) => attemptId(recordingId, number) === id)) {
      this.broken(
        "R-08 every action follows its commit",
        `capture ${id} started without a committed attempt`,
        recording?.timerId,
      );
    }
    const others = [...captures.running.values()].filter((capture) => capture.recordingId === recordingId);
    // A capture with an undetected fault may be replaced.
    const other = others.length > 1 ? others[0] : others.find(({ fault }) => fault === undefined);
    if (other !== undefined) {
      this.broken(
        "R-30 a recording has one capture at a time",
        `capture ${id} started while ${other.id} was running`,
        recording?.timerId,
      );
    }
  }

  stopping({ recordingId, id, fault }: SimulatedCapture): void {
    const { document, clock, machine } = this.#truth();
    const recording = document().recordings[recordingId];
    if (fault !== undefined || recording === undefined) return;
    // The clock may be wrong by its tolerance.
    const now = clock.now() + Math.min(Math.abs(machine.offsetMs), CLOCK_SLACK_MS);
    // Started by a clock that was fast.
    if (machine.wrong.length > 0 && recording.window.start > now) return;
    const orders = ordersNow(recording.timerId, this.#truth());
    const isWanted = orders.length > 0 && orders.every(({ event, forget }) => !forget && event.stop > now);
    if (!isWanted) return;
    this.broken(
      "R-18 only a forget, a fault or the end of the event stops a capture",
      `capture ${id} was stopped`,
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
        "R-02 a reported outage covers only downtime",
        overstatedOutage(after, downtimesOf(this.#truth()), clock.now()),
      );
    }
    if (before.recordings === after.recordings) return;
    const { tuners } = this.#truth();
    this.#found(
      "R-20 an untried tuner is used before one that failed",
      sameTunerAgain(before, after, tuners),
    );
    for (const recording of Object.values(after.recordings)) {
      const earlier = before.recordings[recording.id];
      if (earlier === recording) continue;
      if (earlier !== undefined && isTerminal(earlier.state) && earlier.state !== recording.state) {
        this.broken(
          "R-08 a final state never changes",
          `${earlier.state} became ${recording.state}`,
          recording.timerId,
        );
      }
      if (isTerminal(recording.state) && earlier?.state !== recording.state)
        this.#all(breachesAtEnd(recording, this.#truth()));
    }
  }

  /** Called periodically while the daemon is up. */
  hourly(): void {
    const { document, clock, captures, receivers, guide } = this.#truth();
    const now = clock.now();
    const recordings = Object.values(document().recordings);
    for (const { state, window, timerId, attempts } of recordings) {
      const late = now - window.stop > RETRIES_LAST_MS && !isTerminal(state) && !this.#wasTroubled(now);
      if (late)
        this.broken("R-06 a recording never outlives its window", `the recording is still ${state}`, timerId);
      const lately = attempts.filter(({ startedAt }) => startedAt > now - HOUR).length;
      if (lately > ATTEMPTS_PER_HOUR)
        this.broken("R-42 retries stay within their rate limit", `${lately} attempts in an hour`, timerId);
    }
    for (const { recordingId, id } of captures.running.values()) {
      const recording = document().recordings[recordingId];
      const isOver = recording === undefined || now - recording.window.stop > MINUTE;
      if (isOver && !this.#wasTroubled(now)) {
        this.broken(
          "R-06 a recording never outlives its window",
          `capture ${id} still runs`,
          recording?.timerId,
        );
      }
    }
    for (const { tunerId, from } of receivers.held()) {
      const isHeld =
        recordings.flatMap(runningAttempts).some((attempt) => attempt.tunerId === tunerId) ||
        Object.values(document().leases).some((lease) => lease.tunerId === tunerId);
      const isLeft = now - from > MINUTE && !isHeld;
      if (isLeft)
        this.broken("R-21 a tuner is released after use", `${tunerId} is held without an attempt or lease`);
    }
    this.#noReportIsLost();
    this.#clockIsWell(unnoticedClockBreak(this.#truth()));
    const requests = guide.requests - this.#requests;
    this.#requests = guide.requests;
    if (requests > REQUESTS_PER_HOUR)
      this.broken("R-42 retries stay within their rate limit", `${requests} requests in an hour`);
  }

  /** Called at the end, after the service has been well for long. */
  final(): void {
    const { document, captures, receivers, guide, shelf, ledger } = this.#truth();
    const { outbox, recordings } = document();
    const written = new Map(
      ledger.flatMap(({ recordingId, facts = {} }) => ("to" in facts ? [[recordingId, facts["to"]]] : [])),
    );
    for (const { id, state, timerId } of Object.values(recordings)) {
      const last = written.get(id);
      if (last !== state)
        this.broken(
          "R-10 the ledger contains every final state",
          `the recording is ${state}, but the ledger has ${last}`,
          timerId,
        );
    }
    if (outbox.length > 0) {
      this.broken(
        "R-43 a waiting report is delivered once the service recovers",
        `${outbox.length} reports are still in the outbox`,
        outbox[0]?.timerId,
      );
    }
    if (captures.running.size > 0 || receivers.held().length > 0) {
      this.broken("R-21 a tuner is released after use", `${captures.running.size} captures still run`);
    }
    for (const { id, timerId, state, evidence } of Object.values(recordings)) {
      if (!isTerminal(state))
        this.broken("R-06 a recording never outlives its window", `the recording is still ${state}`, timerId);
      const spans = captures.spansOf(id);
      const isLost =
        shelf.lost(id).length > 0 || (spans.length > 0 && !shelf.files.has(evidence?.file ?? ""));
      if (isLost) this.broken("R-29 recorded payload is never lost", "no file contains the payload", timerId);
    }
    this.#found("R-08 no report is lost", missingReport(this.#truth()));
    this.#found("R-16 an event with a new id has one recording", twiceRecorded(this.#truth()));
    this.#all(breachesOfRepeats(this.#truth()));
    for (const timer of guide.timersById.values())
      this.#all(breachesOfTimer(timer, Object.values(recordings)));
    for (const [id, told] of guide.junk) {
      if (!told.some(({ state }) => state === "failed"))
        this.broken("R-15 a malformed entry is reported as failed", `entry ${id} was not reported`, id);
    }
  }

  /** Depends on the document and the service's timers alone: nothing new about the same ones. */
  #noReportIsLost(): void {
    const truth = this.#truth();
    const { outbox, recordings, refusedStates } = truth.document();
    const by = [outbox, recordings, refusedStates, truth.guide.version];
    if (sameItems(by, this.#reportsSeen)) return;
    this.#reportsSeen = by;
    this.#found("R-08 no report is lost", missingReport(truth));
  }

  #clockIsWell(found: Breach | undefined): void {
    if (found !== undefined) this.broken(found.invariant, found.text);
  }

  #ordersChanged(before: DaemonDocument, after: DaemonDocument): void {
    if (before.timers === after.timers && before.channels === after.channels) return;
    const { guide } = this.#truth();
    this.#found("R-14 an unchanged timer is never rewritten", falseChange(before, after));
    const changed = Object.entries(after.timers).find(([id, timer]) => before.timers[id] !== timer);
    if (changed === undefined && before.channels === after.channels) return;
    if (guide.goodAnswers === this.#answersUsed) {
      this.broken(
        "R-11 only a valid answer changes timers",
        "timers or channels changed without a valid answer",
        changed?.[0],
      );
    }
    this.#answersUsed = guide.goodAnswers;
  }

  #wasTroubled(now: EpochMs): boolean {
    const { document, captures } = this.#truth();
    const since = now - RETRIES_LAST_MS;
    if (document().clock?.doubt !== undefined || this.#doubtedAt > since) return true;
    return captures.wasOfflineSince(since) || downtimesOf(this.#truth()).some(({ to = now }) => to > since);
  }
}
