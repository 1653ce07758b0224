import { join } from "node:path";
import { crc32 } from "node:zlib";
import { openSqlite, type Sqlite, type SqlRow, type SqlValue } from "../../kit/sqlite.ts";
import { type EpochMs, MINUTE } from "../../model/time.ts";
import { LowestIds } from "./lowest-ids.ts";
import { airingsOf, placesAt, placesIn, placesOf } from "./places.ts";
import { type ReadShows, SHOW_MS_MAX, type Show, type ShowQuery } from "./show.ts";
import { rowsOf, type ShowsRow } from "./shows-rows.ts";
import { bringUpToDate } from "./shows-schema.ts";
import { idsWith, putText, removeText, textsIn } from "./texts.ts";
import { countSeries, putTitle, removeTitles, seriesList, seriesTitled, titlesAfter } from "./titles.ts";

export interface SeriesNames {
  /** The listings' ids of the series, each with its kind as prefix. */
  readonly ids: readonly string[];
  readonly title: string;
}

/**
 * The shows of the guide, in a database of their own (docs/dev/decisions/0016): there are too many for memory, and
 * every one of them can be fetched again from its source.
 */
export interface Shows extends ReadShows, Disposable {
  /** Adds or replaces shows, all or none; on the disk when it resolves. */
  put(shows: readonly Show[]): Promise<void>;
  /** Runs all writes of `work` in one transaction, which is much faster than single writes. */
  atOnce<T>(work: () => T): T;
  /**
   * Removes at most this many shows, oldest first, and the titles of series that have none left. @returns the number
   * removed
   */
  removeEndedBefore(instant: EpochMs, showsMax: number): Promise<number>;
  /**
   * Finds a series by one of these listing ids, else by the title unless listings give that series another id: two
   * series may share a title. A new series gets an id derived from its names, which stays the same when the database
   * is rebuilt.
   */
  seriesOf(series: SeriesNames): string;
  /** The facts that `keepSource` stored for a source of listings. */
  source(id: string): unknown;
  keepSource(id: string, facts: unknown): Promise<void>;
  /** Ids of sources with this prefix, in order. */
  sourceIds(prefix: string): readonly string[];
  /**
   * Returns a portion of the file to the disk when more than a quarter of it is free. @returns whether more may
   * follow
   */
  giveBackSpace(): boolean;
  /** All rows for a backup, read in portions. Nothing may be written meanwhile. */
  rows(): Iterable<ShowsRow>;
  /** Adds rows from `rows`, all or none. */
  putRows(rows: readonly ShowsRow[]): Promise<void>;
}

export interface ShowsOptions {
  /** `scratch`: a copy of shows that are on another disk. */
  readonly durability?: "full" | "scratch";
  /** Called for each new key of a series. */
  readonly onSeriesKey?: (row: ShowsRow) => void;
}

export const SHOWS_FILE = "shows.db";

const CACHE_KIB = 8 * 1024;

/** @throws RecorderdError as openSqlite, and STORE_TOO_NEW if a later version wrote it */
export async function openShows(
  folder: string,
  { durability = "full", onSeriesKey }: ShowsOptions = {},
): Promise<Shows> {
  const file = join(folder, SHOWS_FILE);
  const sql = await openSqlite({ file, durability, cacheKiB: CACHE_KIB });
  try {
    bringUpToDate(sql, file);
  } catch (error) {
    sql[Symbol.dispose]();
    throw error;
  }
  return showsOf(sql, onSeriesKey);
}

