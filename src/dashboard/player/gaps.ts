import type { Span, StreamFacts } from "./model.ts";

/** Playback may stop this much before missing data. */
const EDGE_SECONDS = 0.3;
/** Time stamps may leave a hole of this length where data is missing. */
const HOLE_SECONDS = 10;

/**
 * The position at which playback goes on when it has stopped at missing data; `undefined` if it has not. The time of a playlist
 * has no room for missing data, so there is only a hole between two buffered parts. The part before the hole ends at the gap:
 * any other part may end where the next one is still to be loaded, as after a seek.
 */
export function afterGap(
  seconds: number,
  { gaps, buffered }: { readonly gaps: StreamFacts["gaps"]; readonly buffered: readonly Span[] },
): number | undefined {
  const isAtHole = buffered.some(
    ({ endSeconds }) =>
      seconds >= endSeconds - EDGE_SECONDS &&
      seconds < endSeconds + HOLE_SECONDS &&
      gaps.some(({ startSeconds }) => Math.abs(startSeconds - endSeconds) <= 2 * EDGE_SECONDS),
  );
  const isNextThere = buffered.some(
    ({ startSeconds, endSeconds }) => startSeconds <= seconds && seconds + EDGE_SECONDS < endSeconds,
  );
  if (!isAtHole || isNextThere) return undefined;
  const next = buffered.find(({ startSeconds }) => startSeconds > seconds);
  return next !== undefined && next.startSeconds < seconds + HOLE_SECONDS ? next.startSeconds : undefined;
}
