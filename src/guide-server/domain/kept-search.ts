import type { Steps } from "../../model/steps.ts";
import { type EpochMs, MINUTE } from "../../model/time.ts";
import { byTime } from "../../rules/airing.ts";
import type { CompiledRule } from "../../rules/compiled-rule.ts";
import { LoopShare } from "../../rules/loop-share.ts";
import type { ShowNews } from "../data/show-news.ts";
import type { Account, GuideTables, Rule, StoredTimer } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { compiledRule, ruleSetOf } from "./ordering-rules.ts";
import {
  channelFacts,
  expandedSpan,
  type FoundAiring,
  searchAll,
  searchWanted,
  withOthers,
} from "./rule-airings.ts";

/** The airings that the rules of a device want: after a change of few rules, only the shows of those are searched for. */
interface KeptSearch {
  readonly rules: readonly Rule[];
  /** By start, without the other airings of their episodes. */
  readonly wanted: readonly FoundAiring[];
  readonly wantedMax: number;
  readonly at: EpochMs;
  /** The state of the shows. */
  readonly shows: number;
  /** The channels and the zone. */
  readonly place: string;
}

/** Later, shows have come within reach that it lacks. */
const KEPT_FOR_MS = 10 * MINUTE;

/** More changed rules are not worth a search of their own. */
const CHANGED_MAX = 20;

/** Airings of all kept searches of a server, some tens of megabytes: the latest searches stay. */
const AIRINGS_KEPT = 60_000;

/** By device, the latest at the end. Each store has its own news. */
const SEARCHES = new WeakMap<ShowNews, Map<number, KeptSearch>>();

interface DeviceSearch {
  readonly account: Account;
  readonly deviceId: number;
  /** All of the device. */
  readonly rules: readonly Rule[];
  readonly timers: readonly StoredTimer[];
  readonly now: EpochMs;
  /** The limit of a search. */
  readonly wantedMax?: number;
}

/** The airings for an expansion of all rules of a device. */
export async function airingsOfDevice(
  tables: GuideTables,
  news: ShowNews,
  { account, deviceId, rules, timers, now, wantedMax = SERVER_LIMITS.airingsExpanded }: DeviceSearch,
): Promise<readonly FoundAiring[]> {
  const search = { rules: await ruleSetOf(tables, account, rules), timers, wantedMax, ...expandedSpan(now) };
  const [shows, place] = [news.latest, placeKey(tables, account)];
  const before = SEARCHES.get(news)?.get(deviceId);
  const isValid =
    before?.shows === shows &&
    before.place === place &&
    Math.abs(now - before.at) <= KEPT_FOR_MS &&
    !timers.some((timer) => isBeyond(before, timer));
  const changed = isValid ? await changedWanted(tables, account, { before, rules }) : undefined;
  const { wanted, airings } =
    changed === undefined
      ? await searchAll(tables, search)
      : { wanted: changed, airings: await withOthers(tables, { ...search, wanted: changed }) };
  const at = changed === undefined ? now : (before?.at ?? now);
  if (news.latest === shows && search.rules.exhausted.length === 0)
    keep(news, deviceId, { rules, wanted, wantedMax, at, shows, place });
  return airings;
}

/** The last airing of a search that its limit has ended. */
function lastOf({ wanted, wantedMax }: KeptSearch): FoundAiring | undefined {
  return wanted.length < wantedMax ? undefined : wanted.at(-1);
}

/** Whether the search cannot tell if rules still want the show of a timer. */
function isBeyond(search: KeptSearch, { episode, start }: StoredTimer): boolean {
  return episode !== undefined && start >= (lastOf(search)?.show.start ?? Number.POSITIVE_INFINITY);
}

function placeKey(tables: GuideTables, { regionId }: Account): string {
  const factsOf = channelFacts(tables);
  const channels = [...tables.channels.values()].map(({ id }) => [id, factsOf(id)]);
  return JSON.stringify([tables.regions.get(String(regionId))?.timezone, channels]);
}

/** `undefined` if only a search for all rules can tell. */
async function changedWanted(
  tables: GuideTables,
  account: Account,
  { before, rules }: { readonly before: KeptSearch; readonly rules: readonly Rule[] },
): Promise<readonly FoundAiring[] | undefined> {
  const [old, current] = [new Set(before.rules), new Set(rules)];
  const added = rules.filter((rule) => !old.has(rule));
  const removed = new Set(before.rules.filter((rule) => !current.has(rule)).map(compiledRule));
  if (added.length + removed.size > CHANGED_MAX) return undefined;
  if (added.length + removed.size === 0) return before.wanted;
  const last = lastOf(before);
  const set = await ruleSetOf(tables, account, added);
  const span = expandedSpan(before.at);
  const found = await searchWanted(tables, {
    rules: set,
    ...span,
    wantedMax: before.wantedMax,
    ...(last === undefined ? {} : { startBefore: last.show.start + 1 }),
  });
  if (set.exhausted.length > 0) return undefined;
  const merged = await new LoopShare().run(mergedAirings(before, { removed, found }));
  // Airings after the last one are unknown.
  return last !== undefined && merged.length < before.wantedMax
    ? undefined
    : merged.slice(0, before.wantedMax);
}

interface Change {
  readonly removed: ReadonlySet<CompiledRule>;
  /** The airings that added rules want. */
  readonly found: readonly FoundAiring[];
}

function* mergedAirings(before: KeptSearch, { removed, found }: Change): Steps<readonly FoundAiring[]> {
  const last = lastOf(before);
  const additions = new Map(found.map((airing) => [airing.show.id, airing]));
  const merged: FoundAiring[] = [];
  for (const airing of before.wanted) {
    const rules = airing.rules.changed(removed, additions.get(airing.show.id)?.rules);
    additions.delete(airing.show.id);
    if (rules === airing.rules) merged.push(airing);
    else if (rules.some(() => true)) merged.push({ ...airing, rules });
    yield;
  }
  for (const airing of additions.values())
    if (last === undefined || byTime(airing, last) <= 0) merged.push(airing);
  return merged.sort(byTime);
}

function keep(news: ShowNews, deviceId: number, search: KeptSearch): void {
  const searches = SEARCHES.get(news) ?? new Map<number, KeptSearch>();
  SEARCHES.set(news, searches);
  searches.delete(deviceId);
  if (search.wanted.length > 0) searches.set(deviceId, search);
  let count = 0;
  for (const { wanted } of searches.values()) count += wanted.length;
  for (const [id, { wanted }] of searches) {
    if (count <= AIRINGS_KEPT) return;
    searches.delete(id);
    count -= wanted.length;
  }
}
