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
/** An event as the broadcast's tables have it. */
export type ScheduledEvent = Wire<typeof ScheduledEvent>;

/** What is kept of a service: all that its tables told and that is not over. Listings come and go above it. */
export const ServiceSchedule = z.object({ channelId: z.int(), events: z.array(ScheduledEvent) });
export type ServiceSchedule = Wire<typeof ServiceSchedule>;

/** In which no other event begins than those that are told with it; half-open. */
export interface CoveredSpan {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export interface ScheduleUpdate {
  readonly events: readonly ScheduledEvent[];
  readonly spans: readonly CoveredSpan[];
}

/**
 * The events of a service after news of it, by start. The tables come piece by piece, and the piece about now is ahead of the others:
 * an event stays until it is told otherwise, the time in which it was to begin is told without it, or another event is all over it.
 * Schedules may leave out what has begun: that is not withdrawn.
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
  // Of two with one id the later is meant.
  const updated = new Map(update.events.map((event) => [event.eventId, event])).values();
  return [...stayed, ...updated]
    .filter(({ stop }) => stop > now)
    .sort((a, b) => a.start - b.start || a.eventId - b.eventId)
    .slice(0, SERVER_LIMITS.broadcastEventsPerService);
}

/** As a listing would have it. */
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
