import { parentElement, textElement, type XmlElement, type XmlRoot } from "../../kit/xml/xml.ts";
import { asLines, asOneLine } from "../../model/one-line.ts";
import { type Airing, isRepeatOf } from "../../model/repeat.ts";
import type { ShowView } from "../../web/guide-api.ts";
import type { Station } from "./player-lists.ts";

/** A channel of the guide. */
export interface GuideStation extends Pick<Station, "channelId" | "name"> {
  /** Its id in the guide. */
  readonly id: string;
  readonly number?: number | string;
}

/**
 * The guide of the stations, after the XMLTV DTD (xmltv.dtd); its order is that of the children here.
 *
 * @param logo address of a channel's logo; `undefined` if it has none
 */
export function xmltvOf(
  stations: readonly GuideStation[],
  shows: readonly ShowView[],
  logo: (channelId: string) => string | undefined,
): XmlRoot {
  const attributes = { "generator-info-name": "recorderd" };
  return { name: "tv", attributes, text: "", children: childrenOf(stations, shows, logo) };
}

/** Made one by one: a guide may have tens of thousands. */
function* childrenOf(
  stations: readonly GuideStation[],
  shows: readonly ShowView[],
  logo: (channelId: string) => string | undefined,
): Generator<XmlElement> {
  yield* stations.map(({ id, channelId, name, number }) => {
    const icon = logo(channelId);
    return parentElement("channel", { id }, [
      textElement("display-name", asOneLine(name)),
      ...(number === undefined ? [] : [textElement("display-name", String(number))]),
      ...(icon === undefined ? [] : [parentElement("icon", { src: icon }, [])]),
    ]);
  });
  yield* programmes(shows, new Map(stations.map(({ id, channelId }) => [channelId, id])));
}

/** @param ids of the channels in the guide */
function* programmes(shows: readonly ShowView[], ids: ReadonlyMap<string, string>): Generator<XmlElement> {
  const repeats = repeatedShows(shows);
  for (const show of shows) {
    const { channelId, title, start, stop, programme } = show;
    const { subtitle, description, date, categories = [], rating } = programme;
    const channel = ids.get(String(channelId)) ?? String(channelId);
    const times = { start: xmltvTime(start), stop: xmltvTime(stop), channel };
    yield parentElement("programme", times, [
      textElement("title", asOneLine(title)),
      ...optional("sub-title", subtitle === undefined ? undefined : asOneLine(subtitle)),
      ...optional("desc", description === undefined ? undefined : asLines(description)),
      ...optional("date", xmltvDate(date)),
      ...categories.map((category) => textElement("category", asOneLine(category))),
      ...episodeNumbers(programme),
      ...(repeats.has(show) ? [parentElement("previously-shown", {}, [])] : []),
      ...(rating === undefined ? [] : [parentElement("rating", {}, [textElement("value", rating)])]),
    ]);
  }
}

/** Shows whose episode the guide lists at an earlier time too. */
function repeatedShows(shows: readonly ShowView[]): ReadonlySet<ShowView> {
  const firsts = new Map<string, ShowView>();
  const repeats = shows
    .toSorted((a, b) => a.start - b.start)
    .filter((show) => {
      const { episodeId, subtitle } = show.programme;
      const key = `${show.title}\n${episodeId ?? subtitle}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, show);
      return first !== undefined && isRepeatOf(airingOf(show), airingOf(first));
    });
  return new Set(repeats);
}

function airingOf({ id, channelId, title, start, stop, programme }: ShowView): Airing {
  return { showId: String(id), channelId: String(channelId), title, event: { start, stop }, programme };
}

/** `xmltv_ns` counts from 0, so it cannot express season 0 (specials); `onscreen` in the only form that Kodi reads. */
function episodeNumbers({ season, episode }: ShowView["programme"]): readonly XmlElement[] {
  if (episode === undefined) return [];
  const number = (system: string, text: string) => textElement("episode-num", text, { system });
  const two = (value: number) => String(value).padStart(2, "0");
  return [
    ...(season !== 0 && episode > 0
      ? [number("xmltv_ns", `${season === undefined ? "" : season - 1}.${episode - 1}.`)]
      : []),
    ...(season === undefined ? [] : [number("onscreen", `S${two(season)}E${two(episode)}`)]),
  ];
}

/** `20261121183000 +0000` */
function xmltvTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace(/[-:T]/g, "")} +0000`;
}

/** A year or a day in digits; `undefined` for anything else. */
function xmltvDate(date = ""): string | undefined {
  return /^\d{4}(-?\d{2}-?\d{2})?(?!\d)/.exec(date.trim())?.[0].replaceAll("-", "");
}

function optional(name: string, text: string | undefined): readonly XmlElement[] {
  return text === undefined ? [] : [textElement(name, text)];
}
