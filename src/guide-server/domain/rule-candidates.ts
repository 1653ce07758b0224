import { DAY, type EpochMs } from "../../model/time.ts";
import type { CompiledRule } from "../../rules/compiled-rule.ts";
import type { LoopShare } from "../../rules/loop-share.ts";
import { isIndexed, type RuleSet, reachOf } from "../../rules/rule-set.ts";
import type { EpisodePlace, ShowPlace } from "../data/show.ts";
import type { GuideTables } from "../data/tables.ts";

/** The part of a channel that rules check. */
export interface ChannelFacts {
  readonly isHd: boolean;
  readonly networkId: number | undefined;
}

export interface Search {
  /** The rules that a show is matched with. */
  readonly rules: RuleSet;
  /** The rules whose shows are searched for; absent: all of them. */
  readonly sought?: readonly CompiledRule[];
  readonly startFrom: EpochMs;
  readonly startBefore: EpochMs;
}

/** A search under way. */
export interface Searching {
  readonly tables: GuideTables;
  readonly search: Search;
  readonly share: LoopShare;
  readonly channelOf: (id: number) => ChannelFacts;
}

/** Costs for `LoopShare`, as measured; one step of an expression is cheap, except for hostile ones. */
export const COST = {
  show: 40,
  place: 3,
  title: 5,
  query: 100,
  textQuery: 3000,
  expression: 0.06,
  compared: 20,
} as const;

const PLACES_AT_ONCE = 1000;
const TEXTS_AT_ONCE = 200;
const TITLES_AT_ONCE = 1000;

/** Shows that rules may want, by what indexes hold of them. */
export class Candidates {
  /** By day of the start, so that no sort is long. */
  readonly #days = new Map<number, Map<number, ShowPlace>>();
  readonly #found = new Map<number, CompiledRule[]>();

  add(place: ShowPlace): void {
    const day = Math.floor(place.start / DAY);
    const known = this.#days.get(day);
    if (known === undefined) this.#days.set(day, new Map([[place.id, place]]));
    else known.set(place.id, place);
  }

  /** Also notes that the show has the words of a rule with reach `text`, or what it expresses. */
  addFound(place: ShowPlace, rule: CompiledRule): void {
    this.add(place);
    const known = this.#found.get(place.id);
    if (known === undefined) this.#found.set(place.id, [rule]);
    else known.push(rule);
  }

  foundFor(showId: number): readonly CompiledRule[] {
    return this.#found.get(showId) ?? [];
  }

  /** The ids in portions, by start. */
  *inOrder(size: number): Generator<readonly number[]> {
    for (const day of [...this.#days.keys()].sort((a, b) => a - b)) {
      const places = [...(this.#days.get(day)?.values() ?? [])].sort(
        (a, b) => a.start - b.start || a.channelId - b.channelId || a.id - b.id,
      );
      for (let from = 0; from < places.length; from += size)
        yield places.slice(from, from + size).map(({ id }) => id);
    }
  }
}

/**
 * Finds the shows that rules may want: by series, by title, and by the texts. Each way may find too many; matching
 * decides. So the result does not depend on the ways.
 */
export async function candidatesOf(searching: Searching): Promise<Candidates> {
  const { search } = searching;
  const candidates = new Candidates();
  const rules = search.sought ?? search.rules.rules;
  const textual = rules.filter((rule) => reachOf(rule) === "text");
  search.rules.cover(textual);
  for (const [seriesId, some] of await rulesBySeries(searching, rules))
    await addSeries(searching, { candidates, seriesId, rules: some });
  for (const rule of textual.filter(isIndexed)) await addIndexed(searching, { candidates, rule });
  await addTexts(searching, { candidates, rules: textual.filter((rule) => !isIndexed(rule)) });
  return candidates;
}

/** More rules are matched with every title instead. */
const INDEXED_RULES = 20;

/** The rules that name a series, or want one of its titles. */
async function rulesBySeries(
  { tables, search, share }: Searching,
  rules: readonly CompiledRule[],
): Promise<ReadonlyMap<string, readonly CompiledRule[]>> {
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

interface SeriesSought {
  readonly candidates: Candidates;
  readonly seriesId: string;
  readonly rules: readonly CompiledRule[];
}

async function addSeries(searching: Searching, { candidates, seriesId, rules }: SeriesSought): Promise<void> {
  const { search, channelOf } = searching;
  const { startFrom, startBefore } = search;
  await eachPlace(searching, { seriesId, startFrom, startBefore }, (place) => {
    if (search.rules.wantPlace(rules, { show: place, ...channelOf(place.channelId) })) candidates.add(place);
  });
}

type SeriesSpan = Pick<Search, "startFrom" | "startBefore"> & { readonly seriesId: string };

/** Looks at all places of a series, in pages. */
export async function eachPlace(
  { tables, share }: Searching,
  span: SeriesSpan,
  look: (place: EpisodePlace) => void,
): Promise<void> {
  for (let offset = 0; ; offset += PLACES_AT_ONCE) {
    const places = tables.shows.placesOf({ ...span, limit: PLACES_AT_ONCE, offset });
    for (const place of places) look(place);
    await share.spend(COST.query + places.length * COST.place);
    if (places.length < PLACES_AT_ONCE) return;
  }
}

/** By the index of words. */
async function addIndexed(
  { tables, search, share, channelOf }: Searching,
  { candidates, rule }: { readonly candidates: Candidates; readonly rule: CompiledRule },
): Promise<void> {
  const { startFrom, startBefore } = search;
  const { words, genres } = rule;
  const wanted = { words, genres: [...(genres ?? [])], startFrom, startBefore, limit: PLACES_AT_ONCE };
  for (let idAfter = Number.MIN_SAFE_INTEGER; ; ) {
    const places = tables.shows.withText({ ...wanted, idAfter });
    for (const place of places)
      if (search.rules.wantPlace([rule], { show: place, ...channelOf(place.channelId) }))
        candidates.addFound(place, rule);
    await share.spend(COST.textQuery + places.length * COST.place);
    const last = places.at(-1);
    if (last === undefined) return;
    idAfter = last.id;
  }
}

/** By all texts of the channels that the rules may want, each read once. */
async function addTexts(
  { tables, search, share, channelOf }: Searching,
  { candidates, rules }: { readonly candidates: Candidates; readonly rules: readonly CompiledRule[] },
): Promise<void> {
  const { startFrom, startBefore } = search;
  for (const channelId of channelsOf(tables, rules)) {
    const facts = channelOf(channelId);
    for (let offset = 0; ; offset += TEXTS_AT_ONCE) {
      const page = { limit: TEXTS_AT_ONCE, offset };
      const texts = tables.shows.textsOf({ channelId, startFrom, startBefore, ...page });
      for (const show of texts) {
        const airing = { show, ...facts };
        const text = () => show.text;
        for (const rule of rules)
          if (search.rules.wantPlace([rule], airing) && search.rules.holds(rule, text))
            candidates.addFound(show, rule);
        if (share.isTurnOver(COST.place + search.rules.takeSpent() * COST.expression)) await share.pause();
      }
      await share.spend(COST.query);
      if (texts.length < TEXTS_AT_ONCE) break;
    }
  }
}

/** The channels that a rule may want, each once. */
function channelsOf({ channels }: GuideTables, rules: readonly CompiledRule[]): ReadonlySet<number> {
  const all = () => [...channels.values()].map(({ id }) => id);
  return new Set(rules.flatMap(({ channelIds }) => (channelIds === undefined ? all() : [...channelIds])));
}
