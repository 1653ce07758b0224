import type { Sqlite, SqlRow } from "../../kit/sqlite.ts";
import { MINUTE } from "../../model/time.ts";
import { folded, wordsIn } from "../../rules/fold.ts";
import { genresOf } from "../../rules/genres.ts";
import type { EpisodePlace, PlaceQuery, Show, ShowPlace, ShowText, TextQuery } from "./show.ts";

/*
 * The folded texts of all shows and an index of their words, for rules that search descriptions or genres: folding
 * every show for each search takes seconds. The index holds only words and ids; a genre has an underscore before it.
 */

export function putText(sql: Sqlite, show: Show): void {
  const text = folded(`${show.title} ${show.subtitle} ${show.desc}`);
  const words = [...wordsIn(text), ...genresOf(show).map(genreWord)].join(" ");
  sql.run("INSERT OR REPLACE INTO show_words (rowid, words) VALUES (?, ?)", [show.id, words]);
  sql.run("INSERT OR REPLACE INTO show_texts (id, text) VALUES (?, ?)", [show.id, text]);
}

export function removeText(sql: Sqlite, showId: number): void {
  sql.run("DELETE FROM show_words WHERE rowid = ?", [showId]);
  sql.run("DELETE FROM show_texts WHERE id = ?", [showId]);
}

const PLACE = "shows.id, channel, start, stop";

/** See ReadShows. */
export function placesOf(
  sql: Sqlite,
  { seriesId, startFrom, startBefore, limit, offset }: PlaceQuery & { readonly seriesId: string },
): readonly EpisodePlace[] {
  const text =
    `SELECT ${PLACE}, episode FROM shows WHERE series = ? AND start >= ? AND start < ? AND gone = 0 ` +
    "ORDER BY start LIMIT ? OFFSET ?";
  return sql
    .all(text, [seriesId, startFrom, startBefore, limit, offset])
    .map((row) => ({ ...placeOf(row), episodeId: String(row["episode"]) }));
}

/** See ReadShows. */
export function textsOf(
  sql: Sqlite,
  { channelId, startFrom, startBefore, limit, offset }: PlaceQuery & { readonly channelId: number },
): readonly ShowText[] {
  const text =
    `SELECT ${PLACE}, text FROM shows CROSS JOIN show_texts ON show_texts.id = shows.id ` +
    "WHERE channel = ? AND start >= ? AND start < ? AND gone = 0 ORDER BY start LIMIT ? OFFSET ?";
  return sql
    .all(text, [channelId, startFrom, startBefore, limit, offset])
    .map((row) => ({ ...placeOf(row), text: String(row["text"]) }));
}

/** See ReadShows. */
export function withText(sql: Sqlite, query: TextQuery): readonly ShowPlace[] {
  const { words, genres, startFrom, startBefore, idAfter, limit } = query;
  const oneGenre = genres.map((genre) => quoted(genreWord(genre))).join(" OR ");
  const match = [...words.map(quoted), ...(oneGenre === "" ? [] : [`(${oneGenre})`])].join(" AND ");
  const text =
    `SELECT ${PLACE} FROM show_words CROSS JOIN shows ON shows.id = show_words.rowid ` +
    "WHERE show_words MATCH ? AND show_words.rowid > ? AND start >= ? AND start < ? AND gone = 0 " +
    "ORDER BY show_words.rowid LIMIT ?";
  return sql.all(text, [match, idAfter, startFrom, startBefore, limit]).map(placeOf);
}

function placeOf({ id, channel, start, stop }: SqlRow): ShowPlace {
  return {
    id: Number(id),
    channelId: Number(channel),
    start: Number(start),
    durationMinutes: (Number(stop) - Number(start)) / MINUTE,
  };
}

function genreWord(folded: string): string {
  return `_${folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, "_")}`;
}

/** Words have no quotation mark. */
function quoted(word: string): string {
  return `"${word}"`;
}