/** The shows in a database prepared by `bringUpToDate`. */
export function showsOf(sql: Sqlite, onSeriesKey?: ShowsOptions["onSeriesKey"]): Shows {
  const titled = new Set<string>();
  const lowestIds = new LowestIds(sql);
  const putTitled = (show: Show) => {
    putShow(sql, show);
    putText(sql, show);
    lowestIds.put(show);
    const title = `${show.seriesId} ${show.title}`;
    if (titled.has(title)) return;
    putTitle(sql, show);
    if (titled.size >= TITLES_REMEMBERED) titled.clear();
    titled.add(title);
  };
  return {
    get: (id) => showOf(sql.get("SELECT body FROM shows WHERE id = ?", [id])),
    list: (query) => {
      const { where, values } = conditionsOf(query);
      const { limit = -1, offset = 0 } = query;
      const rows = sql.all(`SELECT body FROM shows ${where} ORDER BY channel, start, id LIMIT ? OFFSET ?`, [
        ...values,
        limit,
        offset,
      ]);
      return rows.flatMap((row) => showOf(row) ?? []);
    },
    count: (query) => {
      const { where, values } = conditionsOf(query);
      return Number(sql.get(`SELECT count(*) AS n FROM shows ${where}`, values)?.["n"]);
    },
    lastEndOf: (channelId) => {
      const last = "SELECT stop FROM shows WHERE channel = ? AND gone = 0 ORDER BY start DESC LIMIT 1";
      const stop = sql.get(last, [channelId])?.["stop"];
      return stop === undefined ? undefined : Number(stop);
    },
    firstOf: (seriesId) =>
      showOf(
        sql.get("SELECT body FROM shows WHERE series = ? AND gone = 0 ORDER BY start, id LIMIT 1", [
          seriesId,
        ]),
      ),
    put: async (shows) =>
      sql.transaction(() => {
        for (const show of shows) putTitled(show);
      }),
    atOnce: (work) => sql.transaction(work),
    removeEndedBefore: async (instant, showsMax) =>
      sql.transaction(() => {
        const rows = sql.all("SELECT id, series FROM shows WHERE stop < ? ORDER BY stop LIMIT ?", [
          instant,
          showsMax,
        ]);
        for (const { id = null } of rows) {
          sql.run("DELETE FROM shows WHERE id = ?", [id]);
          removeText(sql, Number(id));
        }
        for (const series of new Set(rows.map((row) => String(row["series"])))) removeTitles(sql, series);
        titled.clear();
        return rows.length;
      }),
    seriesOf: (series) => seriesOf(sql, series, onSeriesKey),
    titlesAfter: (last, limit) => titlesAfter(sql, last, limit),
    known: (ids) =>
      sql
        .all("SELECT id FROM shows WHERE id IN (SELECT value FROM json_each(?))", [JSON.stringify(ids)])
        .map(({ id }) => Number(id)),
    several: (ids) => several(sql, ids),
    placesOf: (query) => placesOf(sql, query),
    airingsOf: (query) => airingsOf(sql, query),
    placesIn: (area) => placesIn(sql, area),
    placesAt: (query) => placesAt(sql, query),
    lowestIdFrom: (query) => lowestIds.from(query),
    textsIn: (area) => textsIn(sql, area),
    idsWith: (query) => idsWith(sql, query),
    seriesTitled: (words) => seriesTitled(sql, words),
    seriesList: (query) => seriesList(sql, query),
    countSeries: (query) => countSeries(sql, query),
    source: (id) => {
      const facts = sql.get("SELECT facts FROM sources WHERE id = ?", [id])?.["facts"];
      return facts === undefined ? undefined : JSON.parse(String(facts));
    },
    keepSource: async (id, facts) => putSource(sql, id, facts),
    sourceIds: (prefix) =>
      sql
        .all("SELECT id FROM sources WHERE substr(id, 1, ?) = ? ORDER BY id", [prefix.length, prefix])
        .map(({ id }) => String(id)),
    giveBackSpace: () => {
      const pages = (name: string) => Number(sql.get(`PRAGMA ${name}`)?.[name]);
      const empty = pages("freelist_count");
      if (empty * 4 <= pages("page_count")) return false;
      sql.exec(`PRAGMA incremental_vacuum(${PAGES_GIVEN_BACK});`);
      return pages("freelist_count") < empty;
    },
    rows: () => rowsOf(sql),
    putRows: async (rows) =>
      sql.transaction(() => {
        for (const [table, row] of rows) {
          if (table === "shows") putTitled(row);
          else if (table === "sources") putSource(sql, row.id, row.facts);
          else sql.run("INSERT OR REPLACE INTO series_keys VALUES (?, ?)", [row.key, row.series]);
        }
      }),
    [Symbol.dispose]: () => sql[Symbol.dispose](),
  };
}

/** Cache limit: a channel repeats its titles, and beyond the limit a title is looked up again. */
const TITLES_REMEMBERED = 20_000;

/** Pages of 4 KiB returned in one step; other work waits for one step. */
const PAGES_GIVEN_BACK = 128;

/** Ids of series fit into 31 bits, the size that clients in the field store, and do not overlap seeded ids. */
const SERIES_FIRST = 1_000_000;
const SERIES_COUNT = 2_000_000_000;

