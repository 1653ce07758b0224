import { DAY, MINUTE, SECOND } from "../model/time.ts";

/** Limits of both HTTP servers. */
export const WEB_LIMITS = {
  /** A larger request to the API is refused. */
  bodyBytes: 64 * 1024,
  /** A larger request without a session, such as a sign-in, is refused. */
  openBodyBytes: 16 * 1024,
  /** Requests of one address in a burst; a further one is refused with 429. */
  requestsAtOnce: 1000,
  /** Requests of one address per second after a burst; a further one is refused with 429. */
  requestsPerSecond: 100,
  /** Addresses with a count of requests; the one that was idle longest is evicted. */
  addresses: 10_000,
  /** A browser's session ends this long after the sign-in. */
  sessionMs: 30 * DAY,
  /** Sessions at once; the oldest ends when a further one begins. */
  sessions: 1000,
  /** A correct password is not hashed again for this time. */
  passwordMs: 10 * MINUTE,
  /** How often a stream looks whether its visitor may still have it. */
  streamLookMs: 10 * SECOND,
  /** A port that is in use is tried again after this time. */
  retryMs: 10 * SECOND,
  /** A connection that takes nothing of its answer for this time is ended; a player may be paused that long. */
  pauseMs: 10 * MINUTE,
  /** Shows in one answer for the guide page; the others are left out. */
  guideShows: 20_000,
} as const;
