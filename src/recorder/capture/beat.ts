import type { DurationMs } from "../../model/time.ts";

/** A timer may fire early; so close to a beat, the next one is meant. */
const EARLY_MS = 50;

/**
 * The time until the next beat, which is common to all captures. Growing files that are read together wake the reading
 * threads and the loop once for many of them.
 *
 * @param nowMs reading of the monotonic clock
 */
export function untilNextBeat(everyMs: DurationMs, nowMs: DurationMs): DurationMs {
  const leftMs = everyMs - (nowMs % everyMs);
  return leftMs > EARLY_MS ? leftMs : leftMs + everyMs;
}
