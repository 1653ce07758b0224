import type { EpochMs } from "../../model/time.ts";
import { type Account, type Change, type GuideTables, put } from "../data/tables.ts";
import { listedTimers } from "./timer-lists.ts";

/** Booking an episode is a vote for its series, unless the account has another one booked. */
export function voteFor(
  tables: GuideTables,
  account: Account,
  { showId, now }: { readonly showId: number; readonly now: EpochMs },
): readonly Change[] {
  const seriesOf = (id: number) => tables.shows.get(id)?.seriesId;
  const series = tables.series.get(seriesOf(showId) ?? "");
  if (series === undefined) return [];
  const before = listedTimers(tables, account, now).some((timer) => seriesOf(timer.showId) === series.id);
  return before ? [] : [put("series", { ...series, votes: series.votes + 1 })];
}
