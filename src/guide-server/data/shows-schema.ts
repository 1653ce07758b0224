import type { Sqlite } from "../../kit/sqlite.ts";
import { RecorderdError } from "../../model/errors.ts";
import { putTitle } from "./titles.ts";

const VERSION = 3;

const SHOWS = `
  CREATE TABLE shows (
    id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    series TEXT NOT NULL, episode TEXT NOT NULL, rank INTEGER NOT NULL, updated INTEGER NOT NULL, gone INTEGER NOT NULL,
    body TEXT NOT NULL) STRICT;
  CREATE INDEX shows_by_end ON shows (stop);
  CREATE TABLE series_keys (key TEXT PRIMARY KEY, series INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX series_keys_by_series ON series_keys (series);
  CREATE TABLE sources (id TEXT PRIMARY KEY, facts TEXT NOT NULL) STRICT;`;

/** The indexes contain every column that lists filter by, so that only the shows of the answer are read. */
const INDEXES = `
  CREATE INDEX shows_by_channel ON shows (channel, start, stop, gone, updated);
  CREATE INDEX shows_by_series ON shows (series, start, stop, gone);`;

/** Normalized titles of the shows of a series, with an index of their words. */
const TITLES = `
  CREATE TABLE titles (title TEXT, series TEXT, PRIMARY KEY (title, series)) STRICT, WITHOUT ROWID;
  CREATE INDEX titles_by_series ON titles (series, title);
  CREATE TABLE title_words (word TEXT, title TEXT, series TEXT, PRIMARY KEY (word, title, series)) STRICT, WITHOUT ROWID;`;

/**
 * Creates the tables or upgrades those of an earlier version.
 *
 * @throws RecorderdError STORE_TOO_NEW if a later version wrote them
 */
export function bringUpToDate(sql: Sqlite, file: string): void {
  const version = Number(sql.get("PRAGMA user_version")?.["user_version"]);
  if (version > VERSION) {
    const text = `${file} was written by a later version: use that one, or another folder.`;
    throw new RecorderdError("STORE_TOO_NEW", text, { file });
  }
  if (version === VERSION) return;
  sql.transaction(() => {
    if (version === 0) sql.exec(SHOWS + INDEXES + TITLES);
    else renew(sql, version);
    sql.exec(`PRAGMA user_version = ${VERSION};`);
  });
}

/** Version 1 had titles only in the shows; version 2 had titles without words. */
function renew(sql: Sqlite, version: number): void {
  const rows = sql.all(
    version === 1
      ? "SELECT DISTINCT series, json_extract(body, '$.title') AS title FROM shows"
      : "SELECT series, title FROM titles",
  );
  sql.exec("DROP INDEX shows_by_channel; DROP INDEX shows_by_series; DROP TABLE IF EXISTS titles;");
  sql.exec(INDEXES + TITLES);
  for (const { series, title } of rows) putTitle(sql, { seriesId: String(series), title: String(title) });
}
