import { DAY, type EpochMs } from "../../model/time.ts";
import { byTime } from "../../rules/airing.ts";
import type { CompiledRule } from "../../rules/compiled-rule.ts";
import { isIdentified } from "../../rules/episode.ts";
import { dependsOnOthers } from "../../rules/expansion.ts";
import { RULE_LIMITS } from "../../rules/limits.ts";
import type { MatchedAiring } from "../../rules/orders.ts";
import { type RuleSet, reachOf } from "../../rules/rule-set.ts";
import type { Show } from "../data/show.ts";
import type { GuideTables, StoredTimer } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { networkIdOf } from "./complete-records.ts";
import { LoopShare } from "./loop-share.ts";

/** The part that is kept of a matched show: a month of a large guide has many. */
export type KeptShow = Omit<Show, "desc" | "category">;

interface Search {
  /** The rules that a show is matched with. */
  readonly rules: RuleSet;
  /** The rules whose shows are searched for; absent: all of them. */
  readonly sought?: readonly CompiledRule[];
  /** Timers whose shows are read too. */
  readonly timers: readonly StoredTimer[];
  readonly startFrom: EpochMs;
  readonly startBefore: EpochMs;
}

/**
 * Reads the shows that rules may want and matches them, with pauses for other work. Each way of finding shows may
 * find too many; matching decides. So the result does not depend on the ways.
 */
export async function searchAirings(
  tables: GuideTables,
  search: Search,
): Promise<readonly MatchedAiring<KeptShow>[]> {
  const found = new Findings(tables, search.rules);
  const ways = sorted(search.sought ?? search.rules.rules);
  // One rule alone needs most siblings; among many rules, few shows have some that matter.
  const isWhole = search.sought?.every(({ rule }) => dependsOnOthers(rule)) === true;
  for (const seriesId of await seriesOf(tables, { search, ways, found })) {
    await readSeries(tables, { seriesId, search, found, isWhole });
  }
  await readTexts(tables, { rules: ways.text, search, found });
  for (const { showId, episode } of search.timers) {
    const show = episode === undefined ? undefined : tables.shows.get(showId);
    if (show !== undefined) await found.add([show]);
  }
  await readSiblings(tables, { search, found });
  const airings = found.airings.sort(byTime);
  const wanted = airings.filter(({ rules }) => rules.length > 0);
  const siblings = airings.filter(({ rules }) => rules.length === 0);
  return [...wanted.slice(0, SERVER_LIMITS.airingsExpanded), ...siblings];
}

interface Ways {
  readonly series: readonly CompiledRule[];
  readonly title: ReadonlySet<CompiledRule>;
  readonly text: readonly CompiledRule[];
}

function sorted(rules: readonly CompiledRule[]): Ways {
  const of = (reach: ReturnType<typeof reachOf>) => rules.filter((rule) => reachOf(rule) === reach);
  return { series: of("series"), title: new Set(of("title")), text: of("text") };
}

/** Collects matched shows, each once. */
class Findings {
  readonly #shows = new Map<number, MatchedAiring<KeptShow>>();
  /** Shows that no rule wants: several ways find them. */
  readonly #unwanted = new Set<number>();
  readonly #channels = new Map<number, { readonly isHd: boolean; readonly networkId: number | undefined }>();
  readonly #tables: GuideTables;
  readonly #rules: RuleSet;
  readonly share = new LoopShare();
  /** Series that are read with all of their airings. */
  readonly wholeSeries = new Set<string>();

  constructor(tables: GuideTables, rules: RuleSet) {
    this.#tables = tables;
    this.#rules = rules;
  }

