import type { Document } from "../../guide-wire/documents.ts";
import type { NewShowEntry } from "../../guide-wire/records.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Show } from "../data/show.ts";
import type { GuideTables, Series } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";

export function mostPopular(tables: GuideTables): Document<"popular"> {
  const chosen = [...tables.series.values()]
    .filter(({ votes }) => votes > 0)
    .sort((a, b) => b.votes - a.votes || a.id.localeCompare(b.id))
    .slice(0, SERVER_LIMITS.popularSeries);
  const top = chosen[0]?.votes ?? 1;
  return {
    series_info: chosen.map(({ summary }) => summary),
    most_popular: chosen.map(({ id, votes }) => ({
      series_id: id,
      num_votes: votes,
      popularity_ratio: Math.round((votes / top) * 100) / 100,
    })),
  };
}

/** New series by first broadcast; series without one come last. Dates are local to the zone. */
export function newShows(tables: GuideTables, timeZone: string | undefined): Document<"new-shows"> {
  const far = Number.MAX_SAFE_INTEGER;
  const isNew = [...tables.series.values()].filter((series) => series.isNew);
  const firsts = new Map(isNew.map(({ id }) => [id, tables.shows.firstOf(id)]));
  const chosen = isNew
    .sort(
      (a, b) =>
        (firsts.get(a.id)?.start ?? far) - (firsts.get(b.id)?.start ?? far) || a.id.localeCompare(b.id),
    )
    .slice(0, SERVER_LIMITS.newSeries);
  return {
    series_info: chosen.map(({ summary }) => summary),
    new_shows: chosen.map((series) => newShow(series, firsts.get(series.id), timeZone)),
  };
}

function newShow({ id }: Series, first: Show | undefined, timeZone: string | undefined): NewShowEntry {
  if (first === undefined) return { series_id: id, start_date: "Coming Soon", channel_id: 0 };
  return { series_id: id, start_date: dateInWords(first.start, timeZone), channel_id: first.channelId };
}

/** Formats `Monday, 23 November 2026`. A zone outside the tz database, such as a POSIX string, counts as UTC. */
function dateInWords(at: EpochMs, timeZone: string | undefined): string {
  const wanted = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  const parts = new Map(
    formatterFor(timeZone, wanted)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get("weekday")}, ${parts.get("day")} ${parts.get("month")} ${parts.get("year")}`;
}

function formatterFor(timeZone: string | undefined, wanted: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-GB", { ...wanted, timeZone: timeZone ?? "UTC" });
  } catch {
    return new Intl.DateTimeFormat("en-GB", { ...wanted, timeZone: "UTC" });
  }
}
