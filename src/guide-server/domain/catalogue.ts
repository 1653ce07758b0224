import type { Channel, DeviceType, Manufacturer, Region } from "../../guide-wire/records.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Decision, Transaction } from "../data/decision.ts";
import type { Show } from "../data/show.ts";
import { type Change, type GuideTables, put, type RecordOf, type Series } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { badField, notFound } from "../refusal.ts";

/** A show to publish. Omitted fields are empty. */
export type ShowData = Pick<Show, "id" | "channelId" | "start" | "durationMinutes" | "title"> & Partial<Show>;

/** The data published for all accounts. Records replace those with the same id; others stay. */
export interface GuideData {
  readonly regions: readonly Region[];
  readonly channels: readonly Channel[];
  readonly manufacturers: readonly Manufacturer[];
  readonly types: readonly DeviceType[];
  readonly series: readonly Series[];
  readonly shows: readonly ShowData[];
}

/** Publishes records. Unchanged records are not written again. */
export function publish(tables: GuideTables, data: GuideData, now: EpochMs): Transaction<undefined> {
  const shows = data.shows
    .map((show) => fullShow(tables, show, now))
    .filter((show) => JSON.stringify(tables.shows.get(show.id)) !== JSON.stringify(show));
  // The database keeps votes; with those that are known, an unchanged series is recognised.
  const series = data.series.map((one) => ({
    ...one,
    votes: Math.max(one.votes, tables.series.get(one.id)?.votes ?? 0),
  }));
  return {
    changes: [
      ...changesTo(tables, "regions", data.regions),
      ...changesTo(tables, "channels", data.channels),
      ...changesTo(tables, "manufacturers", data.manufacturers),
      ...changesTo(tables, "types", data.types),
      ...changesTo(tables, "series", series),
    ],
    shows,
    value: undefined,
  };
}

type Catalogue = "regions" | "channels" | "manufacturers" | "types" | "series";

function changesTo<T extends Catalogue>(
  tables: GuideTables,
  table: T,
  records: readonly RecordOf<T>[],
): readonly Change[] {
  return records
    .filter((record) => JSON.stringify(tables[table].get(String(record.id))) !== JSON.stringify(record))
    .map((record) => put(table, record));
}

function fullShow(tables: GuideTables, data: ShowData, now: EpochMs): Show {
  const known = tables.shows.get(data.id);
  const show: Show = {
    id: data.id,
    channelId: data.channelId,
    seriesId: data.seriesId ?? "",
    episodeId: data.episodeId ?? "",
    start: data.start,
    durationMinutes: data.durationMinutes,
    title: data.title,
    subtitle: data.subtitle ?? "",
    desc: data.desc ?? "",
    category: data.category ?? [],
    eitId: data.eitId ?? data.id % 0x1_0000,
    rating: data.rating ?? "",
    date: data.date ?? "",
    updatedAt: known?.updatedAt ?? now,
  };
  return JSON.stringify(known) === JSON.stringify(show) ? show : { ...show, updatedAt: now };
}

/** Publishes one show under the next free id. */
export function addShow(tables: GuideTables, show: Omit<ShowData, "id">, now: EpochMs): Decision<Show> {
  if (!tables.channels.has(String(show.channelId))) return notFound("There is no such channel.", "channelId");
  if (show.durationMinutes <= 0 || show.durationMinutes > SERVER_LIMITS.timerMinutesMax) {
    return badField("durationMinutes", `must be above 0 and at most ${SERVER_LIMITS.timerMinutesMax}`);
  }
  let id = tables.counters.get("show")?.next ?? 1;
  while (tables.shows.get(id) !== undefined) id += 1;
  const full = fullShow(tables, { ...show, id }, now);
  return { changes: [put("counters", { id: "show", next: id + 1 })], shows: [full], value: full };
}
