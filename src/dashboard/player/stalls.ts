import type { Span } from "./model.ts";

/** Between two looks. */
export const LOOK_MS = 1000;
/** Longer than hls.js waits before it requests a part again. */
const LOOKS = 10;
/** With less to come in the playlist, the source has nothing more yet. */
const LEAST_SECONDS = 1;

interface Look {
  readonly seconds: number;
  /** The viewer wants to see it play. */
  readonly isWanted: boolean;
  /** The end of what the playlists list. */
  readonly endSeconds: number;
  /** Parts that are on their way. */
  readonly loading: readonly Span[];
}

/**
 * Playback hangs if the position stands, and the part that it needs is listed but not on its way: a player that waits for nothing
 * waits for good.
 *
 * @returns a function that tells at each look whether it has hung for so many looks
 */
export function stallWatch(): (look: Look) => boolean {
  let last: number | undefined;
  let count = 0;
  return ({ seconds, isWanted, endSeconds, loading }) => {
    const isListed = endSeconds - seconds >= LEAST_SECONDS;
    const isComing = loading.some(
      (part) => part.startSeconds - LEAST_SECONDS <= seconds && seconds < part.endSeconds,
    );
    const hangs = isWanted && seconds === last && isListed && !isComing;
    last = seconds;
    count = hangs ? count + 1 : 0;
    if (count < LOOKS) return false;
    count = 0;
    return true;
  };
}
