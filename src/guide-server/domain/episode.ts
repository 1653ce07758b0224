import type { Show } from "../data/show.ts";
import { titleKey } from "../data/title.ts";

/**
 * What two airings of the same episode have in common. A show of which nothing tells its episodes apart is known by its series and
 * its start: the same at the same time elsewhere is the same, and nothing else is.
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
