import type { Attempt } from "../../model/attempt.ts";
import { attemptId } from "../../model/attempt.ts";
import { LIMITS } from "../../model/limits.ts";
import type { Recording } from "../../model/recording.ts";
import { multiplexKey, type Triplet, tripletKey } from "../../model/service.ts";
import { HOUR, SECOND } from "../../model/time.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";
import {
  coveredMs,
  intersection,
  lengthMs,
  merged,
  overlaps,
  padded,
  uncovered,
  type Window,
} from "../../model/window.ts";
import type { SimulatedCapture } from "./captures.ts";
import { ABSENCE, CLOCK_SLACK_MS, POLICY } from "./setting.ts";
import { away, type Truth } from "./truth.ts";

const FOREVER = Number.POSITIVE_INFINITY;
/** To come up, poll, plan, tune and get the first payload. */
const BEGIN_MS = 8 * SECOND;
/** The longest wait between two attempts, where two recordings take turns at one tuner, and then to begin. */
const AGAIN_MS = 70 * SECOND;
/** A clock that is set, and sleep, are noticed within one wait. */
const NOTICED_MS = LIMITS.waitSliceMs;
/** What is missing for less has no need of a cause: seams, edges, delays of starting. */
const UNREMARKABLE_MS = 4 * SECOND;

/** The parts of a recording's event that are neither on disk nor missing for a cause that the truth knows. */
export function unexplained(recording: Recording, truth: Truth): readonly Window[] {
  const spans = truth.captures.spansOf(recording.id);
  const gaps = uncovered(recording.event, spans).filter((gap) => lengthMs(gap) > UNREMARKABLE_MS);
  if (gaps.length === 0) return [];
  const causes = merged([
    ...truth.downtimes.map(({ from, to = FOREVER }) => ({ start: from, stop: to + BEGIN_MS })),
    ...truth.machine.sleeps.map(({ from, to = FOREVER }) => ({
      start: from,
      stop: to + NOTICED_MS + BEGIN_MS,
    })),
    // What falls due by a wrong clock falls due at another time.
    ...truth.machine.wrong.map(({ from, to = FOREVER }) => ({
      start: from - AGAIN_MS,
      stop: to + NOTICED_MS + AGAIN_MS,
    })),
    ...truth.captures.unwritable.map(({ start, stop }) => ({ start, stop: stop + AGAIN_MS })),
    ...notOrdered(recording, truth),
    ...failedAttempts(recording, truth),
    ...(recording.service === undefined ? [] : noTunerFor(recording.service, recording.event, truth)),
  ]);
  return gaps.flatMap((gap) => uncovered(gap, causes)).filter((gap) => lengthMs(gap) > UNREMARKABLE_MS);
}

/** When the recorder could not know that this was to be recorded: what it had been told then was something else. */
function notOrdered({ timerId, padding, trim }: Recording, { guide }: Truth): readonly Window[] {
  const { served: orders = [], absences = [] } = guide.timersById.get(timerId) ?? {};
  const first = orders[0]?.at ?? FOREVER;
  return [
    { start: 0, stop: first + BEGIN_MS },
    // What is absent for long is taken for withdrawn.
    ...absences
      .map(({ from, to = FOREVER }) => ({ start: from, stop: to + BEGIN_MS }))
      .filter((spell) => lengthMs(spell) >= ABSENCE.confirmMs),
    ...orders.flatMap(({ at, event, forget }, index): readonly Window[] => {
      const before = orders[index - 1]?.event;
      const over =
        before === undefined ? FOREVER : Math.min(padded(before, padding).stop, trim?.span.stop ?? FOREVER);
      // What ended was closed: a longer event that is heard of only then is not taken up again.
      if (at >= over) return [{ start: over, stop: FOREVER }];
      const meanwhile = { start: at, stop: orders[index + 1]?.at ?? FOREVER };
      return [
        ...uncovered(meanwhile, forget ? [] : [padded(event, padding)]),
        { start: at, stop: at + BEGIN_MS },
      ];
    }),
  ];
}

/** Attempts that ended early because of something that really happened to them. */
function failedAttempts(recording: Recording, truth: Truth): readonly Window[] {
  return recording.attempts.flatMap((attempt): readonly Window[] => {
    const capture = truth.captures.all.get(attemptId(recording.id, attempt.number));
    const fault = capture?.fault;
    const { startedAt: start, endedAt = FOREVER } = attempt;
    // A full disk ends a recording for good.
    if (attempt.cause === "DISK_FULL") return [{ start, stop: FOREVER }];
    if (fault === undefined && !wasHindered(attempt, truth)) return [];
    // There is nothing to wait for: its tuner is there, and another host comes at once.
    if (isCutOff(capture) && !wasHindered(attempt, truth)) return [];
    return [{ start: fault === undefined ? start : endedAt - AGAIN_MS, stop: endedAt + AGAIN_MS }];
  });
}

