import { formatXml, parentElement, textElement, type XmlElement } from "../../kit/xml/xml.ts";
import { asLines, asOneLine } from "../../model/one-line.ts";
import type { Programme } from "../../model/programme.ts";
import { type Recording, titleOf } from "../../model/recording.ts";
import { MINUTE } from "../../model/time.ts";
import { lengthMs } from "../../model/window.ts";
import { dateOf } from "./name-time.ts";

/** Categories of films, in lower case, as listings write them. */
const FILM: ReadonlySet<string> = new Set([
  ...["film", "films", "movie", "movies", "feature film", "spielfilm"],
]);

/**
 * The `.nfo` of a recording, an `episodedetails` or a `movie` (Kodi wiki, "NFO files/Episodes" and "NFO files/Movies"; Jellyfin,
 * "Local .nfo metadata"). There is no `thumb`: both programs find the picture by its name.
 *
 * @param timeZone of dates, an IANA name
 */
export function nfoOf(recording: Recording, timeZone: string): string {
  const { id, channelName, event, programme = {} } = recording;
  const name = titleOf(recording);
  const { subtitle, season, episode, description, categories = [], rating } = programme;
  const aired = dateOf(event.start, timeZone);
  const about = isEpisode(programme)
    ? [
        element("title", subtitle ?? name),
        element("showtitle", name),
        element("season", season),
        element("episode", episode),
        element("aired", aired),
      ]
    : [element("title", name), element("tagline", subtitle), released(programme.date, aired)];
  return documentOf(isEpisode(programme) ? "episodedetails" : "movie", [
    ...about,
    element("plot", description),
    ...categories.map((category) => element("genre", category)),
    element("mpaa", rating),
    element("studio", channelName),
    element("runtime", Math.round(lengthMs(event) / MINUTE)),
    textElement("uniqueid", id, { type: "recorderd", default: "true" }),
  ]);
}

/** Whether players shall list it under a show: the guide numbers it, or names its episode or series; but a film stays one. */
export function isEpisode({ season, episode, subtitle, seriesId, categories = [] }: Programme): boolean {
  if (season !== undefined || episode !== undefined) return true;
  if (categories.some((category) => FILM.has(category.trim().toLowerCase()))) return false;
  return subtitle !== undefined || seriesId !== undefined;
}

/** A year is no date: Kodi takes the date from `premiered`, and the year from `year`. */
function released(date: string | undefined, aired: string): XmlElement | undefined {
  const [, year, month, day] = /^(\d{4})(?:-?(\d{2})-?(\d{2}))?(?!\d)/.exec(date?.trim() ?? "") ?? [];
  if (year === undefined) return element("premiered", aired);
  return month === undefined ? element("year", year) : element("premiered", `${year}-${month}-${day}`);
}

/** The file in a show's folder. Kodi lists no show without it (wiki, "NFO files/TV shows": its two required tags). */
export const SHOW_FILE = "tvshow.nfo";

export function showNfoOf(recording: Recording): string {
  return documentOf("tvshow", [element("title", titleOf(recording))]);
}

/** Whether `showNfoOf` wrote this, and nobody changed it. */
export function isOwnShowNfo(text: string): boolean {
  return /^<\?xml [^>]*\?>\n<tvshow>\n {2}<title>[^<]*<\/title>\n<\/tvshow>\n$/.test(text);
}

function documentOf(name: string, children: readonly (XmlElement | undefined)[]): string {
  const known = children.filter((each) => each !== undefined);
  return formatXml(parentElement(name, {}, known), "UTF-8");
}

function element(name: string, value: string | number | undefined): XmlElement | undefined {
  if (value === undefined || value === "") return undefined;
  const text = name === "plot" ? asLines(String(value)) : asOneLine(String(value));
  if (text.trim() !== "") return textElement(name, text);
  // Kodi lists nothing without a title.
  return name.endsWith("title") ? textElement(name, "-") : undefined;
}
