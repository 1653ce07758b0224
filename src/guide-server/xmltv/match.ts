import { DAY, type DurationMs, type EpochMs, HOUR } from "../../model/time.ts";
import { titleKey } from "../data/title.ts";
import { nearestTo } from "./by-start.ts";

/** A broadcast of one channel, as far as it matters for whether it is the same one. */
export interface Airing {
  readonly start: EpochMs;
  readonly stop: EpochMs;
  readonly title: string;
  /** With its series; empty when nothing tells it from others. */
  readonly episode: string;
  /** That the broadcast gives the event, where it is known: one that moves keeps it. */
  readonly eventId?: number;
}

export interface KnownAiring extends Airing {
  readonly id: number;
}

/** An episode that is found again within so long has moved; further away it is a repeat. */
const EPISODE_MOVES_MS: DurationMs = 3 * DAY;
/** The same of a title that has no episodes. */
const TITLE_MOVES_MS: DurationMs = 3 * HOUR;
/** Looked at for each broadcast: of a title that a channel shows every minute there would be hundreds, and hundreds of millions of pairs in a listing that has nothing else. */
const NEAR_MAX = 32;

/**
 * Finds the broadcasts of a listing among those that were known of the channel, each at most once: what is the same keeps its id,
 * and with it every timer. The same event id of the broadcast, unless all else
 * differs; else the same start and title; else the same episode, moved; else the same title, moved a little; else
 * the same start under a title that says it longer or shorter.
 *
 * @returns the id of each, `undefined` where it is a new one
 */
export function matchAirings(
  known: readonly KnownAiring[],
  listed: readonly Airing[],
): readonly (number | undefined)[] {
  const matching = new Matching(known, listed);
  // First: where a series runs one episode after the other and all of them move, starts and titles would be those of the next.
  matching.pair(({ eventId }) => (eventId === undefined ? "" : String(eventId)), EPISODE_MOVES_MS, sameEvent);
  matching.pair((airing) => `${airing.start} ${titleKey(airing.title)}`, 0);
  matching.pair((airing) => airing.episode, EPISODE_MOVES_MS);
  matching.pair((airing) => titleKey(airing.title), TITLE_MOVES_MS, sameEpisodeOrNone);
  matching.pair((airing) => String(airing.start), 0, retitled);
  return matching.ids;
}

type Fits = (known: Airing, listed: Airing) => boolean;

/** An episode that is known is no other episode, whatever its title. */
function sameEpisodeOrNone(a: Airing, b: Airing): boolean {
  return a.episode === "" || b.episode === "" || a.episode === b.episode;
}

/** Ids are given anew after a while, and some that we know were made up: they alone say nothing. */
function sameEvent(a: Airing, b: Airing): boolean {
  return a.start === b.start || retitled(a, b);
}

function retitled(a: Airing, b: Airing): boolean {
  const [short = "", long = ""] = [titleKey(a.title), titleKey(b.title)].sort((x, y) => x.length - y.length);
  return short !== "" && long.includes(short);
}

class Matching {
  readonly ids: (number | undefined)[];
  readonly #listed: readonly Airing[];
  #left: readonly KnownAiring[];

  constructor(known: readonly KnownAiring[], listed: readonly Airing[]) {
    this.#left = known;
    this.#listed = listed;
    this.ids = listed.map(() => undefined);
  }

  /** Pairs what is left with the same key, not further apart than that: the nearest first. */
  pair(keyOf: (airing: Airing) => string, apartMs: DurationMs, fits: Fits = () => true): void {
    const near = nearBy(this.#left, { keyOf, apartMs });
    const pairs = this.#listed.flatMap((airing, index) =>
      this.ids[index] !== undefined
        ? []
        : near(airing)
            .filter((other) => fits(other, airing))
            .map(({ id, start }) => ({ index, id, apart: Math.abs(start - airing.start) })),
    );
    const used = new Set<number>();
    for (const { index, id } of pairs.sort((a, b) => a.apart - b.apart || a.index - b.index || a.id - b.id)) {
      if (this.ids[index] !== undefined || used.has(id)) continue;
      this.ids[index] = id;
      used.add(id);
    }
    this.#left = this.#left.filter(({ id }) => !used.has(id));
  }
}

/** For a broadcast, those with its key that start nearest to it, within so long. A channel may show one title all year. */
function nearBy(
  known: readonly KnownAiring[],
  { keyOf, apartMs }: { readonly keyOf: (airing: Airing) => string; readonly apartMs: DurationMs },
): (airing: Airing) => readonly KnownAiring[] {
  const byKey = new Map<string, KnownAiring[]>();
  for (const airing of [...known].sort((a, b) => a.start - b.start)) {
    const key = keyOf(airing);
    const same = byKey.get(key);
    if (same !== undefined) same.push(airing);
    else if (key !== "") byKey.set(key, [airing]);
  }
  return (airing) => nearestTo(byKey.get(keyOf(airing)) ?? [], airing.start, { apartMs, most: NEAR_MAX });
}
