import type { AiredShow } from "./airing.ts";
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
