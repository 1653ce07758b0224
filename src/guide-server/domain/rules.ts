import type {
  KeywordChange,
  KeywordOrder,
  SeriesRecordingChange,
  SeriesRecordingOrder,
} from "../../guide-wire/series-records.ts";
import { isOneLine } from "../../model/one-line.ts";
import { QUALITIES } from "../../model/rule.ts";
import type { EpochMs } from "../../model/time.ts";
import { episodeOf } from "../../rules/episode.ts";
import { wordsOf } from "../../rules/fold.ts";
import type { Decision } from "../data/decision.ts";
import { type Account, type GuideTables, put, type Rule, remove, type User } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { badField, isRefusal, notAcceptable, notFound, type Refusal } from "../refusal.ts";
import { deviceOf } from "./devices.ts";
import { takeId } from "./ids.ts";
import { voteFor } from "./votes.ts";

export type Kind = Rule["wants"]["kind"];

/** The account's rules of one kind, oldest first. */
export function rulesOf(tables: GuideTables, account: Account, kind: Kind): readonly Rule[] {
  return [...tables.rules.values()].filter(
    ({ accountId, wants }) => accountId === account.id && wants.kind === kind,
  );
}

export interface Booking {
  readonly now: EpochMs;
  readonly by?: User;
}

/** Adds a series recording. Repeating an order returns the existing one. */
export function addSeriesRecording(
  tables: GuideTables,
  account: Account,
  { order, ...rest }: Booking & { readonly order: SeriesRecordingOrder },
): Decision<Rule> {
  const wants = seriesWanted(tables, order);
  if (isRefusal(wants)) return wants;
  const added = addRule(tables, account, { wants, order, ...rest });
  if (isRefusal(added)) return added;
  const votes = voteFor(tables, account, { seriesId: wants.seriesId, now: rest.now });
  return added.changes.length === 0 ? added : { ...added, changes: [...added.changes, ...votes] };
}

type WantsSeries = Extract<Rule["wants"], { readonly kind: "series" }>;

function seriesWanted(tables: GuideTables, order: SeriesRecordingOrder): WantsSeries | Refusal {
  const { show_id: showId = -1, series_id } = order;
  const show = showId > 0 ? tables.shows.get(showId) : undefined;
  if (showId > 0 && show === undefined) {
    return notFound("There is no such show in the guide: see GET shows.", "show_id");
  }
  const seriesId = series_id ?? show?.seriesId ?? "";
  const isKnown = tables.series.has(seriesId) || tables.shows.firstOf(seriesId) !== undefined;
  if (seriesId === "" || !isKnown) return notFound("There is no such series: see GET series.", "series_id");
  return {
    kind: "series",
    seriesId,
    ...(show === undefined ? {} : { only: { showId: show.id, episode: episodeOf(show) } }),
  };
}

/** Adds a keyword: record every show with these words in its title. Repeating an order returns the existing one. */
export function addKeyword(
  tables: GuideTables,
  account: Account,
  { order, ...rest }: Booking & { readonly order: KeywordOrder },
): Decision<Rule> {
  const wants = keywordWanted(order.keyword);
  return isRefusal(wants) ? wants : addRule(tables, account, { wants, order, ...rest });
}

function keywordWanted(text: string): Rule["wants"] | Refusal {
  const { nameLength } = SERVER_LIMITS;
  const keyword = text.trim();
  return wordsOf(keyword).length === 0 || keyword.length > nameLength || !isOneLine(keyword)
    ? notAcceptable(
        "keyword",
        `A keyword is one or more words on one line, at most ${nameLength} characters.`,
      )
    : { kind: "keyword", keyword };
}

export interface NewRule extends Booking {
  readonly wants: Rule["wants"];
  readonly order: SeriesRecordingChange & { readonly device_id: number };
}

export function addRule(
  tables: GuideTables,
  account: Account,
  { wants, order, now, by }: NewRule,
): Decision<Rule> {
  const { id, change } = takeId(tables, "rule");
  const plain = {
    id,
    accountId: account.id,
    deviceId: 0,
    wants,
    quality: "Prefer HD",
    createdAt: now,
    ...(by === undefined ? {} : { bookedBy: by.id }),
  } as const;
  const rule = withAirings(tables, account, { rule: plain, change: order });
  if (isRefusal(rule)) return rule;
  const own = [...tables.rules.values()].filter(({ accountId }) => accountId === account.id);
  const same = own.find((one) => orderKey(one) === orderKey(rule));
  if (same !== undefined) return { changes: [], value: same };
  const refusal = tooManyExpressions(own, rule);
  if (refusal !== undefined) return refusal;
  if (own.length >= SERVER_LIMITS.rulesPerAccount) {
    return notAcceptable(
      LIST_OF[wants.kind],
      `An account can have at most ${SERVER_LIMITS.rulesPerAccount} rules, series recordings and keywords: delete some.`,
    );
  }
  return { changes: [change, put("rules", rule)], value: rule };
}

