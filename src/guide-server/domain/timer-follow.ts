import { yieldToLoop } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Transaction } from "../data/decision.ts";
import type { GuideStore } from "../data/store.ts";
import { type GuideTables, put, type StoredTimer } from "../data/tables.ts";
import { accepted } from "../refusal.ts";
import { endOf } from "./timer-lists.ts";

/** Shows per look-up. */
const SHOWS_AT_ONCE = 500;

/**
 * Moves timers with the shows that have moved since the last time, in all accounts that have booked them: a timer takes
 * the new time and name of its show and keeps its id and its reports. After an interruption, and for shows that other
 * processes have moved, the timers of an account follow before it is answered (settle.ts).
 *
 * @returns the number of moved timers
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function followShows(store: GuideStore, now: EpochMs): Promise<number> {
  const shows = [...store.news.moved];
  let moved = 0;
  for (let at = 0; at < shows.length; at += SHOWS_AT_ONCE) {
    const some = shows.slice(at, at + SHOWS_AT_ONCE);
    for (const id of await store.booking(some)) {
      // Another process may have changed the account since this one read it.
      await store.of(id);
      moved += await followOwn(store, id, now);
      await yieldToLoop();
    }
    for (const id of some) store.news.moved.delete(id);
  }
  return moved;
}

/** The same for one account and all its shows. */
export async function followOwn(
  store: Pick<GuideStore, "commit">,
  accountId: string,
  now: EpochMs,
): Promise<number> {
  return accepted(await store.commit(accountId, (tables) => following(tables, now)));
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
