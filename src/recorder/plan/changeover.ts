import type { DurationMs, EpochMs } from "../../model/time.ts";

/** A wish for padding: as much as there is room for between the two. */
interface WantedPadding {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export interface Changeover {
  /** What is before ends then at the latest; */
  readonly stop: EpochMs;
  /** and what is after begins then at the earliest. */
  readonly start: EpochMs;
  readonly paddingMs: DurationMs;
}

/**
 * Where a tuner changes its multiplex between the last end and the first begin of events: so that the most padding is left.
 * Where there is no room to tune, there is no padding, and the change takes the time of the event that follows.
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
  // The sum is concave and bends only where one of them is content. Of equals the latest: programmes run over.
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
