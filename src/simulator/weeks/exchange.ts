import { TIME_LIMITS } from "../../kit/time/limits.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import { isTerminal, type Recording } from "../../model/recording.ts";
import { type DurationMs, type EpochMs, MINUTE, SECOND } from "../../model/time.ts";
import type { ReportContent, Timer } from "../../model/timer.ts";
import { lengthMs, overlaps, uncovered } from "../../model/window.ts";
import type { DaemonDocument } from "../../recorder/engine/core/document.ts";
import { ENGINE_LIMITS } from "../../recorder/engine/core/limits.ts";
import type { Downtime } from "./machine.ts";
import type { TrueTimer } from "./true-timer.ts";
import { downtimesOf, type Truth } from "./truth.ts";

/** A fault in the exchange between recorder and service, with its timer. */
export interface Finding {
  readonly text: string;
  readonly timerId?: string;
}

/** A list served this recently may not be in the document yet. */
export const NEWS_MS: DurationMs = 2 * SECOND;

/** The orders that may hold for the daemon now: the latest that it must know, and all later ones. */
export function ordersNow(timerId: string, { guide, clock }: Truth): TrueTimer["served"] {
  const served = guide.timersById.get(timerId)?.served ?? [];
  const known = served.findLastIndex(({ at }) => at <= clock.now() - NEWS_MS);
  return served.slice(Math.max(0, known));
}

/** A `forget` from an earlier list whose timer still has something to record. */
export function missedForget(
  { guide, document, clock, downtimes }: Truth,
  newsMs: DurationMs,
): Finding | undefined {
  const now = clock.now();
  const recordings = Object.values(document().recordings);
  for (const [timerId, { served, removed }] of guide.timersById) {
    const last = served.at(-1);
    if (last === undefined || !last.forget || removed !== undefined || now - last.at <= newsMs) continue;
    // The list may have reached a recorder that ended before it processed it.
    if (downtimes.some(({ to = now }) => to > last.at)) continue;
    const open = recordings.find(
      (each) => each.timerId === timerId && !each.withdrawn && !isTerminal(each.state),
    );
    if (open !== undefined) return { timerId, text: `the recording is still ${open.state} after a forget` };
  }
  return undefined;
}

/** The latest due report of a recording that the service does not have. */
export function missingReport({ guide, document }: Truth): Finding | undefined {
  const { outbox, recordings, refusedStates } = document();
  const waiting = new Set(outbox.map(({ timerId }) => timerId));
  const latest = new Map(Object.values(recordings).map((recording) => [recording.timerId, recording]));
  for (const { timerId, reported, withdrawn } of latest.values()) {
    const timer = guide.timersById.get(timerId);
    if (reported === undefined || timer === undefined || waiting.has(timerId)) continue;
    if (withdrawn || timer.forget || timer.removed !== undefined) continue;
    const { state, message } = reported;
    if (state !== undefined && !refusedStates.includes(state) && timer.state !== state) {
      return { timerId, text: `${state} was reported, but the service has ${timer.state}` };
    }
    // The report on a temporarily unreadable entry replaces the waiting one.
    const isBeside = timer.reports.some((each) => each.message.startsWith("Recorded as ordered before"));
    if (!isBeside && !timer.reports.some((each) => each.message === message)) {
      return { timerId, text: `the service never received “${message}”` };
    }
  }
  return undefined;
}

/** The service accepted the latest report without its state. */
export function stateLost(
  { booking: { timerId }, forget, state }: TrueTimer,
  { message }: ReportContent,
  { document }: Truth,
): Finding | undefined {
  const { recordings, refusedStates } = document();
  const recording = Object.values(recordings).findLast((each) => each.timerId === timerId);
  const reported = recording?.reported;
  if (reported?.state === undefined || reported.message !== message || forget) return undefined;
  if (refusedStates.includes(reported.state) || state === reported.state) return undefined;
  return { timerId, text: `the service received “${message}” without ${reported.state}, and has ${state}` };
}

/** The longest silence of a live recorder: a heartbeat, and the wait slice. */
const SILENCE_MS = ENGINE_LIMITS.heartbeatMs + TIME_LIMITS.waitSliceMs + 5 * SECOND;

/** A reported outage that includes a time in which the recorder was up. */
export function overstatedOutage(
  { outages }: DaemonDocument,
  downtimes: readonly Downtime[],
  now: EpochMs,
): Finding | undefined {
  const outage = outages.at(-1);
  if (outage === undefined) return undefined;
  const off = downtimes.map(({ from, to = now }) => ({ start: from, stop: to }));
  const alive = uncovered(outage, off).find((span) => lengthMs(span) > SILENCE_MS);
  return alive === undefined
    ? undefined
    : { text: `the outage includes ${lengthMs(alive) / SECOND} s in which the recorder was up` };
}

/** A timer treated as changed although its order is the same. */
export function falseChange(before: DaemonDocument, after: DaemonDocument): Finding | undefined {
  const same = Object.entries(after.timers).find(([id, timer]) => {
    const earlier = before.timers[id];
    return earlier !== undefined && earlier !== timer && orderText(earlier) === orderText(timer);
  });
  return same === undefined
    ? undefined
    : { timerId: same[0], text: "the timer was rewritten without a change" };
}

/** Our own reports are no news from the service. */
function orderText({ state: _ours, ...order }: Timer): string {
  return JSON.stringify(order);
}

/** One event under two ids with two recordings. */
export function twiceRecorded({ guide, document }: Truth): Finding | undefined {
  const kept = Object.values(document().recordings).filter(({ state }) => state !== "cancelled");
  for (const [timerId, { removed }] of guide.timersById) {
    if (removed !== "rekeyed") continue;
    const before = kept.filter((each) => each.timerId === timerId);
    const after = kept.filter((each) => each.timerId === `${timerId}0`);
    const pair = before.find((one) => after.some((other) => isSameEvent(one, other)));
    if (pair !== undefined) return { timerId, text: "the event was recorded under both ids" };
  }
  return undefined;
}

function isSameEvent(one: Recording, other: Recording): boolean {
  return overlaps(one.event, other.event) && Math.abs(one.event.start - other.event.start) <= 5 * MINUTE;
}

/** The longest Retry-After with 10 % jitter, plus the duration of a request. */
const ASK_AGAIN_MS = 1.1 * MODEL_LIMITS.guideRetryAfterMsMax + 2 * MINUTE;

/** A live recorder left the service unpolled for longer than any back-off. */
export function longSilence(truth: Truth, polledAt: EpochMs | undefined): Finding | undefined {
  const now = truth.clock.now();
  if (polledAt === undefined || now - polledAt <= ASK_AGAIN_MS) return undefined;
  if (downtimesOf(truth).some(({ to = now }) => to > polledAt)) return undefined;
  return { text: `the recorder polled only ${(now - polledAt) / MINUTE} minutes after the last poll` };
}

/** Whether the wall clock was set, or the machine woke up, in the last minute. */
export function wasJustSet({ clock, machine }: Truth): boolean {
  const since = clock.now() - MINUTE;
  return [...machine.wrong, ...machine.sleeps].some(({ from, to = from }) => Math.max(from, to) >= since);
}
