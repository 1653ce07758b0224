import { MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of playback. */
export const PLAYBACK_LIMITS = {
  /** A growing recording is checked for more data this often while it is watched. */
  lookMs: SECOND / 4,
  /** A recording that was read within this time counts as watched. */
  playedMs: 15 * MINUTE,
} as const;
