import { airingFields } from "../../guide-wire/airing-fields.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { KeywordView, SeriesApi, SeriesRecordingView } from "../../web/guide-api.ts";
import type { GuideTables, Rule } from "../data/tables.ts";
import { addFavourite, favouritesOf, removeFavourite } from "../domain/favourites.ts";
import { addKeyword, addSeriesRecording, changeRule, deleteRule, rulesOf } from "../domain/rules.ts";
import { titleOf } from "../http/wire.ts";
import { chosenDevice } from "./chosen-device.ts";
import type { Household } from "./household.ts";

/** The household's series recordings, keywords and favourites. */
export function seriesOrdersOf(household: Household): SeriesApi {
  const { tables, account, user: by, now, change } = household;
  const device = (wanted: number | undefined) => chosenDevice(household, wanted);
  const edit = async (kind: Rule["wants"]["kind"], id: number, wanted: object) => {
    await change((all) => changeRule(all, account, { id: String(id), kind, change: wanted }));
  };
  const withdraw = async (kind: Rule["wants"]["kind"], id: number) => {
    await change((all) => deleteRule(all, account, { id: String(id), kind }));
  };
  return {
    all: async () => ({
      recordings: rulesOf(tables, account, "series").map((rule) => recordingView(tables, rule)),
      keywords: rulesOf(tables, account, "keyword").map(keywordView),
      favourites: favouritesOf(tables, account).map(({ seriesId }) => ({
        seriesId,
        title: titleOf(tables, seriesId),
      })),
    }),
    addRecording: async ({ seriesId, ...wanted }) => {
      const order = { ...airingFields(wanted), series_id: seriesId, device_id: device(wanted.deviceId) };
      return recordingView(
        tables,
        await change((all) => addSeriesRecording(all, account, { order, now, by })),
      );
    },
    setRecording: (id, wanted) => edit("series", id, airingFields(wanted)),
    deleteRecording: (id) => withdraw("series", id),
    addKeyword: async ({ keyword, ...wanted }) => {
      const order = { ...airingFields(wanted), keyword, device_id: device(wanted.deviceId) };
      return keywordView(await change((all) => addKeyword(all, account, { order, now, by })));
    },
    setKeyword: (id, { keyword, ...wanted }) =>
      edit("keyword", id, { ...airingFields(wanted), ...(keyword === undefined ? {} : { keyword }) }),
    deleteKeyword: (id) => withdraw("keyword", id),
    addFavourite: async (seriesId) => {
      await change((all) => addFavourite(all, account, seriesId));
    },
    deleteFavourite: async (seriesId) => {
      await change((all) => removeFavourite(all, account, seriesId));
    },
  };
}

function airingsView({ id, deviceId, channelId, startMinutes, quality }: Rule) {
  return {
    id,
    deviceId,
    ...withoutUndefined({ channelId, startMinutes }),
    quality,
  };
}

function recordingView(tables: GuideTables, rule: Rule): SeriesRecordingView {
  const { wants } = rule;
  const seriesId = wants.kind === "series" ? wants.seriesId : "";
  const showId = wants.kind === "series" ? wants.only?.showId : undefined;
  return {
    ...airingsView(rule),
    seriesId,
    title: titleOf(tables, seriesId),
    ...(showId === undefined ? {} : { showId }),
  };
}

function keywordView(rule: Rule): KeywordView {
  const { wants } = rule;
  return { ...airingsView(rule), keyword: wants.kind === "keyword" ? wants.keyword : "" };
}
