import type { BroadcastEvent } from "../../../model/inspection.ts";
import type { Placement, PlanRequest } from "../../../model/plan.ts";
import type { Followed, Recording, RecordingId } from "../../../model/recording.ts";
import { sameTriplet } from "../../../model/service.ts";
import type { EpochMs } from "../../../model/time.ts";
import { intersection, lengthMs, padded, type Window } from "../../../model/window.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";

/**
 * Records the events that the broadcast announces (EIT present/following) during a recording; from then on its event
 * is followed.
 */
export function recordBroadcastEvents(
  draft: Draft,
  recording: Recording,
  events: readonly BroadcastEvent[],
): void {
  const { service, followed: before } = recording;
  if (service === undefined) return;
  const own = events.filter((event) => sameTriplet(event.service, service));
  const event = matchOrderedEvent(recording, own);
  const present = own.find(({ which }) => which === "present");
  const followed =
    event === undefined ? followedAfterEvent(recording, present, draft.now) : followedFrom(event);
  if (followed === undefined || JSON.stringify(followed) === JSON.stringify(before)) return;
  const next = draft.put({ ...recording, followed });
  if (before === undefined) draft.note("recognised", next, { eventId: followed.eventId });
}

/**
 * Matches a known event by its id, an unknown one by time: the overlap covers half of the ordered and half of the
 * broadcast event.
 */
function matchOrderedEvent(
  { event, followed }: Recording,
  own: readonly BroadcastEvent[],
): BroadcastEvent | undefined {
  if (followed !== undefined) return own.find(({ eventId }) => eventId === followed.eventId);
  const shared = (other: BroadcastEvent) => lengthMs(intersection(event, spanOf(other)));
  return own.find(
    (other) => 2 * shared(other) >= lengthMs(event) && 2 * shared(other) >= lengthMs(spanOf(other)),
  );
}

function spanOf({ start, durationMs }: BroadcastEvent): Window {
  return { start, stop: start + durationMs };
}

function followedFrom(event: BroadcastEvent): Followed {
  return { eventId: event.eventId, announcedStop: spanOf(event).stop, seen: event.which };
}

/**
 * The event has left the present/following table, and another one is present. It is over if it was present before, or
 * if the other event began when it should have ended. An event that began at about the expected time is the same one
 * under a new id, which some broadcasters assign when they rebuild the table. An event that began long before (a film
 * around the news) resumes, so the recorded one is over at its announced end.
 */
function followedAfterEvent(
  { event, followed: before }: Pick<Recording, "event" | "followed">,
  present: BroadcastEvent | undefined,
  now: EpochMs,
): Followed | undefined {
  if (before === undefined || present === undefined || before.seen === "over") return before;
  if (before.seen === "following" && present.start < before.announcedStop) return before;
  if (present.start > event.start) return { ...before, seen: "over", overAt: now };
  if (present.start >= event.start - lengthMs(event) / 2) return before;
  return { ...before, seen: "over", overAt: Math.max(now, before.announcedStop) };
}

/**
 * Moves the end of each window to the announced end, limited by the configuration and by other recordings. It starts
 * from the order each time, so an extension yields to a later order.
 */
export function adjustWindowsToBroadcast(
  draft: Draft,
  requestOf: (recording: Recording) => readonly PlanRequest[],
): void {
  for (const recording of draft.dueSoon()) {
    if (recording.followed === undefined || !isFollowed(recording)) continue;
    const ordered = padded(recording.event, recording.padding).stop;
    const wanted = wantedStop(draft, recording, ordered);
    const stop = wanted > ordered ? limitToPlan(draft, recording, { ordered, wanted, requestOf }) : wanted;
    if (stop === recording.window.stop) continue;
    const next = draft.put({ ...recording, window: { ...recording.window, stop } });
    draft.note("followed", next, { stop });
  }
}

function isFollowed({ state, withdrawn }: Recording): boolean {
  return !withdrawn && (state === "tuning" || state === "recording" || state === "waiting");
}

function wantedStop(
  { airNow, now, world }: Draft,
  { followed, padding, window, attempts }: Recording,
  ordered: EpochMs,
): EpochMs {
  const { extendMs, endEarly } = world.policy.follow;
  if (followed === undefined) return ordered;
  const { seen, announcedStop } = followed;
  // Noted by the machine's clock.
  const onAir = (at: EpochMs = now) => at + airNow - now;
  const latest = ordered + extendMs;
  if (seen === "over") {
    const stop = Math.min(latest, onAir(followed.overAt) + padding.afterMs);
    return endEarly ? stop : Math.max(ordered, stop);
  }
  const announced = Math.max(ordered, announcedStop + padding.afterMs, window.stop);
  if (airNow < announced) return Math.min(latest, announced);
  // The event is overdue and was last seen running: extend step by step, but only while a capture watches the
  // broadcast.
  const watched = attempts.findLast(({ flowingAt }) => flowingAt !== undefined);
  const lookedAt = onAir(watched?.endedAt);
  const isOverdue = lookedAt >= announcedStop;
  return Math.min(latest, isOverdue ? Math.max(announced, lookedAt + ENGINE_LIMITS.followStepMs) : announced);
}

/** The part of an extension that costs no other recording any of its event. */
function limitToPlan(
  draft: Draft,
  recording: Recording,
  {
    ordered,
    wanted,
    requestOf,
  }: {
    readonly ordered: EpochMs;
    readonly wanted: EpochMs;
    readonly requestOf: (recording: Recording) => readonly PlanRequest[];
  },
): EpochMs {
  const { tuners } = draft.world;
  const open = draft.open();
  const beginnings = (stop: EpochMs) => {
    const requests = open
      .map((each) => (each.id === recording.id ? { ...each, window: { ...each.window, stop } } : each))
      .flatMap(requestOf);
    const { placements } = draft.world.plan(requests, tuners);
    const placementOf = new Map(placements.map((one) => [one.recordingId, one]));
    return new Map(requests.map((request) => [request.recordingId, recordedFrom(request, placementOf)]));
  };
  const before = beginnings(ordered);
  const after = beginnings(wanted);
  const opensAt = ({ tunerId }: Recording, { start }: Window) =>
    start - (tuners.find(({ id }) => id === tunerId)?.warmUpMs ?? 0);
  const needed = open
    .filter(({ id }) => (after.get(id) ?? NEVER) > (before.get(id) ?? NEVER))
    .map(({ window }) => opensAt(recording, window));
  return Math.max(ordered, Math.min(wanted, ...needed));
}

const NEVER = Number.POSITIVE_INFINITY;

/** The instant from which the event is recorded. */
function recordedFrom(
  { recordingId, event }: PlanRequest,
  placementOf: ReadonlyMap<RecordingId, Placement>,
): EpochMs {
  const placement = placementOf.get(recordingId);
  if (placement?.kind !== "placed" || placement.isHope === true) return NEVER;
  return Math.max(placement.begin, event.start);
}
