import type { Sqlite, SqlRow } from "../../kit/sqlite.ts";
import { wordsOf } from "../../rules/fold.ts";
import { genresOf } from "../../rules/genres.ts";
import type { Show, TextQuery } from "./show.ts";

/*
 * An index of the words of all shows, for rules that search descriptions or genres: reading every show takes seconds.
 * It holds only words and ids; the words are folded as rules fold them, and a genre has an underscore before it.
 */

export function putText(sql: Sqlite, show: Show): void {
  const words = wordsOf(`${show.title} ${show.subtitle} ${show.desc}`);
  const text = [...words, ...genresOf(show).map(genreWord)].join(" ");
  sql.run("INSERT OR REPLACE INTO show_words (rowid, words) VALUES (?, ?)", [show.id, text]);
}

export function removeText(sql: Sqlite, showId: number): void {
  sql.run("DELETE FROM show_words WHERE rowid = ?", [showId]);
}

/** See ReadShows. */
export function withText(sql: Sqlite, query: TextQuery): readonly SqlRow[] {
  const { words, genres, startFrom, startBefore, idAfter, limit } = query;
  const oneGenre = genres.map((genre) => quoted(genreWord(genre))).join(" OR ");
  const match = [...words.map(quoted), ...(oneGenre === "" ? [] : [`(${oneGenre})`])].join(" AND ");
  return sql.all(
    "SELECT body FROM show_words CROSS JOIN shows ON shows.id = show_words.rowid " +
      "WHERE show_words MATCH ? AND show_words.rowid > ? AND start >= ? AND start < ? AND gone = 0 " +
      "ORDER BY show_words.rowid LIMIT ?",
    [match, idAfter, startFrom, startBefore, limit],
  );
}

function genreWord(folded: string): string {
  return `_${folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, "_")}`;
}

/** Words have no quotation mark. */
function quoted(word: string): string {
  return `"${word}"`;
}