  get airings(): MatchedAiring<KeptShow>[] {
    return [...this.#shows.values()];
  }

  /** Matches shows; `keepAll` also keeps those that no rule wants. */
  async add(shows: readonly Show[], keepAll = false): Promise<void> {
    for (const show of shows) {
      if (this.#shows.has(show.id) || (!keepAll && this.#unwanted.has(show.id))) continue;
      const place = this.#placeOf(show.channelId);
      const rules = this.#rules.wanting({ show, ...place });
      if (rules.length > 0 || keepAll) {
        const { desc: _desc, category: _category, ...kept } = show;
        this.#shows.set(show.id, { show: kept, ...place, rules });
      } else this.#unwanted.add(show.id);
      await this.share.spend(COST.show + this.spentOnExpressions());
    }
  }

  spentOnExpressions(): number {
    return this.#rules.takeSpent() * COST.expression;
  }

  #placeOf(channelId: number) {
    const known = this.#channels.get(channelId);
    if (known !== undefined) return known;
    const channel = this.#tables.channels.get(String(channelId));
    const place = { isHd: channel?.is_hd === 1, networkId: channel && networkIdOf(channel) };
    this.#channels.set(channelId, place);
    return place;
  }
}

/** Costs for `LoopShare`, as measured; one step of an expression is cheap, except for hostile ones. */
const COST = { show: 40, title: 5, query: 100, expression: 0.06 } as const;

/** Rows per read; other work waits for one read. */
const SHOWS_AT_ONCE = 200;
const TITLES_AT_ONCE = 1000;

interface Finding {
  readonly search: Search;
  readonly found: Findings;
}

/** More rules are matched with every title instead. */
const INDEXED_RULES = 20;

/** The series that rules name, and those with a title that rules look for. */
async function seriesOf(
  tables: GuideTables,
  { search, ways, found }: Finding & { readonly ways: Ways },
): Promise<ReadonlySet<string>> {
  const named = ways.series.map(({ rule }) => rule.wants.seriesId ?? "");
  if (ways.title.size > INDEXED_RULES || [...ways.title].some(({ words }) => words.length === 0)) {
    return new Set([...named, ...(await seriesTitled(tables, { search, ways, found }))]);
  }
  return new Set([...named, ...[...ways.title].flatMap(({ words }) => tables.shows.seriesTitled(words))]);
}

/** The series of all titles that a rule wants. */
async function seriesTitled(
  tables: GuideTables,
  { search, ways, found }: Finding & { readonly ways: Ways },
): Promise<ReadonlySet<string>> {
  const series = new Set<string>();
  for (let last = { title: "", seriesId: "" }; ; ) {
    const page = tables.shows.titlesAfter(last, TITLES_AT_ONCE);
    await found.share.spend(COST.query + page.length);
    for (const { title, seriesId } of page) {
      if (search.rules.titled(title).some((rule) => ways.title.has(rule))) series.add(seriesId);
      await found.share.spend(COST.title + found.spentOnExpressions());
    }
    const next = page.at(-1);
    if (next === undefined) return series;
    last = next;
  }
}

interface SeriesRead extends Finding {
  readonly seriesId: string;
  /** Also past airings, and those that no rule wants. */
  readonly isWhole: boolean;
}

async function readSeries(
  tables: GuideTables,
  { seriesId, search, found, isWhole }: SeriesRead,
): Promise<void> {
  const { startBefore } = search;
  const startFrom = isWhole ? 0 : search.startFrom;
  if (isWhole) found.wholeSeries.add(seriesId);
  await readPages(found, isWhole, (page) => tables.shows.list({ seriesId, startFrom, startBefore, ...page }));
}

async function readPages(
  found: Findings,
  keepAll: boolean,
  list: (page: { readonly limit: number; readonly offset: number }) => readonly Show[],
): Promise<void> {
  for (let offset = 0; ; offset += SHOWS_AT_ONCE) {
    const shows = list({ limit: SHOWS_AT_ONCE, offset });
    await found.share.spend(COST.query);
    await found.add(shows, keepAll);
    if (shows.length < SHOWS_AT_ONCE) return;
  }
}

/** By the index of words where a rule has words or genres; for all other rules, every show of their channels is read once. */
async function readTexts(
  tables: GuideTables,
  { rules, search, found }: Finding & { readonly rules: readonly CompiledRule[] },
): Promise<void> {
  const isIndexed = ({ words, genres }: CompiledRule) => words.length > 0 || (genres?.size ?? 0) > 0;
  for (const rule of rules.filter(isIndexed)) await readIndexed(tables, { rule, search, found });
  const others = rules.filter((rule) => !isIndexed(rule));
  const { startFrom, startBefore } = search;
  for (const channelId of channelsOf(tables, others)) {
    await readPages(found, false, (page) =>
      tables.shows.list({ channelIds: [channelId], startFrom, startBefore, ...page }),
    );
  }
}

async function readIndexed(
  tables: GuideTables,
  { rule: { words, genres }, search, found }: Finding & { readonly rule: CompiledRule },
): Promise<void> {
  const { startFrom, startBefore } = search;
  const wanted = { words, genres: [...(genres ?? [])], startFrom, startBefore, limit: SHOWS_AT_ONCE };
  for (let idAfter = Number.MIN_SAFE_INTEGER; ; ) {
    const shows = tables.shows.withText({ ...wanted, idAfter });
    await found.share.spend(COST.query);
    await found.add(shows);
    const last = shows.at(-1);
    if (last === undefined) return;
    idAfter = last.id;
  }
}

/** The channels that a rule may want, each once. */
function channelsOf({ channels }: GuideTables, rules: readonly CompiledRule[]): ReadonlySet<number> {
  const all = () => [...channels.values()].map(({ id }) => id);
  return new Set(rules.flatMap(({ channelIds }) => (channelIds === undefined ? all() : [...channelIds])));
}

/** Other airings of the matched episodes, where they matter; a preview also says which other rule takes one. */
async function readSiblings(tables: GuideTables, { search, found }: Finding): Promise<void> {
  const { sought = [], rules: all } = search;
  const hasOthers = all.rules.length > sought.length;
  const textual = new Set(
    sought.filter((rule) => hasOthers && reachOf(rule) === "text").map(({ rule }) => rule),
  );
  const dependent = found.airings.filter(
    ({ show, rules }) =>
      isIdentified(show) && rules.some((rule) => dependsOnOthers(rule) || textual.has(rule)),
  );
  for (const seriesId of new Set(dependent.map(({ show }) => show.seriesId))) {
    if (!found.wholeSeries.has(seriesId))
      await readSeries(tables, { seriesId, search, found, isWhole: true });
  }
}

/** The span that timers are made for; shows that have just begun belong to running timers. */
export function expandedSpan(now: EpochMs): Pick<Search, "startFrom" | "startBefore"> {
  return { startFrom: now - DAY, startBefore: now + RULE_LIMITS.expandAheadMs };
}
