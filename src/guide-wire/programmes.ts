import { genreOf } from "../model/genre.ts";
import type { Programme } from "../model/programme.ts";
import type { Airing } from "../model/repeat.ts";
import { parseWireInstant, SECOND } from "../model/time.ts";
import type { Window } from "../model/window.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";
import type { Show } from "./records.ts";

/**
 * The programme data of a show. The API has no fields for season and episode: they are known if the guide writes
 * both, such as `S02E05` or `Season 2, Episode 5`, in the episode's id, the subtitle or the description.
 */
export function programmeOf(show: Show): Programme {
  const { subtitle, desc, episode_id, category = [], rating, date } = show;
  const categories = category
    .map(({ name }) => cut(name, GUIDE_WIRE_LIMITS.programmeTextLength))
    .filter((name) => name !== undefined)
    .slice(0, GUIDE_WIRE_LIMITS.programmeCategories);
  const numbers = [episode_id, subtitle, desc].map(numbersIn).find((found) => found !== undefined);
  return withoutUndefined({
    subtitle: cut(subtitle, GUIDE_WIRE_LIMITS.programmeTextLength),
    description: cut(desc, GUIDE_WIRE_LIMITS.programmeDescriptionLength),
    season: numbers?.season,
    episode: numbers?.episode,
    seriesId: idOf(show.series_id),
    episodeId: idOf(episode_id),
    categories: categories.length === 0 ? undefined : categories,
    genre: genreOf(category),
    rating: cut(rating, GUIDE_WIRE_LIMITS.programmeTextLength),
    date: cut(date, GUIDE_WIRE_LIMITS.programmeTextLength),
  });
}

/** When a show is broadcast; `undefined` if it is withdrawn or lacks a time. */
export function eventOf(show: Show): Window | undefined {
  const start = show.start_unix === undefined ? parseWireInstant(show.start) : show.start_unix * SECOND;
  const stop = show.stop_unix === undefined ? parseWireInstant(show.stop) : show.stop_unix * SECOND;
  const isBroadcast = start !== undefined && stop !== undefined && stop > start && show.deleted_record !== 1;
  return isBroadcast ? { start, stop } : undefined;
}

/** `undefined` for a show that is withdrawn or lacks a time. */
export function airingOf(show: Show): Airing | undefined {
  const event = eventOf(show);
  if (event === undefined) return undefined;
  const { id, channel_id, title } = show;
  return {
    showId: String(id),
    channelId: String(channel_id),
    title,
    event,
    programme: programmeOf(show),
  };
}

/** A show for people. `undefined` as in `airingOf`. */
export function broadcastOf(show: Show) {
  const airing = airingOf(show);
  if (airing === undefined) return undefined;
  const { title, event, programme } = airing;
  return { id: show.id, channelId: show.channel_id, title, ...event, programme };
}

/** Cuts between whole characters; `undefined` for an empty text. */
function cut(text: string | undefined, length: number): string | undefined {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return undefined;
  return trimmed.length <= length ? trimmed : Array.from(trimmed).slice(0, length).join("");
}

/** The service writes 0 for no series. */
function idOf(id: string | undefined): string | undefined {
  return id === "0" ? undefined : cut(id, GUIDE_WIRE_LIMITS.programmeTextLength);
}

const SEASON = String.raw`(?:S|Ser(?:ies|\.)?|Season)\s?(\d{1,3})`;
const EPISODE = String.raw`(?:E|Ep(?:isode|\.)?)\s?(\d{1,4})`;
const NUMBERS = new RegExp(String.raw`(?<![\p{L}\d])${SEASON}[\s,:;.-]{0,3}${EPISODE}(?![\p{L}\d])`, "iu");

function numbersIn(
  text: string | undefined,
): { readonly season: number; readonly episode: number } | undefined {
  const [, season, episode] = NUMBERS.exec(text ?? "") ?? [];
  if (season === undefined || episode === undefined) return undefined;
  return { season: Number(season), episode: Number(episode) };
}
