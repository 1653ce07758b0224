import { attemptId, runningAttempts } from "../../model/attempt.ts";
import type { Recording } from "../../model/recording.ts";
import { MINUTE, SECOND } from "../../model/time.ts";
import { lengthMs, overlaps, padded, uncovered, type Window } from "../../model/window.ts";
import { stopOf } from "./air.ts";
import type { Breach } from "./invariant.ts";
import { POLICY } from "./setting.ts";
import { sameWindow } from "./true-timer.ts";
import { downtimesOf, type Truth } from "./truth.ts";

const FOREVER = Number.POSITIVE_INFINITY;
/** Time to notice that another event has begun, and to end. */
const SLACK_MS = 4 * SECOND;
/** Another recording's claim this close is reason enough. */
const NEAR_MS = 10 * MINUTE;

/** A recording that ended before an overrunning event did, although nothing prevented it. */
export function* leftEarly(recording: Recording, truth: Truth): Iterable<Breach> {
  const overrun = truth.air.overrunOf(recording.timerId);
  if (overrun === undefined) return;
  const { event, padding, timerId, id } = recording;
  const ordered = padded(event, padding).stop;
  const stop = Math.min(stopOf(overrun), ordered + POLICY.follow.extendMs);
  const whole = { start: event.start, stop };
  if (stop <= ordered || !sameWindow(event, overrun.timer.event) || isDisturbed(recording, whole, truth))
    return;
  const more = { start: event.stop, stop };
  const missing = uncovered(more, truth.captures.spansOf(id)).filter((gap) => lengthMs(gap) > SLACK_MS);
  const [gap] = missing;
  if (gap === undefined) return;
  const text = `${Math.round(lengthMs(gap) / SECOND)} s of the overrun are missing`;
  yield { invariant: "R-41 a recording continues through an overrun", text, timerId };
}

/** Whether a disturbance occurred meanwhile; other invariants cover that time. */
function isDisturbed({ id, timerId, attempts }: Recording, whole: Window, truth: Truth): boolean {
  const { captures, guide, machine, document } = truth;
  const near = { start: whole.start - NEAR_MS, stop: whole.stop + NEAR_MS };
  const timer = guide.timersById.get(timerId);
  const capture = captures.all.get(attemptId(id, 1));
  if (attempts.length !== 1 || capture?.fault !== undefined) return true;
  const [order, ...news] = timer?.served ?? [];
  if (order === undefined || order.at > whole.start || news.length > 0) return true;
  if (timer === undefined || timer.absences.length > 0) return true;
  const spells = [...downtimesOf(truth), ...machine.wrong].map(({ from, to = FOREVER }) => ({
    start: from,
    stop: to,
  }));
  if ([...spells, ...captures.unwritable].some((spell) => overlaps(spell, near))) return true;
  const others = Object.values(document().recordings).filter((other) => other.id !== id);
  return others.some(
    (other) => overlaps(padded(other.event, other.padding), near) || runningAttempts(other).length > 0,
  );
}
