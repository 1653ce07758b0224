import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { GuideTables, RecordOf } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { endOf } from "./timer-lists.ts";

type Ages = { readonly [T in "tokens" | "visits" | "timers" | "logs"]: (record: RecordOf<T>) => EpochMs };

/** A record of the store's look-ups (data/look-ups.ts) is kept at least this long after its end of use. */
export const KEPT_MS: Readonly<Record<keyof Ages, DurationMs>> = {
  tokens: SERVER_LIMITS.disposedTokenMs,
  visits: 0,
  // The look-up knows the start of a timer.
  timers: SERVER_LIMITS.timerKeptMs,
  logs: SERVER_LIMITS.boxLogKeptMs,
};

/**
 * The instant from which a record is useless. Tables without an entry keep their records: done episodes, so that
 * nothing is recorded twice, and received services, since many boxes scan only during setup. Shows follow the same
 * rule in their database (forget.ts).
 */
const FORGOTTEN_FROM: Ages = {
  tokens: ({ expiresAt, disposedAt }) => Math.min(expiresAt, disposedAt ?? expiresAt) + KEPT_MS.tokens,
  visits: ({ expiresAt }) => expiresAt + KEPT_MS.visits,
  timers: (timer) => Math.max(endOf(timer), timer.removedAt ?? 0) + KEPT_MS.timers,
  logs: ({ at }) => at + KEPT_MS.logs,
};

export const AGED_TABLES = Object.keys(FORGOTTEN_FROM) as readonly (keyof Ages)[];

/** The ids of records that are too old. */
export function idsToForget(tables: GuideTables, table: keyof Ages, now: EpochMs): readonly string[] {
  const from = FORGOTTEN_FROM[table] as (record: unknown) => EpochMs;
  return [...tables[table]].flatMap(([id, record]) => (from(record) < now ? [id] : []));
}
