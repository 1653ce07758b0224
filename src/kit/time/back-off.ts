import type { DurationMs } from "../../model/time.ts";
import type { Chance } from "./clock.ts";

export interface BackOff {
  /** In a row, from 1. */
  readonly failures: number;
  readonly firstMs: DurationMs;
  readonly maxMs: DurationMs;
  /** What the other side asks for (Retry-After). */
  readonly askedMs?: DurationMs;
}

/**
 * How long to leave the other side alone. Doubles with each failure; half of it is by chance, so that clients which failed together
 * do not come back together. Never less than what was asked for.
 */
export function backOffMs({ failures, firstMs, maxMs, askedMs = 0 }: BackOff, chance: Chance): DurationMs {
  const doubled = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20));
  const share = chance();
  return Math.round(Math.max(doubled * (0.5 + share / 2), askedMs * (1 + share / 10)));
}
