import { type EpochMs, MINUTE } from "../../model/time.ts";
import type { Decided } from "../data/store.ts";
import {
  type Account,
  type BookedTimer,
  type Change,
  type GuideTables,
  put,
  remove,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";

export function endOf({ start, durationMinutes }: Pick<BookedTimer, "start" | "durationMinutes">): EpochMs {
  return start + durationMinutes * MINUTE;
}

function isListed(timer: BookedTimer, now: EpochMs): boolean {
  return timer.removedAt === undefined && endOf(timer) + SERVER_LIMITS.timerListedMs > now;
}

/** The current timers of the account: forgets first, then by start. */
export function listedTimers(tables: GuideTables, account: Account, now: EpochMs): readonly BookedTimer[] {
  const own = [...tables.timers.values()].filter(
    (timer) => timer.accountId === account.id && isListed(timer, now),
  );
  const rank = ({ action }: BookedTimer) => (action === "forget" ? 0 : 1);
  return own.sort((a, b) => rank(a) - rank(b) || a.start - b.start || Number(a.id) - Number(b.id));
}

/** `undefined` also for a timer of another account, and for one that is in no list any more. */
export function timerOf(
  tables: GuideTables,
  account: Account,
  { id, now }: { readonly id: string; readonly now: EpochMs },
): BookedTimer | undefined {
  const timer = tables.timers.get(id);
  return timer?.accountId === account.id && isListed(timer, now) ? timer : undefined;
}

/** Marks timers that a client reads for the first time. From then on a recorder may hold them. */
export function serve(timers: readonly BookedTimer[], now: EpochMs): Decided<readonly BookedTimer[]> {
  const served = timers.map((timer) => (timer.servedAt === undefined ? { ...timer, servedAt: now } : timer));
  const first = served.filter((timer, index) => timer !== timers[index]);
  return { changes: first.map((timer) => put("timers", timer)), value: served };
}

/** Makes room for further timers of the account; `undefined` when there is not so much to be made. */
export function timersToDrop(
  tables: GuideTables,
  account: Account,
  { count, now }: { readonly count: number; readonly now: EpochMs },
): readonly Change[] | undefined {
  const all = [...tables.timers.values()];
  const isOld = (timer: BookedTimer) =>
    Math.max(endOf(timer), timer.removedAt ?? 0) + SERVER_LIMITS.timerKeptMs < now;
  const old = all.filter(isOld);
  const own = all.filter((timer) => timer.accountId === account.id && !isOld(timer));
  const surplus = Math.max(0, own.length + count - SERVER_LIMITS.timersPerAccount);
  const removed = own
    .filter((timer) => !isListed(timer, now))
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, surplus);
  if (removed.length < surplus) return undefined;
  return [...old, ...removed].map(({ id }) => remove("timers", id));
}
