import type { BroadcastEvent } from "../../../model/inspection.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Placement, PlanRequest } from "../../../model/plan.ts";
import type { Followed, Recording, RecordingId } from "../../../model/recording.ts";
import { sameTriplet } from "../../../model/service.ts";
import type { EpochMs } from "../../../model/time.ts";
import { intersection, lengthMs, padded, type Window } from "../../../model/window.ts";
import type { Draft } from "./draft.ts";

/** What the broadcast says of itself (EIT present/following) while a recording runs; from then on its event is followed. */
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

/** By its id once it is known; until then by its time: at least half of the ordered event, and half of the broadcast one. */
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
 * It is neither present nor following any more, and something else is present: over, if it was seen to be present itself, or, where
 * nobody looked meanwhile, if the other began when it should have been over. What began about when it was to begin is the same event
 * under another id, as some get when their table is made anew. What began long before goes on after it, as a film after the news in its
 * middle: then it is over when it was announced to be, for that film may have come back for a moment.
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
 * Brings the end of each window in line with what the broadcast says, bounded by the configuration, and by what others were
 * promised: derived anew each time, so that an extension gives way to a later order.
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
  { now, world }: Draft,
  { followed, padding, window, attempts }: Recording,
  ordered: EpochMs,
): EpochMs {
  const { extendMs, endEarly } = world.policy.follow;
  if (followed === undefined) return ordered;
  const { seen, announcedStop, overAt = now } = followed;
  const latest = ordered + extendMs;
  if (seen === "over") {
    const stop = Math.min(latest, overAt + padding.afterMs);
    return endEarly ? stop : Math.max(ordered, stop);
  }
  const announced = Math.max(ordered, announcedStop + padding.afterMs, window.stop);
  if (now < announced) return Math.min(latest, announced);
  // It should be over, and was seen not to be: step by step, for nobody knows for how long. While nobody looks, nobody knows that.
  const watched = attempts.findLast(({ flowingAt }) => flowingAt !== undefined);
  const lookedAt = watched?.endedAt ?? now;
  const isOverdue = lookedAt >= announcedStop;
  return Math.min(latest, isOverdue ? Math.max(announced, lookedAt + LIMITS.followStepMs) : announced);
}

/** As much of an extension as costs no other recording any of its event. */
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

/** From when on its event is recorded. */
function recordedFrom(
  { recordingId, event }: PlanRequest,
  placementOf: ReadonlyMap<RecordingId, Placement>,
): EpochMs {
  const placement = placementOf.get(recordingId);
  if (placement?.kind !== "placed" || placement.isHope === true) return NEVER;
  return Math.max(placement.begin, event.start);
}
