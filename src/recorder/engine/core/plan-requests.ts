import { currentAttempt } from "../../../model/attempt.ts";
import { isHealing } from "../../../model/healing.ts";
import type { Health } from "../../../model/health.ts";
import type { PlanRequest } from "../../../model/plan.ts";
import { endOf, type Recording } from "../../../model/recording.ts";
import { hasYetToBegin } from "../../../model/repeat.ts";
import { multiplexKey } from "../../../model/service.ts";
import { type EpochMs, MINUTE } from "../../../model/time.ts";
import { coveredMs, lengthMs, padded, type Window } from "../../../model/window.ts";
import type { Draft, World } from "./draft.ts";

export function requestsOfAll(open: readonly Recording[], world: RequestWorld): readonly PlanRequest[] {
  const requests: PlanRequest[] = [];
  for (const recording of open) for (const request of requestsOf(recording, world)) requests.push(request);
  return requests;
}

/** The inputs of a plan request. */
export type RequestWorld = Pick<World, "now" | "policy"> & { readonly health: Health };

export function planWorld({
  airNow,
  world,
  document,
}: Pick<Draft, "airNow" | "world" | "document">): RequestWorld {
  return { now: airNow, policy: world.policy, health: document.health };
}

interface CachedRequests {
  readonly completeFrom: number;
  /** The weak tuners of its multiplex, and of all: the same object until a lesson changes it. */
  readonly weak: PlanRequest["weak"];
  readonly allWeak: Health["weak"];
  readonly requests: readonly PlanRequest[];
  /** The end of the cache entry's validity. */
  readonly until: EpochMs;
}

/** Recordings are values: the request stays the same until its event begins without it, or its time is over. */
const REQUEST_CACHE = new WeakMap<Recording, CachedRequests>();

/** A recording's requests to the plan: none if it is over or about to end, or has no known service. */
export function requestsOf(recording: Recording, world: RequestWorld): readonly PlanRequest[] {
  const { completeFrom } = world.policy;
  const { weak: allWeak } = world.health;
  const known = REQUEST_CACHE.get(recording);
  const isKnown = known?.completeFrom === completeFrom && world.now <= known.until;
  if (isKnown && known.allWeak === allWeak) return known.requests;
  // It is over and kept from ending: it needs no more, but may keep its tuner.
  if (world.now >= endOf(recording) && currentAttempt(recording) === undefined) return [];
  const { service } = recording;
  const weak = service === undefined ? undefined : allWeak[multiplexKey(service)];
  const requests = isKnown && known.weak === weak ? known.requests : buildRequests(recording, world, weak);
  const until = cacheExpiry(recording, requests);
  if (world.now <= until) REQUEST_CACHE.set(recording, { completeFrom, weak, allWeak, requests, until });
  return requests;
}

function buildRequests(
  recording: Recording,
  { now, policy }: Pick<World, "now" | "policy">,
  weak: PlanRequest["weak"],
): readonly PlanRequest[] {
  const { id: recordingId, service, window, event, priority, tunerId, state } = recording;
  // A closing recording frees its tuner in a moment. `begin` waits for that, the plan need not.
  if (service === undefined || state === "closing") return [];
  const lateMs = Math.floor((1 - policy.completeFrom) * lengthMs(event));
  const avoid = recentlyFailedTuners(recording);
  const repeats = repeatRequests(recording, now);
  const request = {
    recordingId,
    service,
    priority,
    lateMs,
    avoid,
    ...(weak === undefined ? {} : { weak }),
    ...(repeats.length === 0 ? {} : { repeats }),
  };
  const attempt = currentAttempt(recording);
  if (attempt !== undefined) {
    // The recording keeps its tuner, even if its event was moved to a later time.
    const start = Math.min(event.start, attempt.startedAt);
    // Time that the broadcast adds to a running event counts as event, not as padding.
    const isDrawnOut = window.stop > padded(event, recording.padding).stop;
    const stop = Math.max(isDrawnOut ? window.stop : Math.min(event.stop, window.stop), start + 1);
    const held = { start: Math.min(window.start, attempt.startedAt), stop: Math.max(window.stop, stop) };
    return [
      { ...request, runningOnTuner: attempt.tunerId, isLate: false, event: { start, stop }, window: held },
    ];
  }
  const previous = tunerId === undefined ? {} : { previousTuner: tunerId };
  if (missingMs(recording, now) <= lateMs) return [{ ...request, ...previous, isLate: false, event, window }];
  // Plan only the rest. It is rounded to the minute, so that the plan does not change every second.
  const stop = now < event.stop ? event.stop : window.stop;
  const from = Math.min(Math.max(event.start, Math.floor(now / MINUTE) * MINUTE), stop - 1);
  return [
    {
      ...request,
      ...previous,
      isLate: true,
      event: { start: from, stop },
      window: { start: from, stop: window.stop },
    },
  ];
}

/**
 * The instant until which the request stays the same: its event begins without it, a repeat begins, or its time is
 * over.
 */
function cacheExpiry(recording: Recording, [request]: readonly PlanRequest[]): EpochMs {
  if (request === undefined || request.runningOnTuner !== undefined) return Number.POSITIVE_INFINITY;
  const begins = (request.repeats ?? []).map(({ repeat }) => repeat.event.start - 1);
  return Math.min(recording.event.start + request.lateMs, endOf(recording) - 1, ...begins);
}

function repeatRequests(
  { repeats = [], padding, healing }: Recording,
  now: EpochMs,
): NonNullable<PlanRequest["repeats"]> {
  // A repeat is booked already.
  if (healing !== undefined && isHealing(healing)) return [];
  return repeats
    .filter((repeat) => hasYetToBegin(repeat, now) && healing?.tried.includes(repeat.showId) !== true)
    .map((repeat) => ({ repeat, window: padded(repeat.event, padding) }));
}

/** The part of the event that is missing by now. */
function missingMs({ event, attempts }: Recording, now: number): number {
  const past: Window = { start: event.start, stop: Math.min(event.stop, Math.max(now, event.start)) };
  const flowed = attempts.flatMap(({ flowingAt, endedAt = now }): readonly Window[] =>
    flowingAt === undefined ? [] : [{ start: flowingAt, stop: endedAt }],
  );
  return lengthMs(past) - coveredMs(past, flowed);
}

/** The tuners that failed since payload last flowed, the latest last. */
export function recentlyFailedTuners({ attempts }: Recording): readonly string[] {
  const lastFlowing = attempts.findLastIndex(({ flowingAt }) => flowingAt !== undefined);
  return attempts
    .slice(Math.max(0, lastFlowing))
    .filter(({ begun }) => begun !== false)
    .map(({ tunerId }) => tunerId);
}
