import { type EpochMs, MINUTE } from "../../model/time.ts";
import type { Show } from "../data/show.ts";
import type { GuideStore } from "../data/store.ts";
import { titleKey } from "../data/title.ts";
import { publishSchedule } from "../xmltv/publish-schedule.ts";
import {
  mergeUpdate,
  programmeOf,
  type ScheduledEvent,
  type ScheduleUpdate,
  ServiceSchedule,
} from "./service-schedule.ts";

/** Behind every listing: what a listing has is right, and the broadcast fills what listings leave open. */
const RANK = 1_000_000;
/** Listings and the broadcast differ by so much about when the same show begins. */
const SAME_START_MS = 15 * MINUTE;
const SOURCE = "broadcast ";

/** Never aborted: what is published of one service is little. */
const NEVER_ABORTED = new AbortController().signal;

/** Takes news of a service, which is this channel, into the guide. @throws RecorderdError STORE_WRITE_FAILED */
export async function applyUpdate(
  store: GuideStore,
  { service, channelId, update, now }: ServiceUpdate,
): Promise<{ readonly kept: number }> {
  return await store.withScheduleLock(async () => {
    const before = scheduleOf(store, service)?.events ?? [];
    const events = mergeUpdate(before, update, now);
    store.shows.keepSource(`${SOURCE}${service}`, { channelId, events });
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

/** Fills anew what listings leave open, after they have changed. @throws RecorderdError STORE_WRITE_FAILED */
export async function fillFromBroadcast(store: GuideStore, now: EpochMs): Promise<void> {
  for (const id of store.shows.sourceIds(SOURCE)) {
    await store.withScheduleLock(async () => {
      const schedule = scheduleOf(store, id.slice(SOURCE.length));
      if (schedule === undefined || schedule.events.length === 0) return;
      const events = schedule.events.filter(({ stop }) => stop > now);
      if (events.length < schedule.events.length) store.shows.keepSource(id, { ...schedule, events });
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
  /** Up to here the broadcast has told of something, now or before. */
  readonly to: EpochMs;
  readonly now: EpochMs;
}

/** What is over stays as it was. */
async function publishEvents(
  store: GuideStore,
  { channelId, events, to, now }: EventPublication,
): Promise<void> {
  await publishSchedule(store, {
    channelId,
    rank: RANK,
    programmes: events.map(programmeOf),
    span: { from: now, to },
    now,
    signal: NEVER_ABORTED,
  });
  const listed = store.shows
    .list({ channelIds: [channelId], endAfter: now, startBefore: to + SAME_START_MS })
    .filter(({ rank = 0 }) => rank < RANK);
  store.shows.put(withEventIds(listed, events).map((show) => ({ ...show, updatedAt: now })));
}

/** Shows of listings with the event ids of the broadcast, by which set-top boxes book them; those alone that had another. */
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