/** By the death of the capture host, after it had delivered for a while. */
function isCutOff(capture: SimulatedCapture | undefined): boolean {
  if (capture?.diedWithHost !== true) return false;
  return (capture.endedAt ?? 0) - capture.startedAt >= LIMITS.briefAttemptMs;
}

function wasHindered({ tunerId, startedAt, endedAt = FOREVER }: Attempt, truth: Truth): boolean {
  const during = { start: startedAt, stop: endedAt + 1 };
  const byTuner = truth.receivers.troubles.some(
    (trouble) =>
      trouble.tunerId === tunerId && overlaps({ start: trouble.from, stop: trouble.until }, during),
  );
  const wasOff = away(truth).some(({ from, to = FOREVER }) =>
    overlaps({ start: from, stop: to + 1 }, during),
  );
  return byTuner || wasOff;
}

/** When every tuner that can receive the service was taken by others, or out of order. */
function noTunerFor(service: Triplet, event: Window, truth: Truth): readonly Window[] {
  const capable = truth.tuners.filter((tuner) => canReceive(tuner, tripletKey(service)));
  return capable
    .map((tuner) => merged([...unavailable(tuner, service, truth)].map((window) => kept(window, event))))
    .reduce<readonly Window[]>((both, other) => common(both, other), [{ start: 0, stop: FOREVER }]);
}

/** What has begun is not ended for another one: a tuner that is needed by others before the event is over is kept for them. */
function kept({ start, stop }: Window, event: Window): Window {
  return { start: start < event.stop ? Math.min(start, event.start) : start, stop };
}

function unavailable(tuner: TunerFacts, service: Triplet, { receivers }: Truth): readonly Window[] {
  const multiplex = multiplexKey(service);
  const uses = receivers.uses
    .filter(({ tunerId }) => tunerId === tuner.id)
    .map(({ from, to = FOREVER, ...use }) => ({ ...use, start: from, stop: to }));
  const atOnce = tuner.servicesAtOnce(multiplex);
  const same = uses.filter((use) => use.multiplex === multiplex);
  const full = same.filter((use) => {
    const beside = same.filter((other) => other !== use && overlaps(other, use));
    return 1 + beside.length >= atOnce;
  });
  const taken = [...uses.filter((use) => use.multiplex !== multiplex), ...full];
  return merged([
    ...taken.map(({ start, stop }) => ({ start: start - BEGIN_MS, stop: stop + BEGIN_MS })),
    ...receivers.troubles
      .filter(({ tunerId }) => tunerId === tuner.id)
      .map(({ from, until }) => ({ start: from - BEGIN_MS, stop: until + AGAIN_MS })),
  ]);
}

function common(some: readonly Window[], others: readonly Window[]): readonly Window[] {
  return some.flatMap((one) =>
    others.filter((other) => overlaps(one, other)).map((other) => intersection(one, other)),
  );
}

/** What stopped being written shortly before the clock was set, with no daemon there to see in which order that was. */
function isUndatable({ stop }: Window, truth: Truth): boolean {
  const settings = truth.machine.wrong.flatMap(({ from, to = FOREVER }) => [from, to]);
  return settings.some(
    (at) =>
      at >= stop &&
      (at - stop < AGAIN_MS ||
        away(truth).some(({ from, to = FOREVER }) => from < stop + AGAIN_MS && to >= at)),
  );
}

/** Whether so much of the event is on disk that it counts as whole. The clock of a stream is a little off: no judging by milliseconds. */
export function isCovered(
  { event }: Recording,
  { spans, truth }: { readonly spans: readonly Window[]; readonly truth: Truth },
): "yes" | "no" | "about" {
  const missing = POLICY.completeFrom * lengthMs(event) - coveredMs(event, spans);
  // A clock that is trusted may be off by as much as it is allowed to be.
  const wasOff = truth.machine.wrong.some(({ from, to = FOREVER }) =>
    overlaps({ start: from - HOUR, stop: to + HOUR }, event),
  );
  if (spans.some((span) => isUndatable(span, truth))) return "about";
  if (Math.abs(missing) < (wasOff ? CLOCK_SLACK_MS : SECOND / 2)) return "about";
  return missing < 0 ? "yes" : "no";
}
