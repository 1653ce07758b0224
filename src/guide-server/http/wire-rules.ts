import { wireOrder } from "../../guide-wire/rule-fields.ts";
import type { RuleMatch, Rule as WireRule } from "../../guide-wire/rule-records.ts";
import type { Keyword, SeriesRecording } from "../../guide-wire/series-records.ts";
import type { RuleMatch as ModelMatch } from "../../model/rule.ts";
import { formatInstant } from "../../model/time.ts";
import type { Rule } from "../data/tables.ts";
import { modelRule } from "../domain/ordering-rules.ts";

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

/** The rule if it is of the kind `rule`, in a list. */
export function wireRules(rules: readonly Rule[]): readonly WireRule[] {
  return rules.flatMap((stored) => {
    const rule = modelRule(stored);
    if (rule === undefined) return [];
    const { id, deviceId, createdAt } = rule;
    return [{ id, device_id: deviceId, ...wireOrder(rule), created_at: formatInstant(createdAt) }];
  });
}

export function wireMatch({ subtitle, ...match }: ModelMatch): RuleMatch {
  return {
    show_id: match.showId,
    channel_id: match.channelId,
    title: match.title,
    ...(subtitle === undefined ? {} : { subtitle }),
    start: formatInstant(match.start),
    stop: formatInstant(match.stop),
    outcome: match.outcome,
    is_identified: match.isIdentified ? 1 : 0,
  };
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
