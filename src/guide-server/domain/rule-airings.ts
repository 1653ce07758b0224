import { DAY, type EpochMs } from "../../model/time.ts";
import { byTime } from "../../rules/airing.ts";
import type { OrderingRule } from "../../rules/compiled-rule.ts";
import { episodeOf, isIdentified } from "../../rules/episode.ts";
import { dependsOnOthers } from "../../rules/expansion.ts";
import { grouped } from "../../rules/grouped.ts";
import { RULE_LIMITS } from "../../rules/limits.ts";
import { LoopShare } from "../../rules/loop-share.ts";
import type { MatchedAiring } from "../../rules/orders.ts";
import type { RuleLists } from "../../rules/wanting-rules.ts";
import type { Show } from "../data/show.ts";
import type { GuideTables, StoredTimer } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { networkIdOf } from "./complete-records.ts";
import { candidatesByDay } from "./rule-candidates.ts";
import type { Candidates, ChannelFacts, Search, Searching } from "./rule-search.ts";

/** The part that is kept of a matched show: a month of a large guide has many. */
export type KeptShow = Omit<Show, "desc" | "category" | "rating" | "date" | "updatedAt" | "rank">;

export interface FoundAiring extends MatchedAiring<KeptShow> {
  readonly rules: RuleLists;
}

/** Rows per read; other work waits for one read. */
const SHOWS_AT_ONCE = 200;

/** Looking up costs less than the places of all days up to here, measured with 200 channels. */
const LOOKED_UP = { seriesLookedUp: 2000, showsLookedUp: 5000 } as const;

type Given = "wantedMax" | keyof typeof LOOKED_UP;
type Order = Omit<Search, Given> & Partial<Pick<Search, Given>>;
type Others = Order & { readonly timers: readonly StoredTimer[] };

function searchingFor(tables: GuideTables, order: Order): Searching {
  const search = { wantedMax: SERVER_LIMITS.airingsExpanded, ...LOOKED_UP, ...order };
  return { tables, search, share: new LoopShare(), channelOf: channelFacts(tables) };
}

/**
 * Reads the shows that rules may want and matches them, with pauses for other work; also the shows of timers, and the
 * other airings of the matched episodes where they matter. A search for one rule leaves out timers of other episodes.
 */
export async function searchAirings(tables: GuideTables, order: Others): Promise<readonly FoundAiring[]> {
  return (await searchAll(tables, order)).airings;
}

/** The same, and which of them the rules want. */
export async function searchAll(
  tables: GuideTables,
  { timers, ...order }: Others,
): Promise<{ readonly wanted: readonly FoundAiring[]; readonly airings: readonly FoundAiring[] }> {
  const searching = searchingFor(tables, order);
  const wanted = await wantedAirings(searching);
  return { wanted, airings: await othersAdded(searching, timers, wanted) };
}

/** Only the shows that rules want. */
export async function searchWanted(tables: GuideTables, order: Order): Promise<readonly FoundAiring[]> {
  return await wantedAirings(searchingFor(tables, order));
}

/** The rest of `searchAirings`. @param wanted by `searchWanted` */
export async function withOthers(
  tables: GuideTables,
  { timers, wanted, ...order }: Others & { readonly wanted: readonly FoundAiring[] },
): Promise<readonly FoundAiring[]> {
  return await othersAdded(searchingFor(tables, order), timers, wanted);
}

async function othersAdded(
  searching: Searching,
  timers: readonly StoredTimer[],
  wanted: readonly FoundAiring[],
): Promise<readonly FoundAiring[]> {
  const { search } = searching;
  const { sought } = search;
  // The search for rules has not gone as far as some of the others. Mostly there are none.
  let whole: Searching | undefined;
  const found = new Map(wanted.map((airing) => [airing.show.id, airing]));
  const add = async (ids: readonly number[]) => {
    const missing = [...new Set(ids)].filter((id) => !found.has(id));
    if (missing.length === 0) return;
    whole ??= { ...searching, search: { ...search, rules: search.rules.uncovered() } };
    for (let from = 0; from < missing.length; from += SHOWS_AT_ONCE)
      for (const airing of await matched(whole, undefined, missing.slice(from, from + SHOWS_AT_ONCE)))
        found.set(airing.show.id, airing);
  };
  const episodes = new Set(sought === undefined ? [] : wanted.map(({ episode }) => episode));
  const isMeant = ({ episode }: StoredTimer) =>
    episode !== undefined && (sought === undefined || episodes.has(episode));
  await add(timers.filter(isMeant).map(({ showId }) => showId));
  await add(await siblingIds(searching, [...found.values()]));
  return [...found.values()];
}

