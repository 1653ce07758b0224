import { type DurationMs, doublingPauseMs } from "../../model/time.ts";
import type { Chance } from "./clock.ts";

export interface BackOff {
  /** Consecutive failures, from 1. */
  readonly failures: number;
  readonly firstMs: DurationMs;
  readonly maxMs: DurationMs;
  /** The server's own demand (Retry-After). */
  readonly retryAfterMs?: DurationMs;
}

/**
 * The pause before the next retry. Doubles with each failure; half of it is random, so that clients that failed together do not
 * return together. Never less than `retryAfterMs`.
 */
export function backOffMs(
  { failures, firstMs, maxMs, retryAfterMs = 0 }: BackOff,
  chance: Chance,
): DurationMs {
  const doubled = doublingPauseMs(failures, { firstMs, maxMs });
  const share = chance();
  return Math.round(Math.max(doubled * (0.5 + share / 2), retryAfterMs * (1 + share / 10)));
}
