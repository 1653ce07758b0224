import { forgetOldest } from "../../../kit/forget-oldest.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { DurationMs } from "../../../model/time.ts";

/** Things that failed lately, so that they are not tried with each request. */
export interface RecentFailures {
  has(key: string): boolean;
  note(key: string): void;
  forget(key: string): void;
}

/** @param options.forMs a failure is forgotten after this time @param options.most failures in memory; the oldest is forgotten first */
export function createRecentFailures(
  clock: Pick<Clock, "monotonicMs">,
  { forMs, most }: { readonly forMs: DurationMs; readonly most: number },
): RecentFailures {
  const atMs = new Map<string, DurationMs>();
  return {
    has: (key) => {
      const at = atMs.get(key);
      return at !== undefined && clock.monotonicMs() - at < forMs;
    },
    note: (key) => {
      atMs.delete(key);
      atMs.set(key, clock.monotonicMs());
      forgetOldest(atMs, most);
    },
    forget: (key) => void atMs.delete(key),
  };
}
