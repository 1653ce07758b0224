import type { BroadcastService } from "../../guide-wire/broadcast-records.ts";
import type { Document } from "../../guide-wire/documents.ts";
import type { Channel, DvbTriplet } from "../../guide-wire/records.ts";
import { looseNameKey, nameKey } from "../../model/channel-name.ts";
import { tripletKey } from "../../model/service.ts";
import { type EpochMs, SECOND } from "../../model/time.ts";
import type { Transaction } from "../data/decision.ts";
import type { GuideStore } from "../data/store.ts";
import { type Account, type GuideTables, put } from "../data/tables.ts";
import { hasName } from "../domain/channel-names.ts";
import { followShows } from "../domain/timer-follow.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { isRefusal, type Refusal } from "../refusal.ts";
import { channelIds } from "../xmltv/import.ts";
import { DESC_LENGTH, TITLE_LENGTH } from "../xmltv/reader.ts";
import { applyUpdate } from "./publish.ts";
import type { ScheduledEvent, ScheduleUpdate } from "./service-schedule.ts";

type Guide = Document<"broadcast-guide">;

/** Limit for one event; a longer text is no content reference id. */
const CRID_LENGTH = 200;

/**
 * Imports the event tables that a recorder has read, and moves timers with their shows. @throws RecorderdError
 * STORE_WRITE_FAILED
 */
export async function importBroadcastGuide(
  store: GuideStore,
  account: Account,
  { guide, now }: { readonly guide: Guide; readonly now: EpochMs },
): Promise<Document<"broadcast-guide-taken"> | Refusal> {
  const channels = await store.commit(account.id, (tables) => channelsFor(tables, account, guide));
  if (isRefusal(channels)) return channels;
  const updates = updatesByService(guide, now);
  let kept = 0;
  for (const [service, channelId] of channels) {
    const applied = await applyUpdate(store, {
      service,
      channelId,
      update: updates.get(service) ?? NO_UPDATE,
      now,
    });
    kept += applied.kept;
  }
  await followShows(store, now);
  return { count_of_events: kept, count_left_out: guide.events.length - kept };
}

const NO_UPDATE: ScheduleUpdate = { events: [], spans: [] };

/**
 * Finds the channels of these services in the account's region: by triplet, else by name for a channel without
 * another triplet, which then learns it. A service without a channel becomes one if a tuner receives it.
 */
function channelsFor(
  tables: GuideTables,
  account: Account,
  { services, events }: Guide,
): Transaction<ReadonlyMap<string, number>> {
  const known = [...tables.channels.values()].filter(({ region_id }) => region_id === account.regionId);
  const withEvents = new Set(events.map(tripletKey));
  const byTriplet = new Map(services.map((service) => [tripletKey(service), service]));
  const matches = [...byTriplet].map(([key, service]) => ({
    key,
    service,
    channel: channelOf(known, service),
  }));
  const room = Math.max(0, SERVER_LIMITS.broadcastChannels - tables.channels.size);
  const fresh = matches
    .filter(({ channel, service, key }) => channel === undefined && isNew(service) && withEvents.has(key))
    .slice(0, room);
  const { ids, change } = channelIds(tables, fresh.length);
  const region = tables.regions.get(String(account.regionId));
  const made = fresh.map(({ key, service }, index) => ({
    key,
    channel: {
      id: ids[index] ?? 0,
      name: (service.name ?? "").slice(0, SERVER_LIMITS.nameLength),
      ...(region === undefined ? {} : { region_id: region.id, region_name: region.name }),
      is_hd: /\bU?HD\b/.test(service.name ?? "") ? 1 : 0,
      dvb: [dvbOf(service)],
    },
  }));
  const learnt = matches.flatMap(({ channel, service }) =>
    channel === undefined || (channel.dvb ?? []).length > 0 ? [] : [{ ...channel, dvb: [dvbOf(service)] }],
  );
  const changed: readonly Channel[] = [...made.map(({ channel }) => channel), ...learnt];
  return {
    changes: [...(made.length > 0 ? [change] : []), ...changed.map((channel) => put("channels", channel))],
    value: new Map(
      [...matches, ...made].flatMap(({ key, channel }) => (channel === undefined ? [] : [[key, channel.id]])),
    ),
  };
}

function isNew({ name = "", received }: BroadcastService): boolean {
  return received === 1 && name.trim() !== "";
}

function channelOf(known: readonly Channel[], service: BroadcastService): Channel | undefined {
  const dvb = dvbOf(service);
  const byTriplet = known.find((channel) =>
    (channel.dvb ?? []).some((each) => JSON.stringify(each) === JSON.stringify(dvb)),
  );
  if (byTriplet !== undefined) return byTriplet;
  const withoutTriplet = known.filter(({ dvb = [] }) => dvb.length === 0);
  const named = [nameKey, looseNameKey]
    .map((keyOf) => withoutTriplet.filter((channel) => hasName(channel, service.name ?? "", keyOf)))
    .find((some) => some.length > 0);
  return isNew(service) && named?.length === 1 ? named[0] : undefined;
}

function dvbOf({ onid, tsid, sid }: BroadcastService): DvbTriplet {
  return { original_network_id: onid, transport_stream_id: tsid, service_id: sid };
}

/**
 * The credible events of each service: with a title, at most a day long, and starting within the reach of the
 * tables.
 */
function updatesByService({ events, spans }: Guide, now: EpochMs): ReadonlyMap<string, ScheduleUpdate> {
  const news = new Map<
    string,
    { readonly events: ScheduledEvent[]; readonly spans: ScheduleUpdate["spans"][number][] }
  >();
  const of = (key: string) => {
    const one = news.get(key) ?? { events: [], spans: [] };
    news.set(key, one);
    return one;
  };
  for (const event of events) {
    const scheduled = eventOf(event);
    const { start, stop, title } = scheduled;
    const fits =
      stop > start &&
      stop - start <= SERVER_LIMITS.toldEventMs &&
      stop > now &&
      start <= now + SERVER_LIMITS.broadcastAheadMs;
    if (fits && title !== "") of(tripletKey(event)).events.push(scheduled);
  }
  for (const span of spans) {
    of(tripletKey(span)).spans.push({ from: span.start_unix * SECOND, to: span.stop_unix * SECOND });
  }
  return news;
}

function eventOf(event: Guide["events"][number]): ScheduledEvent {
  const { eit_id, start_unix, stop_unix, title, desc = "", programme_crid, series_crid } = event;
  return {
    eventId: eit_id,
    start: start_unix * SECOND,
    stop: stop_unix * SECOND,
    title: printable(title, TITLE_LENGTH),
    desc: printable(desc, DESC_LENGTH),
    ...(isCrid(programme_crid) ? { programmeCrid: programme_crid } : {}),
    ...(isCrid(series_crid) ? { seriesCrid: series_crid } : {}),
  };
}

function isCrid(text: string | undefined): text is string {
  return text !== undefined && text.length <= CRID_LENGTH && /^crid:\/\/[\x21-\x7e]+$/i.test(text);
}

/** Removes characters that XML cannot hold: one would make every list with it unreadable. */
function printable(text: string, lengthMax: number): string {
  return text
    .slice(0, lengthMax)
    .replace(/[\p{Cc}\p{Cn}\p{Cs}\s]+/gu, " ")
    .trim();
}
