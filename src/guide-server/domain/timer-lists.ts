import { type EpochMs, MINUTE } from "../../model/time.ts";
import type { Transaction } from "../data/decision.ts";
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

/** When the first of these timers leaves the list by itself. */
export function listedUntil(timers: readonly StoredTimer[]): EpochMs {
  return timers.reduce(
    (first, timer) => Math.min(first, Math.ceil(endOf(timer) + SERVER_LIMITS.timerListedMs)),
    Number.MAX_SAFE_INTEGER,
  );
}

/** The account's current timers: forgets first, then by start. */
export function listedTimers(tables: GuideTables, account: Account, now: EpochMs): readonly StoredTimer[] {
  const own = [...tables.timers.values()].filter(
    (timer) => timer.accountId === account.id && isListed(timer, now),
  );
  const rank = ({ action }: StoredTimer) => (action === "forget" ? 0 : 1);
  return own.sort((a, b) => rank(a) - rank(b) || a.start - b.start || Number(a.id) - Number(b.id));
}

/** The account that reads timers or reports on them, and its device if known. */
export interface TimerParty {
  readonly account: Account;
  /** Limits the party to this device's timers. Absent for a session without a device, which sees the whole account. */
  readonly device: Pick<OwnedDevice, "id"> | undefined;
}

export function isOwn({ device }: Pick<TimerParty, "device">, { deviceId }: StoredTimer): boolean {
  return device === undefined || device.id === deviceId;
}

export function ownTimers(tables: GuideTables, party: TimerParty, now: EpochMs): readonly StoredTimer[] {
  return listedTimers(tables, party.account, now).filter((timer) => isOwn(party, timer));
}

/** `undefined` also for a timer of another device. */
export function ownTimerOf(
  tables: GuideTables,
  party: TimerParty,
  which: { readonly id: string; readonly now: EpochMs },
): StoredTimer | undefined {
  const timer = timerOf(tables, party.account, which);
  return timer !== undefined && isOwn(party, timer) ? timer : undefined;
}

/** `undefined` also for a timer of another account and for one that is no longer listed. */
export function timerOf(
  tables: GuideTables,
  account: Account,
  { id, now }: { readonly id: string; readonly now: EpochMs },
): StoredTimer | undefined {
  const timer = tables.timers.get(id);
  return timer?.accountId === account.id && isListed(timer, now) ? timer : undefined;
}

/**
 * Marks timers as read by a client. From the first read their recorder may have them. Timers that were read but not
 * acknowledged are `sent` for the next reader.
 *
 * @param reader the reading device, if known: it does not hold timers of other devices
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
  // This session cannot be a recorder's, so reading changes nothing.
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

/** Whether the recorder has yet to acknowledge the order. */
export function awaitsAcknowledgement(timer: StoredTimer): boolean {
  return timer.action === "forget" || !isAcknowledged(timer);
}

/** Older records lack the field: any reported state acknowledges them. */
function isAcknowledged({ acknowledged, told }: Pick<StoredTimer, "acknowledged" | "told">): boolean {
  return acknowledged ?? told.some(({ state }) => state !== undefined);
}

/**
 * The timers that a recorder has lost: it read them, then read and acknowledged later ones, but never these.
 *
 * @param reported the timers with the client's reports applied
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

/** The number of timers that can be added to the account. */
export function roomFor(tables: GuideTables, account: Account, now: EpochMs): number {
  const own = [...tables.timers.values()].filter(({ accountId }) => accountId === account.id);
  return SERVER_LIMITS.timersPerAccount - own.filter((timer) => isListed(timer, now)).length;
}

/** Makes room for more timers of the account; `undefined` if there is not enough. */
export function timersToDrop(
  tables: GuideTables,
  account: Account,
  { count, now }: { readonly count: number; readonly now: EpochMs },
): readonly Change[] | undefined {
  // An expansion asks for each of its commits.
  if (tables.timers.size + count <= SERVER_LIMITS.timersPerAccount) return [];
  const own = [...tables.timers.values()].filter(({ accountId }) => accountId === account.id);
  const surplus = Math.max(0, own.length + count - SERVER_LIMITS.timersPerAccount);
  const removed = own
    .filter((timer) => !isListed(timer, now))
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, surplus);
  if (removed.length < surplus) return undefined;
  return removed.map(({ id }) => remove("timers", id));
}
