import type { Sqlite } from "../../kit/sqlite.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Show } from "./show.ts";
import { putText } from "./texts.ts";
import { putTitle } from "./titles.ts";

const VERSION = 6;

const SHOWS = `
  CREATE TABLE shows (
    id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    series TEXT NOT NULL, episode TEXT NOT NULL, rank INTEGER NOT NULL, updated INTEGER NOT NULL, gone INTEGER NOT NULL,
    body TEXT NOT NULL) STRICT;
  CREATE INDEX shows_by_end ON shows (stop);
  CREATE TABLE series_keys (key TEXT PRIMARY KEY, series INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX series_keys_by_series ON series_keys (series);
  CREATE TABLE sources (id TEXT PRIMARY KEY, facts TEXT NOT NULL) STRICT;`;

/** The indexes contain every column that lists and rules filter by, so that only the shows of the answer are read. */
const BY_CHANNEL = "CREATE INDEX shows_by_channel ON shows (channel, start, stop, gone, updated, series);";
const INDEXES = `${BY_CHANNEL}
  CREATE INDEX shows_by_series ON shows (series, start, stop, gone, channel, episode);`;

/** Normalized titles of the shows of a series, with an index of their words. */
const TITLES = `
  CREATE TABLE titles (title TEXT, series TEXT, PRIMARY KEY (title, series)) STRICT, WITHOUT ROWID;
  CREATE INDEX titles_by_series ON titles (series, title);
  CREATE TABLE title_words (word TEXT, title TEXT, series TEXT, PRIMARY KEY (word, title, series)) STRICT, WITHOUT ROWID;`;

/**
 * The folded texts and the words of the shows by show, see texts.ts. Without contents and positions the index is small; the tokenizer
 * separates only at spaces, since words are folded before.
 */
const TEXTS = `
  CREATE TABLE show_texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE VIRTUAL TABLE show_words USING fts5(
    words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'");`;

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
    if (version === 0) sql.exec(SHOWS + INDEXES + TITLES + TEXTS);
    else if (version < DERIVED_SINCE) renew(sql);
    else sql.exec(`DROP INDEX shows_by_channel; ${BY_CHANNEL}`);
    sql.exec(`PRAGMA user_version = ${VERSION};`);
  });
}

/** The version whose derived tables are those of today. */
const DERIVED_SINCE = 5;

const DERIVED = ["titles", "title_words", "show_words", "show_texts"];

/** Rows per read, to limit memory. */
const ROWS_AT_ONCE = 500;

/** Everything that is derived from the shows is made again: each earlier version lacks some of it. */
function renew(sql: Sqlite): void {
  sql.exec(
    "DROP INDEX shows_by_channel; DROP INDEX shows_by_series; " +
      DERIVED.map((table) => `DROP TABLE IF EXISTS ${table};`).join(" "),
  );
  sql.exec(INDEXES + TITLES + TEXTS);
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = sql.all("SELECT id, body FROM shows WHERE id > ? ORDER BY id LIMIT ?", [last, ROWS_AT_ONCE]);
    for (const { body } of rows) {
      const show = JSON.parse(String(body)) as Show;
      putTitle(sql, show);
      putText(sql, show);
    }
    const id = rows.at(-1)?.["id"];
    if (id === undefined) return;
    last = Number(id);
  }
}
