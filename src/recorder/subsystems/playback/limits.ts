import { DAY, HOUR, MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of playback. */
export const PLAYBACK_LIMITS = {
  /** A growing recording is checked for more data this often while it is watched. */
  lookMs: SECOND / 4,
  /** A recording that was read within this time counts as watched. */
  playedMs: 15 * MINUTE,
  /** A larger logo is not shown. */
  logoBytes: 512 * 1024,
  /** A logo that takes longer to fetch is not shown. */
  logoFetchMs: 10 * SECOND,
  /** A logo that could not be fetched is requested again after this time. */
  logoRetryMs: HOUR,
  /** A fetched logo is fetched again after this time. */
  logoFreshMs: 30 * DAY,
  /** Fetched logos on the disk; the oldest is removed when a further one is fetched. */
  logosKept: 500,
} as const;
