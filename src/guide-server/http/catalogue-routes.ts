import type { Channel, Region, Show as WireShow } from "../../guide-wire/records.ts";
import { type EpochMs, MINUTE, SECOND } from "../../model/time.ts";
import type { GuideTables, StoredTimer } from "../data/tables.ts";
import { completeChannel, completeRegion } from "../domain/complete-records.ts";
import { deviceTypes } from "../domain/device-types.ts";
import { mostPopular, newShows } from "../domain/lists.ts";
import { awaitsAcknowledgement, markServed, ownTimers } from "../domain/timer-lists.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { isRefusal, notFound } from "../refusal.ts";
import { NO_GUIDE_DATA, NO_SUCH, UNAUTHORIZED, UNAVAILABLE } from "./conditions.ts";
import { PAGING, pageOfShows } from "./paging.ts";
import { accountRoute, type GuideRoute, openRoute, reply } from "./route.ts";
import { wireShow, wireTimer } from "./wire.ts";

/** Set-top clients in the field read an empty list as a new guide, and load all of it again. */
const NO_CHANGES = notFound(
  "The parameter last_update_time is given, and nothing has changed since: no show, and no timer of the asking recorder.",
);
const EMPTY_GUIDE = notFound(NO_GUIDE_DATA);
const open = { method: "GET", success: 200 } as const;
const emptyOr404 = { 404: NO_GUIDE_DATA, 503: UNAVAILABLE } as const;

/** Routes without credentials. */
export const OPEN_ROUTES: readonly GuideRoute[] = [
  openRoute(
    { ...open, path: "/regions", summary: "All regions", answer: "regions", statuses: emptyOr404 },
    async ({ tables }) => (tables.regions.size === 0 ? EMPTY_GUIDE : reply({ regions: regionsOf(tables) })),
  ),
  openRoute(
    {
      ...open,
      path: "/regions/{region_id}",
      summary: "One region",
      answer: "regions",
      statuses: { 404: NO_SUCH("region"), 503: UNAVAILABLE },
    },
    async ({ tables, request }) => {
      const region = tables.regions.get(request.params["region_id"] ?? "");
      return region === undefined
        ? notFound(NO_SUCH("region"))
        : reply({ regions: [completeRegion(region)] });
    },
  ),
  openRoute(
    {
      ...open,
      path: "/regions/channels",
      summary: "Channels of all regions",
      answer: "channels",
      statuses: emptyOr404,
    },
    async ({ tables }) =>
      tables.channels.size === 0
        ? EMPTY_GUIDE
        : reply({ regions: regionsOf(tables), channels: channelsOf(tables, () => true) }),
  ),
  openRoute(
    {
      ...open,
      path: "/regions/{region_id}/channels",
      summary: "Channels of one region; the list may be empty",
      answer: "channels",
      statuses: { 404: NO_SUCH("region"), 503: UNAVAILABLE },
    },
    async ({ tables, request }) => {
      const region = tables.regions.get(request.params["region_id"] ?? "");
      if (region === undefined) return notFound(NO_SUCH("region"));
      return reply({ regions: [completeRegion(region)], channels: channelsOf(tables, inRegion(region.id)) });
    },
  ),
  openRoute(
    {
      ...open,
      path: "/devices/manufacturers",
      summary: "All device manufacturers",
      answer: "manufacturers",
      statuses: emptyOr404,
    },
    async ({ tables }) =>
      tables.manufacturers.size === 0
        ? EMPTY_GUIDE
        : reply({ manufacturers: [...tables.manufacturers.values()] }),
  ),
  openRoute(
    {
      ...open,
      path: "/devices/manufacturers/{manufacturer_id}",
      summary: "One device manufacturer",
      answer: "manufacturers",
      statuses: { 404: NO_SUCH("manufacturer"), 503: UNAVAILABLE },
    },
    async ({ tables, request }) => {
      const found = tables.manufacturers.get(request.params["manufacturer_id"] ?? "");
      return found === undefined ? notFound(NO_SUCH("manufacturer")) : reply({ manufacturers: [found] });
    },
  ),
  openRoute(
    {
      ...open,
      path: "/devices/types",
      summary: "All device types",
      answer: "device-types",
      statuses: emptyOr404,
    },
    async ({ tables }) => (tables.types.size === 0 ? EMPTY_GUIDE : reply({ types: deviceTypes(tables) })),
  ),
  openRoute(
    {
      ...open,
      path: "/devices/types/{type_id}",
      summary: "One device type",
      answer: "device-types",
      statuses: { 404: NO_SUCH("device type"), 503: UNAVAILABLE },
    },
    async ({ tables, request }) => {
      const id = request.params["type_id"];
      const found = deviceTypes(tables).find((type) => String(type.id) === id);
      return found === undefined ? notFound(NO_SUCH("device type")) : reply({ types: [found] });
    },
  ),
];

