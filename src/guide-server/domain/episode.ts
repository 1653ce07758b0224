import type { Show } from "../data/show.ts";
import { titleKey } from "../data/title.ts";

/**
 * The key that all airings of one episode share. Without any mark of its episode, a show is identified by its series
 * and its start.
 */
export function episodeOf({
  seriesId,
  episodeId,
  start,
  title,
}: Pick<Show, "seriesId" | "episodeId" | "start" | "title">): string {
  if (episodeId.startsWith("crid:")) return episodeId;
  const series = seriesId === "" ? titleKey(title) : seriesId;
  if (episodeId === "") return `${series} @${start}`;
  return episodeId.startsWith(`${seriesId} `) ? episodeId : `${series} ${episodeId}`;
}
