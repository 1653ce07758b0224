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
 * Moves timers with the shows that have changed since the last time, in all accounts that have booked them: a timer takes
 * the new time and name of its show and keeps its id and its reports.
 *
 * @returns the number of moved timers
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function followShows(store: GuideStore, now: EpochMs): Promise<number> {
  const unfollowed = await store.unfollowed();
  let moved = 0;
  for (let at = 0; at < unfollowed.length; at += SHOWS_AT_ONCE) {
    const some = unfollowed.slice(at, at + SHOWS_AT_ONCE);
    const shows = new Set(some.map(({ showId }) => showId));
    for (const id of await store.booking([...shows])) moved += await follow(store, id, { shows, now });
    await store.followed(some);
  }
  return moved;
}

interface Following {
  /** Timers of other shows keep what a person or a box has changed. */
  readonly shows: ReadonlySet<number>;
  readonly now: EpochMs;
}

async function follow(store: GuideStore, accountId: string, order: Following): Promise<number> {
  // Another process may have changed the account since this one read it.
  await store.of(accountId);
  const moved = accepted(await store.commit(accountId, (tables) => following(tables, order)));
  await yieldToLoop();
  return moved;
}

function following(tables: GuideTables, { shows, now }: Following): Transaction<number> {
  const moved = [...tables.timers.values()]
    .filter((timer) => timer.action === "record" && timer.removedAt === undefined && endOf(timer) > now)
    .flatMap((timer) => followShow(tables, timer, shows) ?? []);
  return { changes: moved.map((timer) => put("timers", timer)), value: moved.length };
}

function followShow(
  tables: GuideTables,
  timer: StoredTimer,
  shows: Following["shows"],
): StoredTimer | undefined {
  const show = shows.has(timer.showId) ? tables.shows.get(timer.showId) : undefined;
  if (show === undefined || show.gone === true || show.channelId !== timer.channelId) return undefined;
  const { start, durationMinutes, title, eitId } = show;
  const same =
    timer.start === start &&
    timer.durationMinutes === durationMinutes &&
    timer.name === title &&
    timer.eitId === eitId;
  return same ? undefined : { ...timer, start, durationMinutes, name: title, eitId };
}
