import type { StreamFacts } from "./model.ts";

/** A part of a playlist, as hls.js describes it. */
interface Fragment {
  readonly start: number;
  readonly duration: number;
  /** Counts discontinuities. */
  readonly cc: number;
  readonly programDateTime: number | null;
}

/** A difference of less is due to the precision of playlists. */
const LEAST_SECONDS = 0.2;

/** Missing data of a playlist: the time of day goes on there, and the time of the playlist does not. */
export function gapsIn(fragments: readonly Fragment[]): StreamFacts["gaps"] {
  return fragments.flatMap(({ start, cc, programDateTime }, at) => {
    const before = fragments[at - 1];
    if (before === undefined || before.cc === cc) return [];
    if (programDateTime === null || before.programDateTime === null) return [];
    const apartSeconds = (programDateTime - before.programDateTime) / 1000;
    const lengthSeconds = apartSeconds - before.duration;
    return lengthSeconds < LEAST_SECONDS ? [] : [{ startSeconds: start, lengthSeconds }];
  });
}
