import { TIME_LIMITS } from "../../kit/time/limits.ts";
import type { Attempt } from "../../model/attempt.ts";
import { attemptId } from "../../model/attempt.ts";
import { plannedSpan, type Recording } from "../../model/recording.ts";
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
import { ENGINE_LIMITS } from "../../recorder/engine/core/limits.ts";
import type { SimulatedCapture } from "./captures.ts";
import { ABSENCE, CLOCK_SLACK_MS, POLICY } from "./setting.ts";
import { downtimesOf, type Truth } from "./truth.ts";
import { blindSpells } from "./wrong-clock.ts";

const FOREVER = Number.POSITIVE_INFINITY;
/** Time to start, poll, plan, tune and get the first payload. */
const BEGIN_MS = 8 * SECOND;
/** The longest wait between two attempts, if two recordings alternate on one tuner, plus the start. */
const AGAIN_MS = 70 * SECOND;
/** A clock step or sleep is noticed within one wait. */
const NOTICED_MS = TIME_LIMITS.waitSliceMs;
/** Shorter gaps need no cause: seams, edges, start delays. */
const UNREMARKABLE_MS = 4 * SECOND;

/** The parts of a recording's event that are neither on disk nor missing for a known cause. */
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
    // A wrong clock makes everything due at another time.
    ...blindSpells(truth, AGAIN_MS),
    ...truth.captures.unwritable.map(({ start, stop }) => ({ start, stop: stop + AGAIN_MS })),
    ...notOrdered(recording, truth),
    ...failedAttempts(recording, truth),
    ...(recording.service === undefined ? [] : noTunerFor(recording.service, recording, truth)),
  ]);
  return gaps.flatMap((gap) => uncovered(gap, causes)).filter((gap) => lengthMs(gap) > UNREMARKABLE_MS);
}

/** Times at which the recorder could not know the order: it had received a different one. */
function notOrdered({ timerId, padding, trim }: Recording, { guide }: Truth): readonly Window[] {
  const { served: orders = [], absences = [] } = guide.timersById.get(timerId) ?? {};
  const first = orders[0]?.at ?? FOREVER;
  return [
    { start: 0, stop: first + BEGIN_MS },
    // A long absence means withdrawal.
    ...absences
      .map(({ from, to = FOREVER }) => ({ start: from, stop: to + BEGIN_MS }))
      .filter((spell) => lengthMs(spell) >= ABSENCE.confirmMs),
    ...orders.flatMap(({ at, event, forget }, index): readonly Window[] => {
      const before = orders[index - 1]?.event;
      const over =
        before === undefined ? FOREVER : Math.min(padded(before, padding).stop, trim?.span.stop ?? FOREVER);
      // A closed recording stays closed: a longer event announced only later is not resumed.
      if (at >= over) return [{ start: over, stop: FOREVER }];
      const meanwhile = { start: at, stop: orders[index + 1]?.at ?? FOREVER };
      return [
        ...uncovered(meanwhile, forget ? [] : [padded(event, padding)]),
        { start: at, stop: at + BEGIN_MS },
      ];
    }),
  ];
}

/** Attempts that ended early because of a real fault. */
function failedAttempts(recording: Recording, truth: Truth): readonly Window[] {
  return recording.attempts.flatMap((attempt): readonly Window[] => {
    const capture = truth.captures.all.get(attemptId(recording.id, attempt.number));
    const fault = capture?.fault;
    const { startedAt: start, endedAt = FOREVER } = attempt;
    // A full disk ends a recording for good.
    if (attempt.cause === "DISK_FULL") return [{ start, stop: FOREVER }];
    if (fault === undefined && !wasHindered(attempt, truth)) return [];
    // The next attempt starts at once: the tuner is there, and another host follows.
    if (isCutOff(capture) && !wasHindered(attempt, truth)) return [];
    return [{ start: fault === undefined ? start : endedAt - AGAIN_MS, stop: endedAt + AGAIN_MS }];
  });
}

