import { withoutUndefined } from "../../model/without-undefined.ts";
import type { StoredTimer } from "../data/tables.ts";
import { endOf, listedTimers } from "../domain/timer-lists.ts";
import type { Household } from "./household.ts";

/** A timer with the order that made it. */
interface NextTimer {
  readonly ruleId?: number;
  readonly seriesId?: string;
  readonly keywordId?: number;
  readonly channelId: number;
  readonly start: number;
}

/** The household's next timer of each order. */
export function nextTimers({
  tables,
  account,
  now,
}: Pick<Household, "tables" | "account" | "now">): readonly NextTimer[] {
  const seriesOf = ({ seriesRecordingId }: StoredTimer) => {
    const wants = tables.rules.get(String(seriesRecordingId))?.wants;
    return wants?.kind === "series" ? wants.seriesId : undefined;
  };
  const next = new Map<string, NextTimer>();
  // By start: the first one of an order is its next.
  for (const timer of listedTimers(tables, account, now)) {
    if (timer.action !== "record" || endOf(timer) <= now) continue;
    const { channelId, start, ruleId, keywordId } = timer;
    for (const order of [{ ruleId }, { seriesId: seriesOf(timer) }, { keywordId }].map(withoutUndefined)) {
      const key = JSON.stringify(order);
      if (key !== "{}" && !next.has(key)) next.set(key, { ...order, channelId, start });
    }
  }
  return [...next.values()];
}
