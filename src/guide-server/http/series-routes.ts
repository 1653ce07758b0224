import type { SeriesSummary } from "../../guide-wire/records.ts";
import { wordsOf } from "../../rules/fold.ts";
import { RULE_LIMITS } from "../../rules/limits.ts";
import type { ShownSeries } from "../data/show.ts";
import type { GuideTables } from "../data/tables.ts";
import { addFavourite, favouritesOf, removeFavourite } from "../domain/favourites.ts";
import { addKeyword, addSeriesRecording, changeRule, deleteRule, rulesOf } from "../domain/rules.ts";
import { isRefusal } from "../refusal.ts";
import { MEDIA_TYPE, NOT_ON_LIST, UNAUTHORIZED, UNAVAILABLE } from "./conditions.ts";
import { PAGING, pageOfList } from "./paging.ts";
import { accountRoute, type GuideRoute, reply } from "./route.ts";
import { titleOf } from "./wire.ts";
import { wireKeyword, wireSeriesRecording } from "./wire-rules.ts";

const reading = { 401: UNAUTHORIZED, 503: UNAVAILABLE } as const;
const writing = { ...reading, 415: MEDIA_TYPE } as const;
const BAD_RULE = "start_minutes is not a minute of the day, or recording_quality is not one of the four";
const TOO_MANY = "the account has too many series recordings and keywords";
const removing = { success: 200, statuses: { ...reading, 405: NOT_ON_LIST } } as const;

const SERIES: readonly GuideRoute[] = [
  accountRoute(
    {
      method: "GET",
      path: "/series",
      summary: "Series with a show in the next 28 days, by title; the list may be empty",
      success: 200,
      query: { title: "Only series with all these words in the title of a show.", ...PAGING },
      answer: "series",
      statuses: reading,
    },
    async ({ tables, request: { query }, now }) => {
      const wanted = {
        endAfter: now,
        startBefore: now + RULE_LIMITS.expandAheadMs,
        words: wordsOf(query.get("title") ?? ""),
      };
      const { records, headers } = pageOfList(query, {
        list: (page) => tables.shows.seriesList({ ...wanted, ...page }),
        count: () => tables.shows.countSeries(wanted),
      });
      return reply({ series_info: records.map((one) => summaryOf(tables, one)) }, headers);
    },
  ),
];

/** The published summary, else one derived from its shows. */
function summaryOf(tables: GuideTables, { seriesId, title, episodes }: ShownSeries): SeriesSummary {
  return { id: seriesId, title, episode_count: episodes, ...tables.series.get(seriesId)?.summary };
}

const RECORDINGS: readonly GuideRoute[] = [
  accountRoute(
    {
      method: "GET",
      path: "/series/recordings",
      summary: "The account's series recordings; the list may be empty",
      success: 200,
      answer: "series-recordings",
      statuses: reading,
    },
    async ({ tables, account }) =>
      reply({
        series_recordings: rulesOf(tables, account, "series").map((rule) => recordingOf(tables, rule)),
      }),
  ),
  accountRoute(
    {
      method: "POST",
      path: "/series/recordings",
      summary: "Record every episode of a series, once each; repeating an order returns the existing one",
      success: 201,
      body: "series-recording-add",
      answer: "series-recordings",
      statuses: {
        ...writing,
        404: "There is no such series, show or channel, or device_id is not the account's.",
        406: `The body is not a valid document or lacks a field, ${BAD_RULE}, or ${TOO_MANY}.`,
      },
    },
    async ({ tables, commit, account, user, now }, order) => {
      const added = await commit((tables) => addSeriesRecording(tables, account, { order, now, by: user }));
      return isRefusal(added) ? added : reply({ series_recordings: [recordingOf(tables, added)] });
    },
  ),
  accountRoute(
    {
      method: "PUT",
      path: "/series/recordings/{series_recording_id}",
      summary: "Change device, channel, network, time of day and quality of a series recording",
      success: 200,
      body: "series-recording-set",
      answer: "series-recordings",
      statuses: {
        ...writing,
        404: "The account has no such series recording, there is no such channel, or device_id is not the account's.",
        406: `The body is not a valid document, or ${BAD_RULE}.`,
      },
    },
    async ({ tables, commit, account, request }, change) => {
      const id = request.params["series_recording_id"] ?? "";
      const changed = await commit((tables) => changeRule(tables, account, { id, kind: "series", change }));
      return isRefusal(changed) ? changed : reply({ series_recordings: [recordingOf(tables, changed)] });
    },
  ),
  accountRoute(
    {
      ...removing,
      method: "DELETE",
      path: "/series/recordings/{series_recording_id}",
      summary: "Withdraw a series recording and the timers that only it needs; a missing one is not an error",
    },
    async ({ commit, account, request }) => {
      const id = request.params["series_recording_id"] ?? "";
      const deleted = await commit((tables) => deleteRule(tables, account, { id, kind: "series" }));
      return isRefusal(deleted) ? deleted : reply();
    },
  ),
];

