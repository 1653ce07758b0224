import type { Sqlite } from "../../kit/sqlite.ts";
import { folded, wordsIn } from "../../rules/fold.ts";
import { genresOf } from "../../rules/genres.ts";
import { inArea } from "./places.ts";
import type { AreaQuery, Show, ShowTexts, TextQuery } from "./show.ts";

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

/** See ReadShows. */
export function textsIn(sql: Sqlite, area: AreaQuery): ShowTexts {
  // A folded text has no line break, and both lists are made of the same rows.
  const { where, values } = inArea(area);
  const text =
    "SELECT CAST(group_concat(text, char(10)) AS BLOB) AS lines, CAST(json_group_array(shows.id) AS BLOB) AS ids " +
    `FROM shows CROSS JOIN show_texts ON show_texts.id = shows.id WHERE ${where}`;
  const [lines = "", ids = ""] = sql.longTexts(text, values);
  return { lines, ids: () => JSON.parse(ids) as readonly number[] };
}

/** See ReadShows. */
export function idsWith(
  sql: Sqlite,
  { words, genres, without, idAfter, limit }: TextQuery,
): readonly number[] {
  const oneGenre = genres.map((genre) => quoted(genreWord(genre))).join(" OR ");
  const all = [...words.map(quoted), ...(oneGenre === "" ? [] : [`(${oneGenre})`])].join(" AND ");
  const match = [`(${all})`, ...without.map(quoted)].join(" NOT ");
  const text =
    "SELECT json_group_array(id) AS ids FROM " +
    "(SELECT rowid AS id FROM show_words WHERE show_words MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?)";
  return JSON.parse(String(sql.get(text, [match, idAfter, limit])?.["ids"])) as readonly number[];
}

function genreWord(folded: string): string {
  return `_${folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, "_")}`;
}

/** Words have no quotation mark. */
function quoted(word: string): string {
  return `"${word}"`;
}
