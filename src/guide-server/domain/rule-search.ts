import { DAY, type EpochMs } from "../../model/time.ts";
import type { CompiledRule } from "../../rules/compiled-rule.ts";
import { append } from "../../rules/grouped.ts";
import type { LoopShare } from "../../rules/loop-share.ts";
import type { PlaceIndex } from "../../rules/place-index.ts";
import type { RuleSet } from "../../rules/rule-set.ts";
import type { AreaQuery, ShowPlace, SpanQuery } from "../data/show.ts";
import type { GuideTables } from "../data/tables.ts";
import type { AreaShows } from "./area-shows.ts";

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
  /** The search ends with so many wanted shows, the first by start. */
  readonly wantedMax: number;
  /** Beyond so many series or shows of one way, all places of a day are looked at instead. */
  readonly seriesLookedUp: number;
  readonly showsLookedUp: number;
}

/** A search under way. */
export interface Searching {
  readonly tables: GuideTables;
  readonly search: Search;
  readonly share: LoopShare;
  readonly channelOf: (id: number) => ChannelFacts;
}

/** A way to find shows by going through the guide. */
export interface Scan {
  readonly rules: readonly CompiledRule[];
  addFrom(area: AreaShows, candidates: Candidates): Promise<void>;
}

/** Shows that rules may want, by what indexes hold of them. */
export class Candidates {
  /** By day of the start, so that no sort is long. */
  readonly #days = new Map<number, Map<number, ShowPlace>>();
  readonly #found = new Map<number, PlaceIndex[]>();

  add(place: ShowPlace): void {
    const day = Math.floor(place.start / DAY);
    const known = this.#days.get(day);
    if (known === undefined) this.#days.set(day, new Map([[place.id, place]]));
    else known.set(place.id, place);
  }

  /** Also notes that the show has the words of rules with reach `text`, or what one expresses. */
  addFound(place: ShowPlace, rules: PlaceIndex): void {
    this.add(place);
    append(this.#found, place.id, rules);
  }

  foundFor(showId: number): readonly PlaceIndex[] {
    return this.#found.get(showId) ?? [];
  }

  /** The ids of a day in portions, by start. */
  *ofDay(day: number, size: number): Generator<readonly number[]> {
    const places = [...(this.#days.get(day)?.values() ?? [])].sort(
      (a, b) => a.start - b.start || a.channelId - b.channelId || a.id - b.id,
    );
    for (let from = 0; from < places.length; from += size)
      yield places.slice(from, from + size).map(({ id }) => id);
  }
}

/**
 * Channels of one query: other work waits for one, and most texts of a day are shorter together than 128 kB. V8 places longer strings
 * on new pages of memory, which cost more than all the rest.
 */
const CHANNELS_AT_ONCE = 10;

/** The parts of the guide that some rules may want. */
export function areasOf(
  { tables }: Searching,
  { rules, startFrom, startBefore }: SpanQuery & { readonly rules: readonly CompiledRule[] },
): readonly AreaQuery[] {
  const isAny = rules.some(({ channelIds }) => channelIds === undefined);
  const ids = isAny
    ? [...tables.channels.values()].map(({ id }) => id)
    : [...new Set(rules.flatMap(({ channelIds }) => [...(channelIds ?? [])]))];
  const count = Math.ceil(ids.length / CHANNELS_AT_ONCE);
  return Array.from({ length: count }, (_, index) => ({
    channelIds: ids.slice(index * CHANNELS_AT_ONCE, (index + 1) * CHANNELS_AT_ONCE),
    startFrom,
    startBefore,
  }));
}
