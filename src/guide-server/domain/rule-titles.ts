import type { CompiledRule } from "../../rules/compiled-rule.ts";
import { reachOf } from "../../rules/rule-set.ts";
import type { SeriesPlace } from "../data/show.ts";
import { type Candidates, COST, type DayScan, type Searching } from "./rule-search.ts";

interface Wanted {
  readonly candidates: Candidates;
  readonly rules: readonly CompiledRule[];
}

type RulesBySeries = ReadonlyMap<string, readonly CompiledRule[]>;

/** Shows of the series that rules name or whose titles they want. */
export async function seriesSearch(
  searching: Searching,
  { candidates, rules }: Wanted,
): Promise<DayScan | undefined> {
  const bySeries = await rulesBySeries(searching, rules);
  if (bySeries.size > searching.search.seriesLookedUp) return seriesScan(searching, bySeries);
  const { startFrom, startBefore } = searching.search;
  const all = [...bySeries.keys()];
  for (let from = 0; from < all.length; from += SERIES_AT_ONCE) {
    const seriesIds = all.slice(from, from + SERIES_AT_ONCE);
    const places = searching.tables.shows.placesOf({ seriesIds, startFrom, startBefore });
    addWanted(searching, { candidates, bySeries, places });
    await searching.share.spend(COST.query + places.length * COST.place);
  }
  return undefined;
}

/** Series of one query: other work waits for one. */
const SERIES_AT_ONCE = 20;

function seriesScan(searching: Searching, bySeries: RulesBySeries): DayScan {
  const rules = [...new Set([...bySeries.values()].flat())];
  return async (candidates, areas) => {
    for (const area of areas(rules)) {
      const places = searching.tables.shows.placesIn(area);
      addWanted(searching, { candidates, bySeries, places });
      await searching.share.spend(COST.query + places.length * COST.place);
    }
  };
}

function addWanted(
  { search, channelOf }: Searching,
  {
    candidates,
    bySeries,
    places,
  }: {
    readonly candidates: Candidates;
    readonly bySeries: RulesBySeries;
    readonly places: readonly SeriesPlace[];
  },
): void {
  for (const place of places) {
    const rules = bySeries.get(place.seriesId);
    if (rules !== undefined && search.rules.wantPlace(rules, { show: place, ...channelOf(place.channelId) }))
      candidates.add(place);
  }
}

/** More rules are matched with every title instead. */
const INDEXED_RULES = 20;

const TITLES_AT_ONCE = 1000;

/** The rules that name a series, or want one of its titles. */
async function rulesBySeries(
  { tables, search, share }: Searching,
  rules: readonly CompiledRule[],
): Promise<RulesBySeries> {
  const found = new Map<string, CompiledRule[]>();
  const add = (seriesId: string, some: readonly CompiledRule[]) => {
    if (some.length > 0) found.set(seriesId, [...new Set([...(found.get(seriesId) ?? []), ...some])]);
  };
  for (const rule of rules.filter((one) => reachOf(one) === "series"))
    add(rule.rule.wants.seriesId ?? "", [rule]);
  const titled = new Set(rules.filter((rule) => reachOf(rule) === "title"));
  if (titled.size <= INDEXED_RULES && [...titled].every(({ words }) => words.length > 0)) {
    for (const rule of titled)
      for (const seriesId of tables.shows.seriesTitled(rule.words)) add(seriesId, [rule]);
    return found;
  }
  for (let last = { title: "", seriesId: "" }; ; ) {
    const page = tables.shows.titlesAfter(last, TITLES_AT_ONCE);
    await share.spend(COST.query + page.length);
    for (const { title, seriesId } of page) {
      add(
        seriesId,
        search.rules.titled(title).filter((rule) => titled.has(rule)),
      );
      if (share.isTurnOver(COST.title + search.rules.takeSpent() * COST.expression)) await share.pause();
    }
    const next = page.at(-1);
    if (next === undefined) return found;
    last = next;
  }
}
