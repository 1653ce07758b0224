import type { CompiledRule } from "../../rules/compiled-rule.ts";
import type { ShowPlace } from "../data/show.ts";
import { areasOf, type Candidates, COST, type DayScan, type Searching } from "./rule-search.ts";

/** Ids of one query: other work waits for one. */
const IDS_AT_ONCE = 20_000;

/** Rules that scan days at once: each keeps the ids of its shows meanwhile. */
const SCANS_MAX = 5;

interface Wanted {
  readonly candidates: Candidates;
  readonly rules: readonly CompiledRule[];
}

/** Shows by the index of the words of all texts. */
export async function wordSearch(
  searching: Searching,
  { candidates, rules }: Wanted,
): Promise<DayScan | undefined> {
  const { search, share, tables } = searching;
  const { startFrom, startBefore, showsLookedUp } = search;
  const scans: DayScan[] = [];
  let idAfter: number | undefined;
  for (const rule of rules) {
    idAfter ??= await idBefore(searching);
    const ids = await idsOf(searching, { rule, idAfter });
    if (ids.size > showsLookedUp && scans.length < SCANS_MAX) {
      scans.push(idScan(searching, { rule, ids }));
      continue;
    }
    const all = [...ids];
    for (let from = 0; from < all.length; from += showsLookedUp) {
      const some = all.slice(from, from + showsLookedUp);
      const places = tables.shows.placesAt({ ids: some, startFrom, startBefore });
      addPlaces(searching, { candidates, rule, places });
      await share.spend(COST.query + some.length * COST.place);
    }
  }
  if (scans.length === 0) return undefined;
  return async (found, areas) => {
    for (const scan of scans) await scan(found, areas);
  };
}

/** The shows of the span have later ids than this: older shows need not be looked at. */
async function idBefore(searching: Searching): Promise<number> {
  const { startFrom, startBefore, rules } = searching.search;
  let lowest = Number.MAX_SAFE_INTEGER;
  for (const area of areasOf(searching, { rules: rules.rules, startFrom, startBefore })) {
    lowest = Math.min(lowest, searching.tables.shows.lowestIdIn(area) ?? lowest);
    await searching.share.spend(COST.query * area.channelIds.length);
  }
  return lowest - 1;
}

async function idsOf(
  { tables, share }: Searching,
  { rule: { words, genres }, idAfter }: { readonly rule: CompiledRule; readonly idAfter: number },
): Promise<ReadonlySet<number>> {
  const all = new Set<number>();
  const wanted = { words, genres: [...(genres ?? [])], limit: IDS_AT_ONCE };
  for (let last = idAfter; ; ) {
    const ids = tables.shows.idsWith({ ...wanted, idAfter: last });
    for (const id of ids) all.add(id);
    await share.spend(COST.textQuery + ids.length * COST.place);
    if (ids.length < IDS_AT_ONCE) return all;
    last = ids.at(-1) ?? last;
  }
}

function idScan(
  searching: Searching,
  { rule, ids }: { readonly rule: CompiledRule; readonly ids: ReadonlySet<number> },
): DayScan {
  return async (candidates, areas) => {
    for (const area of areas([rule])) {
      const places = searching.tables.shows.placesIn(area);
      addPlaces(searching, { candidates, rule, places: places.filter(({ id }) => ids.has(id)) });
      await searching.share.spend(COST.query + places.length * COST.place);
    }
  };
}

interface Found {
  readonly candidates: Candidates;
  readonly rule: CompiledRule;
  readonly places: readonly ShowPlace[];
}

function addPlaces({ search, channelOf }: Searching, { candidates, rule, places }: Found): void {
  for (const place of places)
    if (search.rules.wantPlace([rule], { show: place, ...channelOf(place.channelId) }))
      candidates.addFound(place, rule);
}
