import { type CompiledRule, hasPlace } from "../../rules/compiled-rule.ts";
import type { PlaceIndex } from "../../rules/place-index.ts";
import type { AreaQuery, ShowPlace } from "../data/show.ts";
import { type Candidates, COST, type DayScan, type Searching } from "./rule-search.ts";

interface Sought {
  readonly rule: CompiledRule;
  readonly index: PlaceIndex;
}

/** By all texts of the channels that the rules may want: an index knows words, and an expression is none. */
export function textScan(searching: Searching, rules: readonly CompiledRule[]): DayScan {
  const { tables, share, search } = searching;
  const sought = rules.map((rule) => ({ rule, index: search.rules.indexed([rule]) }));
  return async (candidates, areas) => {
    for (const area of areas(rules)) {
      const { lines, ids } = tables.shows.textsIn(area);
      await share.spend(COST.query + lines.length * COST.character);
      if (lines === "") continue;
      const texts = new Texts(area, { lines, ids, searching });
      for (const one of sought) await texts.addMatches(candidates, one);
    }
  };
}

/** The texts of an area, taken apart for the first rule that needs it. */
class Texts {
  readonly #area: AreaQuery;
  readonly #searching: Searching;
  readonly #lines: string;
  readonly #readIds: () => readonly number[];
  #ids: readonly number[] | undefined;
  #texts: readonly string[] | undefined;
  #places: ReadonlyMap<number, ShowPlace> | undefined;

  constructor(
    area: AreaQuery,
    {
      lines,
      ids,
      searching,
    }: {
      readonly lines: string;
      readonly ids: () => readonly number[];
      readonly searching: Searching;
    },
  ) {
    this.#area = area;
    this.#lines = lines;
    this.#readIds = ids;
    this.#searching = searching;
  }

  async addMatches(candidates: Candidates, { rule, index }: Sought): Promise<void> {
    const { search, share, channelOf, tables } = this.#searching;
    const some = rule.expression?.linesOf(this.#lines) ?? [];
    await share.spend(this.#lines.length * COST.character);
    if (some.length === 0) return;
    this.#texts ??= this.#lines.split("\n");
    this.#ids ??= this.#readIds();
    const wants = (place: ShowPlace) => index.hasAt({ show: place, ...channelOf(place.channelId) });
    const isPlaced = hasPlace(rule);
    const matched: number[] = [];
    for (const line of some) {
      const [id = 0, text = ""] = [this.#ids[line], this.#texts[line]];
      const place = isPlaced ? this.#placeOf(id) : undefined;
      if (place !== undefined && !wants(place)) continue;
      if (search.rules.holds(rule, () => text)) matched.push(id);
      if (share.isTurnOver(COST.text + search.rules.takeSpent() * COST.expression)) await share.pause();
    }
    const { startFrom, startBefore } = this.#area;
    if (matched.length === 0) return;
    for (const place of tables.shows.placesAt({ ids: matched, startFrom, startBefore }))
      if (wants(place)) candidates.addFound(place, index);
  }

  #placeOf(id: number): ShowPlace | undefined {
    this.#places ??= new Map(
      this.#searching.tables.shows.placesIn(this.#area).map((place) => [place.id, place]),
    );
    return this.#places.get(id);
  }
}