/** The first ones by start. */
async function wantedAirings(searching: Searching): Promise<readonly FoundAiring[]> {
  const { wantedMax } = searching.search;
  const wanted: FoundAiring[] = [];
  for await (const { candidates, day } of candidatesByDay(searching)) {
    for (const ids of candidates.ofDay(day, SHOWS_AT_ONCE)) {
      if (wanted.length >= wantedMax) break;
      const airings = await matched(searching, candidates, ids);
      wanted.push(...airings.filter(({ rules }) => rules.some(() => true)).sort(byTime));
    }
    if (wanted.length >= wantedMax) break;
  }
  return wanted.slice(0, wantedMax);
}

/** Reads shows and matches them; a show that is gone is left out. */
async function matched(
  { tables, search, share, channelOf }: Searching,
  candidates: Candidates | undefined,
  ids: readonly number[],
): Promise<readonly FoundAiring[]> {
  const airings: FoundAiring[] = [];
  for (const show of tables.shows.several(ids)) {
    const place = channelOf(show.channelId);
    const found = candidates?.foundFor(show.id) ?? [];
    const rules = search.rules.wantingWith({ show, ...place }, found);
    airings.push({ show: keptPart(show), episode: episodeOf(show), ...place, rules });
    if (share.isTurnOver) await share.pause();
  }
  return airings;
}

/** Its text would stay in memory with it. */
function keptPart(show: Show): KeptShow {
  const { id, channelId, seriesId, episodeId, start, durationMinutes } = show;
  const { title, subtitle, eitId, isRepeat, gone } = show;
  return {
    ...{ id, channelId, seriesId, episodeId, start, durationMinutes, title, subtitle, eitId },
    ...(isRepeat === undefined ? {} : { isRepeat }),
    ...(gone === undefined ? {} : { gone }),
  };
}

export function channelFacts({ channels }: GuideTables): (id: number) => ChannelFacts {
  const known = new Map<number, ChannelFacts>();
  return (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const channel = channels.get(String(id));
    const facts = { isHd: channel?.is_hd === 1, networkId: channel && networkIdOf(channel) };
    known.set(id, facts);
    return facts;
  };
}

/**
 * Other airings of the found episodes, past ones too, where a rule's choice depends on them. A search for one rule among
 * others needs them too: another rule may take one.
 */
async function siblingIds(searching: Searching, airings: readonly FoundAiring[]): Promise<readonly number[]> {
  const { sought, rules: all, startBefore } = searching.search;
  const hasOthers = sought !== undefined && all.rules.length > sought.length;
  const chosen = new Set(sought?.map(({ rule }) => rule));
  const isDependent = (rule: OrderingRule) => dependsOnOthers(rule) || (hasOthers && chosen.has(rule));
  const dependent: FoundAiring[] = [];
  for (const airing of airings) {
    if (isIdentified(airing.show) && airing.rules.some(isDependent)) dependent.push(airing);
    if (searching.share.isTurnOver) await searching.share.pause();
  }
  const bySeries = [...grouped(dependent, ({ show }) => show.seriesId)].map(
    ([seriesId, some]) => [seriesId, new Set(some.map(({ show }) => show.episodeId))] as const,
  );
  const ids: number[] = [];
  for (let from = 0; from < bySeries.length; from += SERIES_AT_ONCE) {
    const episodes = new Map(bySeries.slice(from, from + SERIES_AT_ONCE));
    const siblings = searching.tables.shows.airingsOf({ episodes, startFrom: 0, startBefore });
    ids.push(...siblings);
    await searching.share.rest();
  }
  return ids;
}

/** Series of one query; other work waits for one. */
const SERIES_AT_ONCE = 50;

/** The span that timers are made for; shows that have just begun belong to running timers. */
export function expandedSpan(now: EpochMs): Pick<Search, "startFrom" | "startBefore"> {
  return { startFrom: now - DAY, startBefore: now + RULE_LIMITS.expandAheadMs };
}
