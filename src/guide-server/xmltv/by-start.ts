import type { DurationMs, EpochMs } from "../../model/time.ts";

interface Starts {
  readonly start: EpochMs;
}

/** The part of a list sorted by start that starts within the span, both ends included. */
export function startingWithin<T extends Starts>(
  sorted: readonly T[],
  { from, to }: { readonly from: EpochMs; readonly to: EpochMs },
): readonly T[] {
  const first = firstFrom(sorted, from);
  let end = first;
  while ((sorted[end]?.start ?? Number.POSITIVE_INFINITY) <= to) end += 1;
  return sorted.slice(first, end);
}

/**
 * The entries of a list sorted by start that start nearest to the instant: at most `most` entries, at most `apartMs`
 * away, by start.
 */
export function nearestTo<T extends Starts>(
  sorted: readonly T[],
  instant: EpochMs,
  { apartMs, most }: { readonly apartMs: DurationMs; readonly most: number },
): readonly T[] {
  let first = firstFrom(sorted, instant);
  let end = first;
  while (end - first < most) {
    const before = instant - (sorted[first - 1]?.start ?? Number.NEGATIVE_INFINITY);
    const after = (sorted[end]?.start ?? Number.POSITIVE_INFINITY) - instant;
    if (Math.min(before, after) > apartMs) break;
    if (before < after) first -= 1;
    else end += 1;
  }
  return sorted.slice(first, end);
}

function firstFrom(sorted: readonly Starts[], start: EpochMs): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
