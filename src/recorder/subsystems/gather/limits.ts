import { DAY, HOUR, MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of EIT gathering. */
export const GATHER_LIMITS = {
  /** Events are sent to the guide service this often. */
  bringMs: 10 * MINUTE,
  /** The guide service is asked this often whether it takes events. */
  askMs: 6 * HOUR,
  /**
   * Events of all streams, with their sections and names; long events count as several. A stream may use half of the rest, and
   * further events are ignored.
   */
  events: 100_000,
  /** Events that could not be sent for this time are dropped: the tables have changed since. */
  keptMs: 6 * HOUR,
  /** Unchanged events are not sent again for this time. */
  againMs: DAY,
  /** Parts that are stored as sent; the oldest is evicted. */
  parts: 50_000,
  /** Events in one request, fewer than a guide server takes; the others follow in further requests. */
  requestEvents: 400,
  /** Characters of one request, fewer than a guide server takes; the rest follows in further requests. */
  requestLength: 250_000,
  /** A file without a write for this time belongs to no running stream. */
  liveMs: 2 * MINUTE,
  /** The first back-off after a failed request; it doubles with each failure. */
  backOffMsMin: 5 * MINUTE,
  /** The longest back-off after failed requests. */
  backOffMsMax: HOUR,
  /** An idle tuner listens to one multiplex for this time at most. */
  idleListenMs: MINUTE,
  /** Listening ends after this time without new data. */
  idleQuietMs: 30 * SECOND,
  /** A multiplex that was listened to is due again after this time. */
  idleAgainMs: 6 * HOUR,
  /** Gathering looks for a due multiplex this often. */
  idleLookMs: MINUTE,
  /** A multiplex for which no tuner was idle is due again after this time. */
  idleBusyMs: 10 * MINUTE,
  /** A multiplex that failed is due again after this time. */
  idleFailedMs: HOUR,
  /** The pause after failures in a row doubles from `idleLookMs` up to this. */
  idleBackOffMsMax: HOUR,
} as const;