/** Listings publish shows without series: either counts. */
function hasProgrammes({ series, shows, channels }: GuideTables): boolean {
  return series.size > 0 || [...channels.values()].some(({ id }) => shows.lastEndOf(id) !== undefined);
}

function regionsOf({ regions }: GuideTables): readonly Region[] {
  return [...regions.values()].map(completeRegion);
}

function channelsOf(tables: GuideTables, isWanted: (channel: Channel) => boolean): readonly Channel[] {
  const wanted = [...tables.channels.values()].filter(isWanted);
  return wanted.map((channel) => completeChannel(tables, channel));
}

/** The shows of new timers, so that the list is not empty: set-top clients read an empty list as a new guide. */
function showsOf({ shows }: GuideTables, timers: readonly StoredTimer[]): readonly WireShow[] {
  const ids = new Set(timers.map(({ showId }) => showId));
  return [...ids].flatMap((id) => shows.get(id) ?? []).map(wireShow);
}

/**
 * The time from which shows are wanted; 0: all. A time in the future, from a clock that was wrong here or at the client, would
 * hide all news until then.
 */
function sinceOf(query: URLSearchParams, now: EpochMs): EpochMs {
  const since = Number(query.get("last_update_time") ?? 0) * SECOND;
  return since > 0 && since <= now + MINUTE ? since : 0;
}

function inRegion(regionId: number): (channel: Channel) => boolean {
  return ({ region_id }) => region_id === regionId;
}

const readByAccount = { 401: UNAUTHORIZED, 404: NO_GUIDE_DATA, 503: UNAVAILABLE } as const;

/** Published data for accounts. */
export const LIST_ROUTES: readonly GuideRoute[] = [
  accountRoute(
    {
      ...open,
      path: "/series/most_popular",
      summary: "The 30 series that the most accounts record",
      answer: "popular",
      statuses: readByAccount,
    },
    async ({ tables }) => (hasProgrammes(tables) ? reply(mostPopular(tables)) : EMPTY_GUIDE),
  ),
  accountRoute(
    {
      ...open,
      path: "/new_shows",
      summary: "New series by first broadcast, with its date in the zone of the account's region",
      answer: "new-shows",
      statuses: readByAccount,
    },
    async ({ tables, account }) =>
      hasProgrammes(tables)
        ? reply(newShows(tables, tables.regions.get(String(account.regionId))?.timezone))
        : EMPTY_GUIDE,
  ),
  accountRoute(
    {
      ...open,
      path: "/shows",
      summary:
        "Shows and channels of the account's region, with the timers of the signed-in device, or else of the account",
      query: {
        last_update_time:
          "Seconds since 1970: only shows changed since then; removed ones have deleted_record 1; 0, absent or in the future: all.",
        channel_id: "Channel ids separated by commas: only these channels, in any region.",
        hide_timers: "1: omit timers from the answer.",
        ...PAGING,
      },
      answer: "shows",
      isLong: true,
      statuses: { 401: UNAUTHORIZED, 404: NO_CHANGES.message, 503: UNAVAILABLE },
    },
    async ({ tables, commit, account, user, device: reader, request, now }) => {
      const since = sinceOf(request.query, now);
      // PHP names repeated parameters with brackets.
      const given = ["channel_id", "channel_id[]"].flatMap((name) => request.query.getAll(name));
      const wanted = given
        .join(",")
        .split(/[\s,]+/)
        .filter(Boolean);
      const channels =
        wanted.length === 0
          ? channelsOf(tables, inRegion(account.regionId))
          : channelsOf(tables, ({ id }) => wanted.includes(String(id)));
      const wantedShows = {
        channelIds: channels.map(({ id }) => id),
        endAfter: now - SERVER_LIMITS.showListedMs,
        ...(since === 0 ? {} : { updatedSince: since }),
      };
      const { records, headers } = await pageOfShows(request.query, tables.shows, wantedShows);
      const own =
        request.query.get("hide_timers") === "1" ? [] : ownTimers(tables, { account, device: reader }, now);
      const news = own.filter(awaitsAcknowledgement);
      const isWhole = since === 0 || headers["X-Total-Count"] !== undefined;
      if (!isWhole && records.length === 0 && news.length === 0) return NO_CHANGES;
      const served = await commit(() => markServed(own, { now, reader, user }));
      if (isRefusal(served)) return served;
      const shows = isWhole || records.length > 0 ? records : showsOf(tables, news);
      const listed = { shows, timers: served.map(wireTimer), channels };
      return reply({ ...listed, last_update_time: Math.floor(now / SECOND) }, headers);
    },
  ),
];
