import type { Inspection } from "./inspection.ts";
import { type DurationMs, SECOND } from "./time.ts";
import { totalMs } from "./window.ts";

/** A live source may begin with this much of the past: its own buffer, or the last segments of an HLS playlist. */
const LEAD_MS_MAX = 60 * SECOND;
/** A source's clock may run faster than ours by this factor. Real ones differ by less than 1 %. */
const LIVE_FACTOR_MAX = 1.1;
/** The times of files depend on the clock of a file server, so the factor is higher. */
const DATED_FACTOR_MAX = 2;
/** The same if a capture of that source, by the monotonic clock, found it too fast. */
const EXCESSIVE_FACTOR_MAX = 1.25;

/** The time that picture and sound take when played. Jumps of the clock and missing parts do not count. */
export function playedMs({ spans }: Pick<Inspection, "spans">): DurationMs {
  return totalMs(spans);
}

/** Whether a source sent more in this time than a broadcast can; both times from the start of its capture. */
export function outrunsLive(played: DurationMs, elapsedMs: DurationMs): boolean {
  return played > LIVE_FACTOR_MAX * elapsedMs + LEAD_MS_MAX;
}

/**
 * Whether the packets of a segment cannot be dated by its last write, because they came much faster than a broadcast.
 *
 * A wrong file time that passes for such a source would date more than half of the segment wrongly anyway.
 */
export function isUndatable(
  played: DurationMs,
  { elapsedMs, wasExcessive }: { readonly elapsedMs: DurationMs; readonly wasExcessive: boolean },
): boolean {
  // An end before the start is a wrong clock.
  if (elapsedMs < 0) return false;
  if (wasExcessive && played > EXCESSIVE_FACTOR_MAX * elapsedMs) return true;
  return played > DATED_FACTOR_MAX * elapsedMs + LEAD_MS_MAX;
}
