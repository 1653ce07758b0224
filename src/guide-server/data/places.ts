import type { Sqlite, SqlValue } from "../../kit/sqlite.ts";
import { MINUTE } from "../../model/time.ts";
import type { AreaQuery, EpisodesQuery, SeriesPlace, ShowPlace, SpanQuery } from "./show.ts";

/*
 * Channel and time of shows, from indexes alone: rules look at many more places than shows. The columns are named like
 * the fields of a place, so that a row is one.
 */

const PLACE = `id, channel AS channelId, start, (stop - start) / ${MINUTE}.0 AS durationMinutes`;
const SPAN = "start >= ? AND start < ? AND gone = 0";
const LISTED = "IN (SELECT value FROM json_each(?))";

/** The condition for an area; equal SQL for every area, so that it is prepared once. */
export function inArea({ channelIds, startFrom, startBefore }: AreaQuery): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  return {
    where: `channel ${LISTED} AND ${SPAN}`,
    values: [JSON.stringify(channelIds), startFrom, startBefore],
  };
}

/** See ReadShows. */
export function placesOf(
  sql: Sqlite,
  { seriesIds, startFrom, startBefore }: SpanQuery & { readonly seriesIds: readonly string[] },
): readonly SeriesPlace[] {
  const text = `SELECT ${PLACE}, series AS seriesId FROM shows WHERE series ${LISTED} AND ${SPAN}`;
  const values = [JSON.stringify(seriesIds), startFrom, startBefore];
  return sql.all(text, values) as unknown as readonly SeriesPlace[];
}

/** See ReadShows. */
export function placesIn(sql: Sqlite, area: AreaQuery): readonly SeriesPlace[] {
  const { where, values } = inArea(area);
  const text = `SELECT ${PLACE}, series AS seriesId FROM shows WHERE ${where}`;
  return sql.all(text, values) as unknown as readonly SeriesPlace[];
}

/** See ReadShows. */
export function placesAt(
  sql: Sqlite,
  { ids, startFrom, startBefore }: SpanQuery & { readonly ids: readonly number[] },
): readonly ShowPlace[] {
  const text = `SELECT ${PLACE} FROM shows WHERE id ${LISTED} AND ${SPAN}`;
  return sql.all(text, [JSON.stringify(ids), startFrom, startBefore]) as unknown as readonly ShowPlace[];
}

/** See ReadShows. */
export function airingsOf(
  sql: Sqlite,
  { episodes, startFrom, startBefore }: SpanQuery & EpisodesQuery,
): readonly number[] {
  const text = `SELECT id, series, episode FROM shows WHERE series ${LISTED} AND ${SPAN} AND episode ${LISTED} ORDER BY id`;
  const ids = [...new Set([...episodes.values()].flatMap((some) => [...some]))];
  return sql
    .all(text, [JSON.stringify([...episodes.keys()]), startFrom, startBefore, JSON.stringify(ids)])
    .filter(({ series, episode }) => episodes.get(String(series))?.has(String(episode)))
    .map(({ id }) => Number(id));
}
