import { type EpochMs, MINUTE } from "../../model/time.ts";
import type { Transaction } from "../data/store.ts";
import {
  type Account,
  type Change,
  type GuideTables,
  type OwnedDevice,
  put,
  remove,
  type StoredTimer,
  type User,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { isAllowed } from "./rights.ts";

export function endOf({ start, durationMinutes }: Pick<StoredTimer, "start" | "durationMinutes">): EpochMs {
  return start + durationMinutes * MINUTE;
}

function isListed(timer: StoredTimer, now: EpochMs): boolean {
  return timer.removedAt === undefined && endOf(timer) + SERVER_LIMITS.timerListedMs > now;
}

/** The current timers of the account: forgets first, then by start. */
export function listedTimers(tables: GuideTables, account: Account, now: EpochMs): readonly StoredTimer[] {
  const own = [...tables.timers.values()].filter(
    (timer) => timer.accountId === account.id && isListed(timer, now),
  );
  const rank = ({ action }: StoredTimer) => (action === "forget" ? 0 : 1);
  return own.sort((a, b) => rank(a) - rank(b) || a.start - b.start || Number(a.id) - Number(b.id));
}

/** The account that asks for timers or reports on them, and its device where that is known. */
export interface TimerParty {
  readonly account: Account;
  /** The party is this device, and has only its timers. Absent for a session of no device, which has all of the account. */
  readonly device: Pick<OwnedDevice, "id"> | undefined;
}

export function isOwn({ device }: Pick<TimerParty, "device">, { deviceId }: StoredTimer): boolean {
  return device === undefined || device.id === deviceId;
}

/** The current timers of the party. */
export function ownTimers(tables: GuideTables, party: TimerParty, now: EpochMs): readonly StoredTimer[] {
  return listedTimers(tables, party.account, now).filter((timer) => isOwn(party, timer));
}

/** `undefined` also for a timer of another device than the party's. */
export function ownTimerOf(
  tables: GuideTables,
  party: TimerParty,
  which: { readonly id: string; readonly now: EpochMs },
): StoredTimer | undefined {
  const timer = timerOf(tables, party.account, which);
  return timer !== undefined && isOwn(party, timer) ? timer : undefined;
}

/** `undefined` also for a timer of another account, and for one that is in no list any more. */
export function timerOf(
  tables: GuideTables,
  account: Account,
  { id, now }: { readonly id: string; readonly now: EpochMs },
): StoredTimer | undefined {
  const timer = tables.timers.get(id);
  return timer?.accountId === account.id && isListed(timer, now) ? timer : undefined;
}

/**
 * Marks timers that a client reads. From the first time on their recorder may hold them; what it reads and has not
 * acknowledged is `sent` from then on, which the next reader sees.
 *
 * @param reader the device that reads, where that is known: it does not hold timers of other devices
 */
export function markServed(
  timers: readonly StoredTimer[],
  {
    now,
    reader,
    user,
  }: {
    readonly now: EpochMs;
    readonly reader: OwnedDevice | undefined;
    readonly user: Pick<User, "rights">;
  },
): Transaction<readonly StoredTimer[]> {
  // Reading changes nothing then: such a session is no recorder's.
  if (!isAllowed(user.rights, "write")) return { changes: [], value: timers };
  const changes = timers.flatMap((timer) => {
    if (!isOwn({ device: reader }, timer)) return [];
    const served = { ...timer, servedAt: timer.servedAt ?? now };
    if (isUnsent(timer)) return [put("timers", { ...served, state: "sent", sentAt: now })];
    return timer.servedAt === undefined ? [put("timers", served)] : [];
  });
  return { changes, value: timers };
}

function isUnsent({ state, ...timer }: StoredTimer): boolean {
  return (state === "new" || state === "waiting") && !isAcknowledged(timer);
}

/** Whether the recorder has still to acknowledge the order. */
export function awaitsAcknowledgement(timer: StoredTimer): boolean {
  return timer.action === "forget" || !isAcknowledged(timer);
}

/** Timers of before it was written down are, where a state was told. */
function isAcknowledged({ acknowledged, told }: Pick<StoredTimer, "acknowledged" | "told">): boolean {
  return acknowledged ?? told.some(({ state }) => state !== undefined);
}

/**
 * Timers that a recorder has read, and then others that it read later and acknowledged, but not these: it has lost them.
 *
 * @param reported as they are now that a client has told of them
 */
export function lostTimers(tables: GuideTables, reported: readonly StoredTimer[]): readonly StoredTimer[] {
  const ids = new Set(reported.map(({ id }) => id));
  const latest = new Map<number, EpochMs>();
  for (const timer of reported) {
    const { deviceId, sentAt = 0 } = timer;
    if (isAcknowledged(timer)) latest.set(deviceId, Math.max(sentAt, latest.get(deviceId) ?? 0));
  }
  return [...tables.timers.values()]
    .filter(
      ({ id, deviceId, state, sentAt = 0, removedAt }) =>
        state === "sent" && removedAt === undefined && !ids.has(id) && sentAt < (latest.get(deviceId) ?? 0),
    )
    .map((timer) => ({ ...timer, state: "missing" as const }));
}

/** Makes room for further timers of the account; `undefined` when there is not so much to be made. */
export function timersToDrop(
  tables: GuideTables,
  account: Account,
  { count, now }: { readonly count: number; readonly now: EpochMs },
): readonly Change[] | undefined {
  const own = [...tables.timers.values()].filter(({ accountId }) => accountId === account.id);
  const surplus = Math.max(0, own.length + count - SERVER_LIMITS.timersPerAccount);
  const removed = own
    .filter((timer) => !isListed(timer, now))
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, surplus);
  if (removed.length < surplus) return undefined;
  return removed.map(({ id }) => remove("timers", id));
}
