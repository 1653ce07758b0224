import { yieldToLoop } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Transaction } from "../data/decision.ts";
import type { GuideStore } from "../data/store.ts";
import { type GuideTables, put, type StoredTimer } from "../data/tables.ts";
import { accepted } from "../refusal.ts";
import { endOf } from "./timer-lists.ts";

/**
 * Moves the timers of all accounts with their shows: a timer takes the new time and name of its show and keeps its id
 * and its reports.
 *
 * @returns the number of moved timers
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function followShows(store: GuideStore, now: EpochMs): Promise<number> {
  let moved = 0;
  for await (const { id } of store.all("accounts")) {
    moved += accepted(await store.commit(id, (tables) => following(tables, now)));
    await yieldToLoop();
  }
  return moved;
}

function following(tables: GuideTables, now: EpochMs): Transaction<number> {
  const moved = [...tables.timers.values()]
    .filter((timer) => timer.action === "record" && timer.removedAt === undefined && endOf(timer) > now)
    .flatMap((timer) => followShow(tables, timer) ?? []);
  return { changes: moved.map((timer) => put("timers", timer)), value: moved.length };
}

function followShow(tables: GuideTables, timer: StoredTimer): StoredTimer | undefined {
  const show = timer.showId === 0 ? undefined : tables.shows.get(timer.showId);
  if (show === undefined || show.gone === true || show.channelId !== timer.channelId) return undefined;
  const { start, durationMinutes, title, eitId } = show;
  const same =
    timer.start === start &&
    timer.durationMinutes === durationMinutes &&
    timer.name === title &&
    timer.eitId === eitId;
  return same ? undefined : { ...timer, start, durationMinutes, name: title, eitId };
}
