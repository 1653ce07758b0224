import type { CompiledRule } from "../../rules/compiled-rule.ts";
import type { PlaceIndex } from "../../rules/place-index.ts";
import { reachOf } from "../../rules/rule-set.ts";
import type { SeriesPlace } from "../data/show.ts";
import type { Candidates, Scan, Searching } from "./rule-search.ts";

interface Wanted {
  readonly candidates: Candidates;
  readonly rules: readonly CompiledRule[];
}

type RulesBySeries = ReadonlyMap<string, readonly CompiledRule[]>;

/** The same for questions about many places. Series with the same rules share an index. */
type PlacesBySeries = ReadonlyMap<string, PlaceIndex>;

/** Shows of the series that rules name or whose titles they want. */
export async function seriesSearch(
  searching: Searching,
  { candidates, rules }: Wanted,
): Promise<Scan | undefined> {
  const { tables, search, share } = searching;
  const bySeries = await placesBySeries(searching, await rulesBySeries(searching, rules));
  if (bySeries.size > search.seriesLookedUp) {
    return {
      rules: rules.filter((rule) => reachOf(rule) !== "text"),
      addFrom: async ({ places }, found) => {
        addWanted(searching, { candidates: found, bySeries, places });
        await share.rest();
      },
    };
  }
  const { startFrom, startBefore } = search;
  const all = [...bySeries.keys()];
  for (let from = 0; from < all.length; from += SERIES_AT_ONCE) {
    const seriesIds = all.slice(from, from + SERIES_AT_ONCE);
    const places = tables.shows.placesOf({ seriesIds, startFrom, startBefore });
    addWanted(searching, { candidates, bySeries, places });
    await share.rest();
  }
  return undefined;
}

/** Series of one query: other work waits for one. */
const SERIES_AT_ONCE = 20;

async function placesBySeries(
  { search, share }: Searching,
  bySeries: RulesBySeries,
): Promise<PlacesBySeries> {
  const byRules = new Map<string, PlaceIndex>();
  const found = new Map<string, PlaceIndex>();
  for (const [seriesId, rules] of bySeries) {
    const key = rules.map(({ rule }) => rule.id).join(" ");
    const index = byRules.get(key) ?? search.rules.indexed(rules);
    byRules.set(key, index);
    found.set(seriesId, index);
    if (share.isTurnOver) await share.pause();
  }
  return found;
}

function addWanted(
  { channelOf }: Searching,
  {
    candidates,
    bySeries,
    places,
  }: {
    readonly candidates: Candidates;
    readonly bySeries: PlacesBySeries;
    readonly places: readonly SeriesPlace[];
  },
): void {
  for (const place of places)
    if (bySeries.get(place.seriesId)?.hasAt({ show: place, ...channelOf(place.channelId) }))
      candidates.add(place);
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
    await share.rest();
    for (const { title, seriesId } of page) {
      add(
        seriesId,
        search.rules.titled(title).filter((rule) => titled.has(rule)),
      );
      if (share.isTurnOver) await share.pause();
    }
    const next = page.at(-1);
    if (next === undefined) return found;
    last = next;
  }
}
