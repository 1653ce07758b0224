import type { DurationMs, EpochMs } from "../../model/time.ts";

/** A range in which padding is wanted; it gets as much as there is room for. */
interface WantedPadding {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export interface Changeover {
  /** Latest end of the recording before. */
  readonly stop: EpochMs;
  /** Earliest start of the recording after. */
  readonly start: EpochMs;
  readonly paddingMs: DurationMs;
}

/**
 * Chooses when a tuner changes its multiplex between two events, so that the most padding is left. Without time to tune there is
 * no padding, and the change takes time from the following event.
 */
export function changeoverOf({
  end,
  start,
  warmUpMs,
  after,
  before,
}: {
  readonly end: EpochMs;
  readonly start: EpochMs;
  readonly warmUpMs: DurationMs;
  readonly after: readonly WantedPadding[];
  readonly before: readonly WantedPadding[];
}): Changeover {
  const gained = (stop: EpochMs, from: EpochMs) =>
    after.reduce((sum, each) => sum + Math.min(each.to, stop) - each.from, 0) +
    before.reduce((sum, each) => sum + each.to - Math.max(each.from, from), 0);
  if (start - end < warmUpMs) return { stop: end, start, paddingMs: gained(end, start) };
  const last = start - warmUpMs;
  let best: Changeover | undefined;
  // The sum is concave, and bends only at a limit of one of them. The latest of equal maxima wins: programmes run over.
  const bends = [end, last, ...after.map(({ to }) => to), ...before.map(({ from }) => from - warmUpMs)];
  for (const stop of bends) {
    if (stop < end || stop > last) continue;
    const paddingMs = gained(stop, stop + warmUpMs);
    if (
      best === undefined ||
      paddingMs > best.paddingMs ||
      (paddingMs === best.paddingMs && stop > best.stop)
    )
      best = { stop, start: stop + warmUpMs, paddingMs };
  }
  return best ?? { stop: end, start, paddingMs: gained(end, start) };
}
