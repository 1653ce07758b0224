import type { Span, StreamFacts } from "./model.ts";

/** Playback may stop this much before missing data. */
const EDGE_SECONDS = 0.3;

/** The missing parts of a recording that have a length on the timeline of the player, in order. */
export function gapSpans(gaps: StreamFacts["gaps"]): readonly Span[] {
  return gaps.map(({ startSeconds, lengthSeconds }) => ({
    startSeconds,
    endSeconds: startSeconds + lengthSeconds,
  }));
}

/**
 * The position after the gap that playback has reached; `undefined` if it has reached none. Data that is buffered is played:
 * the timeline of a playlist may leave the missing time out.
 */
export function afterGap(
  seconds: number,
  { gaps, buffered }: { readonly gaps: readonly Span[]; readonly buffered: readonly Span[] },
): number | undefined {
  const gap = gaps.find(
    ({ startSeconds, endSeconds }) => seconds >= startSeconds - EDGE_SECONDS && seconds < endSeconds,
  );
  const isNextThere = buffered.some(
    ({ startSeconds, endSeconds }) => startSeconds <= seconds && seconds + EDGE_SECONDS < endSeconds,
  );
  return gap === undefined || isNextThere ? undefined : gap.endSeconds;
}