function recordingOf(tables: GuideTables, rule: Parameters<typeof wireSeriesRecording>[0]) {
  return wireSeriesRecording(rule, (seriesId) => titleOf(tables, seriesId));
}

const FAVOURITES: readonly GuideRoute[] = [
  accountRoute(
    {
      method: "GET",
      path: "/series/favourites",
      summary: "The account's favourite series; the list may be empty. A favourite alone records nothing",
      success: 200,
      answer: "favourites",
      statuses: reading,
    },
    async ({ tables, account }) =>
      reply({
        favourites: favouritesOf(tables, account).map(({ seriesId }) => favouriteOf(tables, seriesId)),
      }),
  ),
  accountRoute(
    {
      method: "POST",
      path: "/series/favourites",
      summary: "Add a series to the account's favourites; repeating it changes nothing",
      success: 201,
      body: "favourite-add",
      answer: "favourites",
      statuses: {
        ...writing,
        404: "There is no such series.",
        406: "The body is not a valid document, or the account has too many favourites.",
      },
    },
    async ({ tables, commit, account }, { series_id }) => {
      const added = await commit((tables) => addFavourite(tables, account, series_id));
      return isRefusal(added) ? added : reply({ favourites: [favouriteOf(tables, added.seriesId)] });
    },
  ),
  accountRoute(
    {
      ...removing,
      method: "DELETE",
      path: "/series/favourites/{series_id}",
      summary: "Remove a series from the account's favourites; a missing one is not an error",
    },
    async ({ commit, account, request }) => {
      const id = request.params["series_id"] ?? "";
      const deleted = await commit((tables) => removeFavourite(tables, account, id));
      return isRefusal(deleted) ? deleted : reply();
    },
  ),
];

function favouriteOf(tables: GuideTables, seriesId: string) {
  return { series_id: seriesId, name: titleOf(tables, seriesId) };
}

const KEYWORDS: readonly GuideRoute[] = [
  accountRoute(
    {
      method: "GET",
      path: "/keywords",
      summary: "The account's keywords; the list may be empty",
      success: 200,
      answer: "keywords",
      statuses: reading,
    },
    async ({ tables, account }) => reply({ keywords: rulesOf(tables, account, "keyword").map(wireKeyword) }),
  ),
  accountRoute(
    {
      method: "POST",
      path: "/keywords",
      summary:
        "Record every show with all words of the keyword in its title, each episode once; repeating an order returns the existing one",
      success: 201,
      body: "keyword-add",
      answer: "keywords",
      statuses: {
        ...writing,
        404: "There is no such channel, or device_id is not the account's.",
        406: `The body is not a valid document or lacks a field, the keyword has no word or is too long, ${BAD_RULE}, or ${TOO_MANY}.`,
      },
    },
    async ({ commit, account, user, now }, order) => {
      const added = await commit((tables) => addKeyword(tables, account, { order, now, by: user }));
      return isRefusal(added) ? added : reply({ keywords: [wireKeyword(added)] });
    },
  ),
  accountRoute(
    {
      method: "PUT",
      path: "/keywords/{keyword_id}",
      summary: "Change a keyword, its device, channel, network, time of day and quality",
      success: 200,
      body: "keyword-set",
      answer: "keywords",
      statuses: {
        ...writing,
        404: "The account has no such keyword, there is no such channel, or device_id is not the account's.",
        406: `The body is not a valid document, the keyword has no word or is too long, or ${BAD_RULE}.`,
      },
    },
    async ({ commit, account, request }, change) => {
      const id = request.params["keyword_id"] ?? "";
      const changed = await commit((tables) => changeRule(tables, account, { id, kind: "keyword", change }));
      return isRefusal(changed) ? changed : reply({ keywords: [wireKeyword(changed)] });
    },
  ),
  accountRoute(
    {
      ...removing,
      method: "DELETE",
      path: "/keywords/{keyword_id}",
      summary: "Withdraw a keyword and the timers that only it needs; a missing one is not an error",
    },
    async ({ commit, account, request }) => {
      const id = request.params["keyword_id"] ?? "";
      const deleted = await commit((tables) => deleteRule(tables, account, { id, kind: "keyword" }));
      return isRefusal(deleted) ? deleted : reply();
    },
  ),
];

export const SERIES_ROUTES: readonly GuideRoute[] = [...SERIES, ...RECORDINGS, ...FAVOURITES, ...KEYWORDS];
