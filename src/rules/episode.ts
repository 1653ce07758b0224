import type { EpochMs } from "../model/time.ts";
import type { AiredShow } from "./airing.ts";
import { RULE_LIMITS } from "./limits.ts";
import { titleKey } from "./title.ts";

/**
 * The key that all airings of one episode share. Without any mark of its episode, a show is identified by its series
 * and its start.
 */
export function episodeOf({
  seriesId,
  episodeId,
  start,
  title,
}: Pick<AiredShow, "seriesId" | "episodeId" | "start" | "title">): string {
  if (episodeId.startsWith("crid:")) return episodeId;
  const series = seriesId === "" ? titleKey(title) : seriesId;
  if (episodeId === "") return `${series} @${start}`;
  return episodeId.startsWith(seriesId) && episodeId[seriesId.length] === " "
    ? episodeId
    : `${series} ${episodeId}`;
}

/** Whether the guide identifies the episode: otherwise a repeat cannot be told from a new episode. */
export function isIdentified({ episodeId }: Pick<AiredShow, "episodeId">): boolean {
  return episodeId !== "";
}

/** `e5`, `e5-6` and `e5p2` behind the series: the season is unknown. */
const WITHOUT_SEASON = /^(?!.* subtitle:).* e\d+(?:-\d+)?(?:p\d+)?$/;

/** Whether an airing at this time is another episode than the one that was done then: each season has the same numbers. */
export function isOfLaterSeason(
  episode: string,
  { doneAt, start }: { readonly doneAt: EpochMs; readonly start: EpochMs },
): boolean {
  return start - doneAt > RULE_LIMITS.seasonMs && WITHOUT_SEASON.test(episode);
}
