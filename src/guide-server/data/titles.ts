import type { Sqlite, SqlValue } from "../../kit/sqlite.ts";
import { folded, wordsOf } from "../../rules/fold.ts";
import { type SeriesQuery, type SeriesTitle, SHOW_MS_MAX, type Show, type ShownSeries } from "./show.ts";

/*
 * The present and former titles of each series, folded. There are far fewer titles than shows, so lists of
 * series go through them and check each series for a matching show.
 */

export function putTitle(sql: Sqlite, { seriesId, title }: Pick<Show, "seriesId" | "title">): void {
  const key = folded(title);
  if (sql.run("INSERT OR IGNORE INTO titles VALUES (?, ?)", [key, seriesId]) === 0) return;
  for (const word of wordsOf(title)) {
    sql.run("INSERT OR IGNORE INTO title_words VALUES (?, ?, ?)", [word, key, seriesId]);
  }
}

export function removeTitles(sql: Sqlite, seriesId: string): void {
  if (sql.get("SELECT 1 FROM shows WHERE series = ? LIMIT 1", [seriesId]) !== undefined) return;
  for (const { title } of sql.all("SELECT title FROM titles WHERE series = ?", [seriesId])) {
    for (const word of wordsOf(String(title))) {
      const values = [word, String(title), seriesId];
      sql.run("DELETE FROM title_words WHERE word = ? AND title = ? AND series = ?", values);
    }
  }
  sql.run("DELETE FROM titles WHERE series = ?", [seriesId]);
}

/** See ReadShows. */
export function seriesTitled(sql: Sqlite, words: readonly string[]): readonly string[] {
  const { text, values } = withWords(words);
  return sql.all(`${text} ORDER BY series`, values).map(({ series }) => String(series));
}

/** Looks up the longest word and checks the others in its titles. */
function withWords(words: readonly string[]): {
  readonly text: string;
  readonly values: readonly SqlValue[];
} {
  const [longest, ...others] = words.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return { text: "SELECT DISTINCT series FROM titles", values: [] };
  const conditions = ["word = ?", ...others.map(() => HAS_WORD)].join(" AND ");
  return {
    text: `SELECT DISTINCT series FROM title_words AS w WHERE ${conditions}`,
    values: [longest, ...others],
  };
}

const HAS_WORD =
  "EXISTS (SELECT 1 FROM title_words AS o WHERE o.word = ? AND o.title = w.title AND o.series = w.series)";

/** A page of all titles, from after a title and series in their order. */
export function titlesAfter(
  sql: Sqlite,
  { title, seriesId }: SeriesTitle,
  limit: number,
): readonly SeriesTitle[] {
  return sql
    .all("SELECT title, series FROM titles WHERE (title, series) > (?, ?) ORDER BY title, series LIMIT ?", [
      title,
      seriesId,
      limit,
    ])
    .map((row) => ({ title: String(row["title"]), seriesId: String(row["series"]) }));
}

const IN_SPAN = "series = t.series AND start > ? AND start < ? AND stop > ? AND gone = 0";

/** Each series once, at its first title by alphabet. */
function seriesByTitle({ words = [] }: SeriesQuery): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  const { text, values } = withWords(words);
  return {
    where:
      "series <> '' AND title = (SELECT min(title) FROM titles WHERE series = t.series) " +
      `AND EXISTS (SELECT 1 FROM shows WHERE ${IN_SPAN})${words.length === 0 ? "" : ` AND series IN (${text})`}`,
    values,
  };
}

function spanOf({ endAfter, startBefore }: SeriesQuery): readonly SqlValue[] {
  return [endAfter - SHOW_MS_MAX, startBefore, endAfter];
}

/** See ReadShows. */
export function seriesList(sql: Sqlite, query: SeriesQuery): readonly ShownSeries[] {
  const { where, values } = seriesByTitle(query);
  const { limit = -1, offset = 0 } = query;
  const span = spanOf(query);
  const rows = sql.all(
    `SELECT series, (SELECT json_extract(body, '$.title') FROM shows WHERE ${IN_SPAN} ORDER BY start LIMIT 1) AS name, ` +
      `(SELECT count(DISTINCT episode) FROM shows WHERE ${IN_SPAN}) AS episodes ` +
      `FROM titles AS t WHERE ${where} ORDER BY title, series LIMIT ? OFFSET ?`,
    [...span, ...span, ...span, ...values, limit, offset],
  );
  return rows.map(({ series, name, episodes }) => ({
    seriesId: String(series),
    title: String(name),
    episodes: Number(episodes),
  }));
}

/** See ReadShows. */
export function countSeries(sql: Sqlite, query: SeriesQuery): number {
  const { where, values } = seriesByTitle(query);
  const row = sql.get(`SELECT count(*) AS n FROM titles AS t WHERE ${where}`, [...spanOf(query), ...values]);
  return Number(row?.["n"]);
}
