import type { Recording } from "../../model/recording.ts";
import { uncovered, type Window } from "../../model/window.ts";
import { iso } from "../iso.ts";
import { isCovered, unexplained } from "./causes.ts";
import { clockNotNamed, endedByAWrongClock } from "./clock-invariants.ts";
import { NEWS_MS, ordersNow } from "./exchange.ts";
import type { Breach } from "./invariant.ts";
import { leftEarly } from "./overruns.ts";
import { ABSENCE } from "./setting.ts";
import { sameWindow, type TrueTimer } from "./true-timer.ts";
import { downtimesOf, type Truth } from "./truth.ts";

/** Checks a timer, as the service has it, at the end of the simulation. */
export function* breachesOfTimer(timer: TrueTimer, recordings: readonly Recording[]): Iterable<Breach> {
  const { booking, served, forget, removed, state } = timer;
  const { timerId } = booking;
  const [first] = served;
  const last = served.at(-1);
  if (first === undefined || last === undefined || removed === "gone" || removed === "rekeyed") return;
  if (removed === "cancelled") return;
  if (forget) {
    if (removed !== "acknowledged")
      yield {
        invariant: "R-08 the service receives every outcome",
        text: "the forget was not acknowledged",
        timerId,
      };
    return;
  }
  const kept = recordings.filter((each) => each.timerId === timerId && each.state !== "cancelled");
  // A recording that ended for an earlier event, right before the move became known, does not count for the move.
  const newsMs = (each: Recording) => (sameWindow(each.event, last.event) ? NEWS_MS : 0);
  const later = kept.filter((each) => (each.endedAt ?? 0) > last.at - newsMs(each));
  // After a long absence that ended only after the event, the order cannot be known.
  if (kept.length === 0 && timer.absences.some(({ from, to = Infinity }) => to - from >= ABSENCE.confirmMs))
    return;
  if (kept.length === 0 || later.length > 1) {
    yield {
      invariant: "R-01 every timer has exactly one outcome",
      text: `the timer has ${kept.length} recordings`,
      timerId,
    };
  }
  const final = kept.at(-1);
  const expected = final?.state === "completed" ? "completed" : "failed";
  if (state !== expected) {
    yield {
      invariant: "R-08 the service receives every outcome",
      text: `the service has ${state}, but the recording is ${final?.state}`,
      timerId,
    };
  }
}

/** Checks a recording that has just ended. */
export function* breachesAtEnd(recording: Recording, truth: Truth): Iterable<Breach> {
  const { timerId, id, state, attempts } = recording;
  const { captures, clock, guide } = truth;
  const orders = ordersNow(timerId, truth);
  if (state === "cancelled") {
    const spell = guide.timersById.get(timerId)?.absences.at(-1);
    const isAbsent = spell !== undefined && clock.now() - spell.from >= ABSENCE.confirmMs;
    const timer = guide.timersById.get(timerId);
    const isForgotten = timer?.served.some(({ forget }) => forget) === true || timer?.removed === "cancelled";
    if (!isForgotten && !isAbsent) {
      yield {
        invariant: "R-12 only a forget or a confirmed absence cancels a recording",
        text: "the recording was cancelled without a forget or an absence",
        timerId,
      };
    }
    return;
  }
  const clockBreak = endedByAWrongClock(recording, truth);
  if (clockBreak !== undefined) yield { ...clockBreak, timerId };
  const spans = captures.spansOf(id);
  if (state === "completed") yield* breachesOfCompleteness(recording, truth);
  yield* leftEarly(recording, truth);
  const isWhole = isCovered(recording, { spans, truth }) === "yes";
  if (isWhole || (state === "failed" && spans.length > 0) || (state === "partial" && spans.length === 0)) {
    if (state !== "completed")
      yield {
        invariant: "R-04 the final state matches the coverage",
        text: `the recording is ${state} despite ${isWhole ? "full" : spans.length > 0 ? "some" : "no"} coverage`,
        timerId,
      };
  }
  if (state === "missed" && attempts.length > 0) {
    yield {
      invariant: "R-01 every timer has exactly one outcome",
      text: "the recording became missed after an attempt",
      timerId,
    };
  }
  if (!orders.some(({ event }) => sameWindow(event, recording.event))) {
    yield {
      invariant: "R-18 a recording follows the latest version of its timer",
      text: "the recording ended with an outdated event",
      timerId,
    };
  }
  const off: readonly Window[] = downtimesOf(truth).map(({ from, to = clock.now() }) => ({
    start: from,
    stop: to,
  }));
  const isOld = orders[0] !== undefined && orders[0].at < recording.window.start;
  const wasOff = isOld && uncovered(recording.window, off).length === 0;
  const unnamed = isOld ? clockNotNamed(recording, truth) : undefined;
  if (unnamed !== undefined) yield { ...unnamed, timerId };
  if (
    state === "missed" &&
    wasOff &&
    recording.reported !== undefined &&
    !/was (off|asleep)/.test(recording.reported.message)
  ) {
    yield {
      invariant: "R-01 a recording missed during an outage names the outage",
      text: `the report is “${recording.reported.message}”`,
      timerId,
    };
  }
  const isMissed = attempts.every(({ startedAt }) => startedAt >= recording.window.stop);
  if (state !== "missed" && wasOff && isMissed && spans.length === 0) {
    yield {
      invariant: "R-01 a recording missed during an outage names the outage",
      text: `the recording is ${state} instead of missed`,
      timerId,
    };
  }
  const [gap] = unexplained(recording, truth);
  if (gap !== undefined) {
    const text = `${iso(gap.start)} to ${iso(gap.stop)} is missing without a known cause (${state})`;
    yield { invariant: "R-20 every gap in a recording has a cause", text, timerId };
  }
}

/** A recording reported as complete must be complete. */
export function* breachesOfCompleteness(recording: Recording, truth: Truth): Iterable<Breach> {
  const spans = truth.captures.spansOf(recording.id);
  if (isCovered(recording, { spans, truth }) !== "no") return;
  const text = "the recording is completed without full coverage";
  yield { invariant: "R-04 the final state matches the coverage", text, timerId: recording.timerId };
}
