import { DAY, HOUR, MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of the decisions. */
export const ENGINE_LIMITS = {
  /** Changes of a timer list that one decision applies; the others follow after waiting occurrences. */
  newsAtOnce: 100,
  /** With more open recordings, a decision is made in steps, and other work gets its turn between them. */
  recordingsAtOnce: 75,
  /** Unreadable entries of the timer list that were reported; further ones are ignored until some of these leave the list. */
  refusedEntries: 1000,
  /** A processed `forget` that stays in the list is reported again after this time, which doubles each time. */
  forgetAgainMsMin: 10 * MINUTE,
  /** The longest time between reports of one `forget`. */
  forgetAgainMsMax: DAY,
  /** A capture whose window is further ahead, by a clock that was corrected, began by mistake. */
  prematureMs: MINUTE,
  /** A recording that lost less to a wrong clock does not mention it. */
  wrongClockMs: MINUTE,
  /** Times without a daemon that are stored; the oldest is evicted. */
  outages: 16,
  /** The first wait between attempts of one recording; it doubles with each attempt. */
  retryMsMin: SECOND,
  /** The longest wait between attempts of one recording. */
  retryMsMax: 30 * SECOND,
  /** After a shorter attempt the next one waits, even if payload had flowed. */
  briefAttemptMs: 10 * SECOND,
  /** A recording with more attempts waits `retryMsMax` before each further one: the document stores them all. */
  attemptsQuick: 1000,
  /** The document may have lost so many attempts of one recording; a later one on the disk is not taken up. */
  attemptsFoundMax: 1000,
  /** Other nodes of a fleet are told their recordings this long before. */
  plannedAheadMs: 2 * DAY,
  /** An attempt belongs to a timer only if it began no longer than this before the event. */
  claimBeforeMs: 6 * HOUR,
  /**
   * A capture ends by itself this long after its window, with or without a daemon. The longest overrun of an event is
   * shorter.
   */
  captureOverrunMs: 2 * HOUR,
  /** The window of an event that overruns is extended by this much at a time. */
  followStepMs: MINUTE,
  /** A step of closing that takes longer is reported, for its storage is slow or hangs. The step goes on. */
  closingSlowMs: 15 * MINUTE,
  /** Captures without a recording that are stored in the document; the ledger has them all. */
  straysMax: 20,
  /** Finished recordings and withdrawn timers stay in the document for this time. */
  historyMs: 30 * DAY,
  /** Recordings missed while the recorder was off end after this time, if the service has not listed its timers before. */
  listAwaitMs: 5 * MINUTE,
  /** The sign of life on disk is never older than this. */
  heartbeatMs: MINUTE,
  /** Repeats that are stored for one recording; the others are left out. */
  repeatsKept: 5,
  /** Repeats that are booked for one recording, one after the other. */
  repeatsBooked: 3,
  /** A booked repeat that the service does not list after this time was cancelled. */
  repeatListedMs: HOUR,
  /** The first pause between probes of a quarantined tuner; it doubles with each failure. */
  probeMsMin: MINUTE / 2,
  /** The longest pause between probes of a quarantined tuner. */
  probeMsMax: 5 * MINUTE,
  /** Leases of tuners at once; a further one is refused with TUNER_BUSY. */
  leases: 64,
} as const;
