import type { EpochMs } from "../../model/time.ts";
import type { Show } from "../data/show.ts";
import type { Rule } from "../data/tables.ts";
import { wordsOf } from "../data/title.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { episodeOf } from "./episode.ts";

/** A show with the facts of its channel that rules check. */
export interface Airing {
  readonly show: Show;
  readonly isHd: boolean;
  readonly networkId: number | undefined;
}

/** By start, then by channel and id, so that the order of reading does not matter. */
export function byTime(a: Pick<Airing, "show">, b: Pick<Airing, "show">): number {
  return a.show.start - b.show.start || a.show.channelId - b.show.channelId || a.show.id - b.show.id;
}

const DAY_MINUTES = 24 * 60;

/** Whether a rule wants this airing, done or not. */
export function ruleMatches(rule: Rule, airing: Airing, minuteOfDay: (at: EpochMs) => number): boolean {
  const { show, isHd, networkId } = airing;
  if (rule.channelId !== undefined && rule.channelId !== show.channelId) return false;
  if (rule.networkId !== undefined && rule.networkId !== networkId) return false;
  if (rule.quality === "HD Only" && !isHd) return false;
  if (rule.quality === "SD Only" && isHd) return false;
  if (rule.startMinutes !== undefined) {
    const apart = Math.abs(minuteOfDay(show.start) - rule.startMinutes);
    if (Math.min(apart, DAY_MINUTES - apart) > SERVER_LIMITS.startWithinMinutes) return false;
  }
  return wantsShow(rule, show);
}

function wantsShow({ wants }: Rule, show: Show): boolean {
  if (wants.kind === "keyword") {
    const words = new Set(wordsOf(show.title));
    return wordsOf(wants.keyword).every((word) => words.has(word));
  }
  if (wants.seriesId !== show.seriesId) return false;
  return wants.only === undefined || wants.only.showId === show.id || wants.only.episode === episodeOf(show);
}

/** @param airings by time, all of one episode */
export function chooseAiring(airings: readonly Airing[], quality: Rule["quality"]): Airing | undefined {
  const [first] = airings;
  if (first === undefined) return undefined;
  const wantsHd = quality === "Prefer HD" || quality === "HD Only";
  const within = first.show.start + SERVER_LIMITS.qualityWithinMs;
  return airings.find(({ show, isHd }) => isHd === wantsHd && show.start <= within) ?? first;
}
