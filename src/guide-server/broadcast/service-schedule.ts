import { z } from "zod";
import type { Wire } from "../../guide-wire/records.ts";
import type { EpochMs } from "../../model/time.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { EVENT_ID_SYSTEM } from "../xmltv/identity.ts";
import type { ListedProgramme } from "../xmltv/reader.ts";

const ScheduledEvent = z.object({
  eventId: z.int(),
  start: z.int(),
  stop: z.int(),
  title: z.string(),
  desc: z.string(),
  programmeCrid: z.string().optional(),
  seriesCrid: z.string().optional(),
});
/** An event from EIT. */
export type ScheduledEvent = Wire<typeof ScheduledEvent>;

/** All stored EIT events of a service that are not over. Listings change independently of them. */
export const ServiceSchedule = z.object({ channelId: z.int(), events: z.array(ScheduledEvent) });
export type ServiceSchedule = Wire<typeof ServiceSchedule>;

/** A span in which the update lists every event that begins; half-open. */
export interface CoveredSpan {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export interface ScheduleUpdate {
  readonly events: readonly ScheduledEvent[];
  readonly spans: readonly CoveredSpan[];
}

/**
 * Merges an update into the stored events of a service, by start. Tables arrive section by section, with the present
 * event first. A stored event stays until the update replaces it, covers its start without it, or has another event
 * during all of it. Schedules may omit an event that has begun: that does not withdraw it.
 */
export function mergeUpdate(
  known: readonly ScheduledEvent[],
  update: ScheduleUpdate,
  now: EpochMs,
): readonly ScheduledEvent[] {
  const ids = new Set(update.events.map(({ eventId }) => eventId));
  const isReplaced = (event: ScheduledEvent) =>
    ids.has(event.eventId) ||
    (event.start > now && update.spans.some(({ from, to }) => event.start >= from && event.start < to)) ||
    update.events.some(
      ({ start, stop }) => start === event.start || (start < event.start && stop >= event.stop),
    );
  const stayed = known.filter((event) => !isReplaced(event));
  // The later one of two with the same id counts.
  const updated = new Map(update.events.map((event) => [event.eventId, event])).values();
  return [...stayed, ...updated]
    .filter(({ stop }) => stop > now)
    .sort((a, b) => a.start - b.start || a.eventId - b.eventId)
    .slice(0, SERVER_LIMITS.broadcastEventsPerService);
}

/** Converts an event to the form of a listing. */
export function programmeOf(event: ScheduledEvent): ListedProgramme {
  const { eventId, start, stop, title, desc, programmeCrid, seriesCrid } = event;
  return {
    channelId: "",
    start,
    stop,
    title,
    subtitle: "",
    desc,
    categories: [],
    numbers: [
      { system: EVENT_ID_SYSTEM, value: String(eventId) },
      ...(programmeCrid === undefined ? [] : [{ system: "crid.programme", value: programmeCrid }]),
      ...(seriesCrid === undefined ? [] : [{ system: "crid.series", value: seriesCrid }]),
    ],
    year: "",
    rating: "",
  };
}
