import type { Keyword, SeriesRecording } from "../../guide-wire/records.ts";
import type { Rule } from "../data/tables.ts";

/** The field's value for an unrestricted field of a rule. */
const ANY = -1;

export function wireSeriesRecording(rule: Rule, titleOf: (seriesId: string) => string): SeriesRecording {
  const { wants } = rule;
  const seriesId = wants.kind === "series" ? wants.seriesId : "";
  const showId = wants.kind === "series" ? wants.only?.showId : undefined;
  return {
    id: rule.id,
    name: titleOf(seriesId),
    series_id: seriesId,
    ...wireAirings(rule),
    show_id: showId ?? ANY,
  };
}

export function wireKeyword(rule: Rule): Keyword {
  const { wants } = rule;
  return { id: rule.id, keyword: wants.kind === "keyword" ? wants.keyword : "", ...wireAirings(rule) };
}

function wireAirings({ deviceId, startMinutes, networkId, channelId, quality }: Rule) {
  return {
    device_id: deviceId,
    start_minutes: startMinutes ?? ANY,
    network_id: networkId ?? ANY,
    channel_id: channelId ?? ANY,
    recording_quality: quality,
  };
}
