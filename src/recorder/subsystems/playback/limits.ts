import { DAY, HOUR, MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of playback. */
export const PLAYBACK_LIMITS = {
  /** A growing recording is checked for more data this often while it is watched. */
  lookMs: SECOND / 4,
  /** A recording that was read within this time is being played: retention spares it. */
  playedMs: 15 * MINUTE,
  /** The first segments of HLS are short, so that a growing recording can be played soon. */
  firstSegments: 3,
  /** A first segment lasts at least this long. Broadcasters send an access point each second or half second. */
  firstSegmentMs: 750,
  /** The first request for the playlist of a growing recording waits this long for a segment. */
  firstSegmentWaitMs: 15 * SECOND,
  /** A segment of HLS lasts at least this long, where the recording is not interrupted. Shorter ones cost more requests, and longer ones delay a viewer of a growing recording. */
  segmentMs: 4 * SECOND,
  /** No segment lasts longer: the target duration must not change (RFC 8216 §6.2.1). Broadcasters send an access point at least every 5 s. */
  targetMs: 10 * SECOND,
  /** Data is missing between access points that are farther apart: playback goes on after it. With `segmentMs` it is `targetMs`. */
  gapMs: 6 * SECOND,
  /** Assumed distance between access points where only one is known. */
  groupMs: SECOND,
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
