import { DAY, type DurationMs, type EpochMs, HOUR } from "../../model/time.ts";
import { titleKey } from "../../rules/title.ts";
import { nearestTo } from "./by-start.ts";

/** The facts of one channel's broadcast that identify it. */
export interface Airing {
  readonly start: EpochMs;
  readonly stop: EpochMs;
  readonly title: string;
  /** Includes its series; empty without any mark of the episode. */
  readonly episode: string;
  /** The EIT event id, if known: a moved broadcast keeps it. */
  readonly eventId?: number;
}

export interface KnownAiring extends Airing {
  readonly id: number;
}

/** An episode found again within this time has moved; further away it is a repeat. */
const EPISODE_MOVES_MS: DurationMs = 3 * DAY;
/** The same limit for a title without episodes. */
const TITLE_MOVES_MS: DurationMs = 3 * HOUR;
/**
 * Candidates per broadcast: a title shown every minute would have hundreds, and such a listing hundreds of millions
 * of pairs.
 */
const NEAR_MAX = 32;

/**
 * Matches the broadcasts of a listing with the known ones of the channel, each at most once; a match keeps its id
 * and so its timers. In this order: the same EIT event id unless all else differs; the same start and title; the
 * same episode, moved; the same title, moved a little; the same start under a longer or shorter title.
 *
 * @returns the id of each, `undefined` for a new one
 */
export function matchAirings(
  known: readonly KnownAiring[],
  listed: readonly Airing[],
): readonly (number | undefined)[] {
  const matching = new Matching(known, listed);
  // Event ids come first: when several episodes in a row all move, their starts and titles match those of the next.
  matching.pair(({ eventId }) => (eventId === undefined ? "" : String(eventId)), EPISODE_MOVES_MS, sameEvent);
  matching.pair((airing) => `${airing.start} ${titleKey(airing.title)}`, 0);
  matching.pair((airing) => airing.episode, EPISODE_MOVES_MS);
  matching.pair((airing) => titleKey(airing.title), TITLE_MOVES_MS, sameEpisodeOrNone);
  matching.pair((airing) => String(airing.start), 0, retitled);
  return matching.ids;
}

type Fits = (known: Airing, listed: Airing) => boolean;

/** A known episode is never another episode, whatever its title. */
function sameEpisodeOrNone(a: Airing, b: Airing): boolean {
  return a.episode === "" || b.episode === "" || a.episode === b.episode;
}

/** Ids are reused after a while, and some known ones are invented: alone they prove nothing. */
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

  /** Pairs the remaining broadcasts with equal keys within this distance, nearest first. */
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

/** The broadcasts with the same key that start nearest, within this time. A channel may show one title all year. */
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