/** Each of them reads every description. */
export function tooManyExpressions(own: readonly Rule[], rule: Rule): Refusal | undefined {
  const { textExpressionsPerAccount } = SERVER_LIMITS;
  const others = own.filter((other) => other.id !== rule.id && searchesTexts(other));
  return searchesTexts(rule) && others.length >= textExpressionsPerAccount
    ? notAcceptable(
        "expression",
        `An account can have at most ${textExpressionsPerAccount} rules that search descriptions for an expression.`,
      )
    : undefined;
}

function searchesTexts({ wants }: Rule): boolean {
  return wants.kind === "rule" && wants.order.expression !== undefined && wants.order.within === "all";
}

const LIST_OF = { series: "series_recordings", keyword: "keywords", rule: "rules" } as const;

/** A changed rule is another record. */
const ORDER_KEYS = new WeakMap<Rule, string>();

/** Equal for rules with equal orders. */
export function orderKey(rule: Rule): string {
  const known = ORDER_KEYS.get(rule);
  if (known !== undefined) return known;
  const { id: _id, createdAt: _at, bookedBy: _by, ...order } = rule;
  const key = JSON.stringify(Object.entries(order).sort(([a], [b]) => (a < b ? -1 : 1)));
  ORDER_KEYS.set(rule, key);
  return key;
}

const LAST_MINUTE = 24 * 60 - 1;

/** The rule with the airings of the change; omitted fields stay. */
function withAirings(
  tables: GuideTables,
  account: Account,
  { rule, change }: { readonly rule: Rule; readonly change: SeriesRecordingChange },
): Rule | Refusal {
  const { device_id, start_minutes, network_id, channel_id, recording_quality } = change;
  if (device_id !== undefined && deviceOf(tables, account, String(device_id)) === undefined) {
    return notFound("The account has no such device: see GET devices.", "device_id");
  }
  if (channel_id !== undefined && channel_id > 0 && !tables.channels.has(String(channel_id))) {
    return notFound("There is no such channel: see GET regions/channels.", "channel_id");
  }
  if (start_minutes !== undefined && (start_minutes < -1 || start_minutes > LAST_MINUTE)) {
    return badField("start_minutes", `must be a minute of the day, 0 to ${LAST_MINUTE}, or -1 for any`);
  }
  const quality = QUALITIES.find((one) => one === (recording_quality || rule.quality));
  if (quality === undefined) {
    return badField("recording_quality", `must be one of ${QUALITIES.join(", ")}`);
  }
  const { startMinutes, networkId, channelId, ...rest } = rule;
  const start = start_minutes ?? startMinutes ?? -1;
  const network = network_id ?? networkId ?? -1;
  const channel = channel_id ?? channelId ?? -1;
  return {
    ...rest,
    ...(device_id === undefined ? {} : { deviceId: device_id }),
    ...(start >= 0 ? { startMinutes: start } : {}),
    ...(network > 0 ? { networkId: network } : {}),
    ...(channel > 0 ? { channelId: channel } : {}),
    quality,
  };
}

interface RuleChange {
  readonly id: string;
  readonly kind: Kind;
  readonly change: KeywordChange;
}

export function changeRule(
  tables: GuideTables,
  account: Account,
  { id, kind, change }: RuleChange,
): Decision<Rule> {
  const rule = ruleOf(tables, account, { id, kind });
  if (rule === undefined) return NO_RULE[kind];
  const wants = change.keyword === undefined ? rule.wants : keywordWanted(change.keyword);
  if (isRefusal(wants)) return wants;
  const changed = withAirings(tables, account, { rule: { ...rule, wants }, change });
  if (isRefusal(changed)) return changed;
  return { changes: orderKey(changed) === orderKey(rule) ? [] : [put("rules", changed)], value: changed };
}

/** Deletes a rule and the timers that only it wants. A missing rule is no error. */
export function deleteRule(
  tables: GuideTables,
  account: Account,
  wanted: { readonly id: string; readonly kind: Kind },
): Decision<undefined> {
  const rule = ruleOf(tables, account, wanted);
  return { changes: rule === undefined ? [] : [remove("rules", wanted.id)], value: undefined };
}

export function ruleOf(
  tables: GuideTables,
  account: Account,
  { id, kind }: { readonly id: string; readonly kind: Kind },
): Rule | undefined {
  const rule = tables.rules.get(id);
  return rule?.accountId === account.id && rule.wants.kind === kind ? rule : undefined;
}

export const NO_RULE: Readonly<Record<Kind, Refusal>> = {
  series: notFound("The account has no such series recording: see GET series/recordings."),
  keyword: notFound("The account has no such keyword: see GET keywords."),
  rule: notFound("The account has no such rule: see GET rules."),
};