function seriesOf(
  sql: Sqlite,
  { ids, title }: SeriesNames,
  onSeriesKey: ShowsOptions["onSeriesKey"],
): string {
  const titleKey = `title ${title}`;
  const keys = [...ids.map((id) => `id ${id}`), titleKey];
  const known = new Map(keys.map((key) => [key, seriesWith(sql, key)]));
  const byId = keys.slice(0, -1).map((key) => known.get(key));
  const byTitle = known.get(titleKey);
  const namesake = byTitle !== undefined && ids.length > 0 && hasId(sql, byTitle);
  const id =
    byId.find((each) => each !== undefined) ??
    (namesake ? undefined : byTitle) ??
    freeSeriesId(sql, keys[0] ?? "");
  for (const key of keys) {
    if (known.get(key) !== undefined) continue;
    sql.run("INSERT OR IGNORE INTO series_keys VALUES (?, ?)", [key, id]);
    onSeriesKey?.(["series_keys", { key, series: id }]);
  }
  return String(id);
}

function seriesWith(sql: Sqlite, key: string): number | undefined {
  const series = sql.get("SELECT series FROM series_keys WHERE key = ?", [key])?.["series"];
  return series === undefined ? undefined : Number(series);
}

function hasId(sql: Sqlite, series: number): boolean {
  const row = sql.get("SELECT 1 FROM series_keys WHERE series = ? AND key LIKE 'id %' LIMIT 1", [series]);
  return row !== undefined;
}

function freeSeriesId(sql: Sqlite, key: string): number {
  const taken = (id: number) =>
    sql.get("SELECT 1 FROM series_keys WHERE series = ? LIMIT 1", [id]) !== undefined;
  let place = crc32(key) % SERIES_COUNT;
  while (taken(SERIES_FIRST + place)) place = (place + 1) % SERIES_COUNT;
  return SERIES_FIRST + place;
}

/** The row was checked before it was written. */
function showOf(row: SqlRow | undefined): Show | undefined {
  return row === undefined ? undefined : (JSON.parse(String(row["body"])) as Show);
}

/** Bodies are JSON: many are parsed at once faster than each alone. */
function several(sql: Sqlite, ids: readonly number[]): readonly Show[] {
  const text =
    "SELECT CAST(group_concat(body) AS BLOB) FROM " +
    "(SELECT body FROM shows WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0 ORDER BY id)";
  const [bodies = ""] = sql.longTexts(text, [JSON.stringify(ids)]);
  return JSON.parse(`[${bodies}]`) as readonly Show[];
}

function putShow(sql: Sqlite, show: Show): void {
  sql.run("INSERT OR REPLACE INTO shows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [
    show.id,
    show.channelId,
    show.start,
    Math.round(show.start + show.durationMinutes * MINUTE),
    show.seriesId,
    show.episodeId,
    show.rank ?? 0,
    show.updatedAt,
    show.gone === true ? 1 : 0,
    JSON.stringify(show),
  ]);
}

function putSource(sql: Sqlite, id: string, facts: unknown): void {
  sql.run("INSERT OR REPLACE INTO sources VALUES (?, ?)", [id, JSON.stringify(facts)]);
}

/** Equal kinds of query give equal SQL text, so that it is prepared once: lists of ids are passed as one value. */
function conditionsOf(query: ShowQuery): { readonly where: string; readonly values: readonly SqlValue[] } {
  const { channelIds, seriesId, startFrom, startBefore, endAfter, updatedSince } = query;
  const conditions: readonly (readonly [string, SqlValue] | undefined)[] = [
    channelIds && ["channel IN (SELECT value FROM json_each(?))", JSON.stringify(channelIds)],
    seriesId === undefined ? undefined : ["series = ?", seriesId],
    startFrom === undefined ? undefined : ["start >= ?", startFrom],
    startBefore === undefined ? undefined : ["start < ?", startBefore],
    // The index is by start.
    endAfter === undefined ? undefined : ["start > ?", endAfter - SHOW_MS_MAX],
    endAfter === undefined ? undefined : ["stop > ?", endAfter],
    updatedSince === undefined ? ["gone = ?", 0] : ["updated >= ?", updatedSince],
  ];
  const given = conditions.filter((each) => each !== undefined);
  return {
    where: `WHERE ${given.map(([text]) => text).join(" AND ")}`,
    values: given.map(([, value]) => value),
  };
}
