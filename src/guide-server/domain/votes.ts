import type { EpochMs } from "../../model/time.ts";
import { type Account, type Change, type GuideTables, put, type Series } from "../data/tables.ts";
import { listedTimers } from "./timer-lists.ts";

/** Ordering a series or one of its episodes votes for it, unless the account already has one of its orders. */
export function voteFor(
  tables: GuideTables,
  account: Account,
  { seriesId, now }: { readonly seriesId: string; readonly now: EpochMs },
): readonly Change[] {
  const series = tables.series.get(seriesId) ?? shownSeries(tables, seriesId);
  if (series === undefined) return [];
  const isOrdered = listedTimers(tables, account, now).some(
    ({ showId }) => tables.shows.get(showId)?.seriesId === series.id,
  );
  const ordered = [...tables.rules.values()].some(
    ({ accountId, wants }) =>
      accountId === account.id && wants.kind === "series" && wants.seriesId === series.id,
  );
  return isOrdered || ordered ? [] : [put("series", { ...series, votes: series.votes + 1 })];
}

/** Listings publish shows without series: a vote creates the series from the title of its first show. */
function shownSeries({ shows }: GuideTables, id: string): Series | undefined {
  const title = id === "" ? undefined : shows.firstOf(id)?.title;
  return title === undefined ? undefined : { id, summary: { id, title }, votes: 0, isNew: false };
}
