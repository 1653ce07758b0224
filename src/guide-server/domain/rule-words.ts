import type { CompiledRule } from "../../rules/compiled-rule.ts";
import { grouped } from "../../rules/grouped.ts";
import type { PlaceIndex } from "../../rules/place-index.ts";
import type { ShowPlace } from "../data/show.ts";
import { areasOf, type Candidates, type Scan, type Searching } from "./rule-search.ts";

/** Ids of one query: other work waits for one. */
const IDS_AT_ONCE = 5000;

/** Places of one query. */
const PLACES_AT_ONCE = 500;

/** Ids that a search keeps to go through the guide with; beyond that, shows are looked up. */
const IDS_KEPT = 500_000;

interface Wanted {
  readonly candidates: Candidates;
  readonly rules: readonly CompiledRule[];
}

/** Rules, by their places, for each id of a show that the index has for them. Most shows have one: a list each would cost more. */
type RulesById = Map<number, PlaceIndex | PlaceIndex[]>;

/** Shows by the index of the words of all texts. Rules with the same words and genres ask it once. */
export async function wordSearch(
  searching: Searching,
  { candidates, rules }: Wanted,
): Promise<{
  readonly scan?: Scan;
  /** Rules with the same words, which more shows have than an index is good for. */
  readonly common: readonly (readonly CompiledRule[])[];
}> {
  const { search, share } = searching;
  const common: (readonly CompiledRule[])[] = [];
  if (rules.length === 0) return { common };
  const idAfter = await idBefore(searching);
  const byId: RulesById = new Map();
  for (const same of grouped(rules, indexKey).values()) {
    const ids = await idsOf(searching, { rules: same, idAfter });
    if (ids === undefined) {
      common.push(same);
      continue;
    }
    const index = search.rules.indexed(same);
    for (const id of ids) addIndex(byId, id, index);
    await share.rest();
    if (byId.size > IDS_KEPT) await lookUp(searching, candidates, byId);
  }
  if (byId.size > search.showsLookedUp) return { common, scan: idScan(searching, { rules, byId }) };
  await lookUp(searching, candidates, byId);
  return { common };
}

function addIndex(byId: RulesById, id: number, index: PlaceIndex): void {
  const known = byId.get(id);
  if (known === undefined) byId.set(id, index);
  else if (Array.isArray(known)) known.push(index);
  else byId.set(id, [known, index]);
}

function indexKey({ words, genres = new Set() }: CompiledRule): string {
  return JSON.stringify([words.toSorted(), [...genres].toSorted()]);
}

/** The shows of the span have later ids than this: older shows need not be looked at. */
async function idBefore(searching: Searching): Promise<number> {
  const { startFrom, startBefore, rules } = searching.search;
  let lowest = Number.MAX_SAFE_INTEGER;
  for (const { channelIds } of areasOf(searching, { rules: rules.rules, startFrom, startBefore })) {
    lowest = Math.min(lowest, searching.tables.shows.lowestIdFrom({ channelIds, startFrom }));
    await searching.share.rest();
  }
  return lowest - 1;
}

/** `undefined` for common words, which are searched in the texts; these do not have the genres. */
async function idsOf(
  { tables, share, search }: Searching,
  { rules, idAfter }: { readonly rules: readonly CompiledRule[]; readonly idAfter: number },
): Promise<readonly number[] | undefined> {
  const { words = [], genres } = rules[0] ?? {};
  const limit = genres === undefined ? search.showsLookedUp : Number.POSITIVE_INFINITY;
  const query = { words, genres: [...(genres ?? [])], without: unwantedByAll(rules), limit: IDS_AT_ONCE };
  const all: number[] = [];
  for (let last = idAfter; ; ) {
    const ids = tables.shows.idsWith({ ...query, idAfter: last });
    for (const id of ids) all.push(id);
    await share.rest();
    if (all.length > limit) return undefined;
    if (ids.length < IDS_AT_ONCE) return all;
    last = ids.at(-1) ?? last;
  }
}

function unwantedByAll([first, ...others]: readonly CompiledRule[]): readonly string[] {
  return (first?.withoutWords ?? []).filter((word) =>
    others.every(({ withoutWords }) => withoutWords.includes(word)),
  );
}

async function lookUp(searching: Searching, candidates: Candidates, byId: RulesById): Promise<void> {
  const { startFrom, startBefore } = searching.search;
  const all = [...byId.keys()];
  for (let from = 0; from < all.length; from += PLACES_AT_ONCE) {
    const ids = all.slice(from, from + PLACES_AT_ONCE);
    const places = searching.tables.shows.placesAt({ ids, startFrom, startBefore });
    await addPlaces(searching, { candidates, byId, places });
  }
  byId.clear();
}

function idScan(
  searching: Searching,
  { rules, byId }: { readonly rules: readonly CompiledRule[]; readonly byId: RulesById },
): Scan {
  return {
    rules,
    addFrom: (area, candidates) => addPlaces(searching, { candidates, byId, places: area.places }),
  };
}

interface Found {
  readonly candidates: Candidates;
  readonly byId: RulesById;
  readonly places: readonly ShowPlace[];
}

async function addPlaces(
  { share, channelOf }: Searching,
  { candidates, byId, places }: Found,
): Promise<void> {
  for (const place of places) {
    const found = byId.get(place.id);
    if (found === undefined) continue;
    const airing = { show: place, ...channelOf(place.channelId) };
    for (const index of Array.isArray(found) ? found : [found])
      if (index.hasAt(airing)) candidates.addFound(place, index);
  }
  await share.rest();
}