/** Ended by the death of the capture host, after some payload. */
function isCutOff(capture: SimulatedCapture | undefined): boolean {
  if (capture?.diedWithHost !== true) return false;
  return (capture.endedAt ?? 0) - capture.startedAt >= ENGINE_LIMITS.briefAttemptMs;
}

function wasHindered({ tunerId, startedAt, endedAt = FOREVER }: Attempt, truth: Truth): boolean {
  const during = { start: startedAt, stop: endedAt + 1 };
  const byTuner = truth.receivers.troubles.some(
    (trouble) =>
      trouble.tunerId === tunerId && overlaps({ start: trouble.from, stop: trouble.until }, during),
  );
  const wasOff = downtimesOf(truth).some(({ from, to = FOREVER }) =>
    overlaps({ start: from, stop: to + 1 }, during),
  );
  return byTuner || wasOff;
}

/** Times at which every tuner for the service was occupied, faulty or kept for another recording. */
function noTunerFor(service: Triplet, { id, event }: Recording, truth: Truth): readonly Window[] {
  const capable = truth.tuners.filter((tuner) => canReceive(tuner, tripletKey(service)));
  return capable
    .map((tuner) =>
      merged([
        ...unavailable(tuner, service, truth).map((window) => keptForOthers(window, event)),
        ...keptInVain(tuner, service, truth)
          .filter((other) => other.id !== id && overlaps(plannedSpan(other), event))
          .map((other) => keptSpan(other, truth)),
      ]),
    )
    .reduce<readonly Window[]>((both, other) => common(both, other), [{ start: 0, stop: FOREVER }]);
}

/** A running recording is not ended for another one: a tuner that others need before the event is over stays theirs. */
function keptForOthers({ start, stop }: Window, event: Window): Window {
  return { start: start < event.stop ? Math.min(start, event.start) : start, stop };
}

/** Recordings of other multiplexes on this tuner that a disturbance of the whole machine kept from every attempt. */
function keptInVain({ id }: TunerFacts, service: Triplet, truth: Truth): readonly Recording[] {
  const off = downtimesOf(truth).map(({ from, to = FOREVER }) => ({ start: from, stop: to }));
  const disturbed = [...off, ...blindSpells(truth, 0)];
  return Object.values(truth.document().recordings).filter(
    (other) =>
      other.tunerId === id &&
      other.attempts.length === 0 &&
      other.state !== "cancelled" &&
      other.service !== undefined &&
      multiplexKey(other.service) !== multiplexKey(service) &&
      uncovered(other.event, disturbed).length === 0,
  );
}

/** From the order on. */
function keptSpan(other: Recording, { guide }: Truth): Window {
  const [order] = guide.timersById.get(other.timerId)?.served ?? [];
  const { stop } = plannedSpan(other);
  return { start: Math.min(order?.at ?? stop, stop), stop };
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

/** Ended shortly before the clock was set, while no daemon could see the order of the two. */
function isUndatable({ stop }: Window, truth: Truth): boolean {
  const settings = truth.machine.wrong.flatMap(({ from, to = FOREVER }) => [from, to]);
  return settings.some(
    (at) =>
      at >= stop &&
      (at - stop < AGAIN_MS ||
        downtimesOf(truth).some(({ from, to = FOREVER }) => from < stop + AGAIN_MS && to >= at)),
  );
}

/**
 * Whether enough of the event is on disk to count as complete. A stream's clock is slightly off, so milliseconds do not count.
 */
export function isCovered(
  { event }: Recording,
  { spans, truth }: { readonly spans: readonly Window[]; readonly truth: Truth },
): "yes" | "no" | "about" {
  const missing = POLICY.completeFrom * lengthMs(event) - coveredMs(event, spans);
  // A trusted clock may be off by its tolerance.
  const wasOff = truth.machine.wrong.some(({ from, to = FOREVER }) =>
    overlaps({ start: from - HOUR, stop: to + HOUR }, event),
  );
  if (spans.some((span) => isUndatable(span, truth))) return "about";
  if (Math.abs(missing) < (wasOff ? CLOCK_SLACK_MS : SECOND / 2)) return "about";
  return missing < 0 ? "yes" : "no";
}
