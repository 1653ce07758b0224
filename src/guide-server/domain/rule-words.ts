import type { CompiledRule } from "../../rules/compiled-rule.ts";
import { grouped } from "../../rules/grouped.ts";
import type { PlaceIndex } from "../../rules/place-index.ts";
import type { ShowPlace } from "../data/show.ts";
import { areasOf, type Candidates, COST, type DayScan, type Searching } from "./rule-search.ts";

/** Ids of one query: other work waits for one. */
const IDS_AT_ONCE = 20_000;

/** Ids that a search keeps to go through days with; beyond that, shows are looked up. */
const IDS_KEPT = 1_000_000;

interface Wanted {
  readonly candidates: Candidates;
  readonly rules: readonly CompiledRule[];
}

/** Rules with the same words and genres, and the shows that the index has for them. */
interface Group {
  readonly rules: readonly CompiledRule[];
  readonly index: PlaceIndex;
  readonly ids: ReadonlySet<number>;
}

/** Shows by the index of the words of all texts. Rules with the same words and genres ask it once. */
export async function wordSearch(
  searching: Searching,
  { candidates, rules }: Wanted,
): Promise<DayScan | undefined> {
  const { search, share, tables } = searching;
  const { startFrom, startBefore, showsLookedUp } = search;
  const scanned: Group[] = [];
  let [idsLeft, idAfter]: [number, number | undefined] = [IDS_KEPT, undefined];
  for (const [rule, ...others] of grouped(rules, indexKey).values()) {
    if (rule === undefined) continue;
    idAfter ??= await idBefore(searching);
    const same = [rule, ...others];
    const ids = await idsOf(searching, { rule, idAfter });
    const group = { rules: same, index: search.rules.indexed(same), ids };
    if (group.ids.size > showsLookedUp && group.ids.size <= idsLeft) {
      scanned.push(group);
      idsLeft -= group.ids.size;
      continue;
    }
    const all = [...group.ids];
    for (let from = 0; from < all.length; from += showsLookedUp) {
      const some = all.slice(from, from + showsLookedUp);
      const places = tables.shows.placesAt({ ids: some, startFrom, startBefore });
      await share.spend(COST.query);
      await addPlaces(searching, { candidates, group, places });
    }
  }
  return scanned.length === 0 ? undefined : groupScan(searching, scanned);
}

function indexKey({ words, genres = new Set() }: CompiledRule): string {
  return JSON.stringify([words.toSorted(), [...genres].toSorted()]);
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

function groupScan(searching: Searching, groups: readonly Group[]): DayScan {
  const { tables, share } = searching;
  const all = groups.flatMap(({ rules }) => rules);
  return async (candidates, areas) => {
    for (const area of areas(all)) {
      const places = tables.shows.placesIn(area);
      await share.spend(COST.query + places.length * COST.place);
      for (const group of groups) {
        const some = places.filter(({ id }) => group.ids.has(id));
        await addPlaces(searching, { candidates, group, places: some });
      }
    }
  };
}

interface Found {
  readonly candidates: Candidates;
  readonly group: Group;
  readonly places: readonly ShowPlace[];
}

async function addPlaces(
  { share, channelOf }: Searching,
  { candidates, group: { index }, places }: Found,
): Promise<void> {
  for (const place of places)
    if (index.hasAt({ show: place, ...channelOf(place.channelId) })) candidates.addFound(place, index);
  await share.spend(places.length * COST.place);
}
