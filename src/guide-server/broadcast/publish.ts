import { type EpochMs, MINUTE } from "../../model/time.ts";
import { titleKey } from "../../rules/title.ts";
import type { Show } from "../data/show.ts";
import type { GuideStore } from "../data/store.ts";
import { publishSchedule } from "../xmltv/publish-schedule.ts";
import {
  mergeUpdate,
  programmeOf,
  type ScheduledEvent,
  type ScheduleUpdate,
  ServiceSchedule,
} from "./service-schedule.ts";

/** Ranks behind every listing: listings are right, and the broadcast's EIT fills their gaps. */
const RANK = 1_000_000;
/** Listings and EIT differ by at most this much about the start of the same show. */
const SAME_START_MS = 15 * MINUTE;
const SOURCE = "broadcast ";

/** Publishing one service is short work, so it is never aborted. */
const NEVER_ABORTED = new AbortController().signal;

/** Merges an EIT update of a service into the guide. @throws RecorderdError STORE_WRITE_FAILED */
export async function applyUpdate(
  store: GuideStore,
  { service, channelId, update, now }: ServiceUpdate,
): Promise<{ readonly kept: number }> {
  return await store.withScheduleLock(async () => {
    const before = scheduleOf(store, service)?.events ?? [];
    const events = mergeUpdate(before, update, now);
    await store.shows.keepSource(`${SOURCE}${service}`, { channelId, events });
    await publishEvents(store, {
      channelId,
      events,
      to: lastStop([...before, ...events, ...update.events]),
      now,
    });
    const ids = new Set(events.map(({ eventId }) => eventId));
    return { kept: update.events.filter(({ eventId }) => ids.has(eventId)).length };
  });
}

export interface ServiceUpdate {
  /** The key of its triplet. */
  readonly service: string;
  readonly channelId: number;
  readonly update: ScheduleUpdate;
  readonly now: EpochMs;
}

/** Refills the gaps after the listings have changed. @throws RecorderdError STORE_WRITE_FAILED */
export async function fillFromBroadcast(store: GuideStore, now: EpochMs): Promise<void> {
  for (const id of store.shows.sourceIds(SOURCE)) {
    await store.withScheduleLock(async () => {
      const schedule = scheduleOf(store, id.slice(SOURCE.length));
      if (schedule === undefined || schedule.events.length === 0) return;
      const events = schedule.events.filter(({ stop }) => stop > now);
      if (events.length < schedule.events.length) await store.shows.keepSource(id, { ...schedule, events });
      await publishEvents(store, {
        channelId: schedule.channelId,
        events,
        to: lastStop(schedule.events),
        now,
      });
    });
  }
}

function scheduleOf(store: GuideStore, service: string): ServiceSchedule | undefined {
  return ServiceSchedule.safeParse(store.shows.source(`${SOURCE}${service}`)).data;
}

function lastStop(events: readonly ScheduledEvent[]): EpochMs {
  return events.reduce((latest, { stop }) => Math.max(latest, stop), 0);
}

interface EventPublication {
  readonly channelId: number;
  readonly events: readonly ScheduledEvent[];
  /** The latest end of any known event of the service. */
  readonly to: EpochMs;
  readonly now: EpochMs;
}

/** Shows that are over stay as they were. */
async function publishEvents(
  store: GuideStore,
  { channelId, events, to, now }: EventPublication,
): Promise<void> {
  await publishSchedule(store, {
    channelId,
    rank: RANK,
    programmes: events.map(programmeOf),
    span: { from: now, to },
    // The tuner says which parts of the schedule it has read.
    missingMs: 0,
    now,
    signal: NEVER_ABORTED,
  });
  const listed = store.shows
    .list({ channelIds: [channelId], endAfter: now, startBefore: to + SAME_START_MS })
    .filter(({ rank = 0 }) => rank < RANK);
  const told = withEventIds(listed, events);
  await store.shows.put(told.map((show) => ({ ...show, updatedAt: now })));
}

/** Listed shows whose event id differs from the broadcast's, with that id: set-top boxes order by it. */
function withEventIds(listed: readonly Show[], events: readonly ScheduledEvent[]): readonly Show[] {
  return listed.flatMap((show) => {
    const key = titleKey(show.title);
    const same = events
      .filter(({ start }) => Math.abs(start - show.start) <= SAME_START_MS)
      .filter(({ title }) => isSameShow(titleKey(title), key))
      .toSorted((a, b) => Math.abs(a.start - show.start) - Math.abs(b.start - show.start))[0];
    return same === undefined || same.eventId === show.eitId ? [] : [{ ...show, eitId: same.eventId }];
  });
}

function isSameShow(a: string, b: string): boolean {
  return a !== "" && b !== "" && (a.includes(b) || b.includes(a));
}
