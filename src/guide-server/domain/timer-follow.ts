import type { EpochMs } from "../../model/time.ts";
import type { Transaction } from "../data/store.ts";
import { type GuideTables, put, type StoredTimer } from "../data/tables.ts";
import { endOf } from "./timer-lists.ts";

/**
 * Timers follow their shows: where the guide has a show at another time or under another name than the timer that was booked for
 * it, the timer has it so too, with the id that it had. Whatever was told about it stays.
 */
export function followShows(tables: GuideTables, now: EpochMs): Transaction<readonly StoredTimer[]> {
  const moved = [...tables.timers.values()]
    .filter((timer) => timer.action === "record" && timer.removedAt === undefined && endOf(timer) > now)
    .flatMap((timer) => followShow(tables, timer) ?? []);
  return { changes: moved.map((timer) => put("timers", timer)), value: moved };
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
