import { DAY, HOUR, MINUTE, SECOND } from "./time.ts";

/** Limits that several folders share, and those of the model itself. */
export const MODEL_LIMITS = {
  /** A request to the guide service without a complete answer after this time fails with GUIDE_TIMEOUT. */
  guideRequestMs: 30 * SECOND,
  /** A longer Retry-After of the guide service is cut to this. */
  guideRetryAfterMsMax: HOUR,
  /** The back-off between failed polls and between failed deliveries doubles up to this. */
  guideBackOffMsMax: 15 * MINUTE,
  /** Channels in one request for programme data; the others follow in further requests. */
  programmeChannels: 50,
  /** A longer text of the guide service is cut to this many characters. */
  wireTextLength: 8192,
  /** A longer message is cut to this many characters. */
  messageLength: 500,
  /** A tuner that has no source this long after it was opened has failed. */
  tuneMs: 20 * SECOND,
  /** A probe of a tuner that takes longer has failed. */
  probeMs: 30 * SECOND,
  /** A viewer's lease ends after this time. */
  viewMs: 12 * HOUR,
  /** A capture stops this long after its window, so that all data of the window is on disk. */
  stopDelayMs: SECOND / 2,
  /** With a clock that is wrong by more, no recording begins or ends by it; events are timed by another source. */
  clockGrossMs: DAY,
  /** DVB services of tuners whose names and numbers are stored; the one reported longest ago is evicted. */
  knownServices: 20_000,
  /** Candidate services that are shown for one channel; the others are left out. */
  serviceCandidates: 40,
  /** Pairs of tuner and multiplex with stored reception results; the one updated longest ago is evicted. */
  healthPairs: 2000,
  /** Older reception results no longer count against a tuner. */
  healthMs: 7 * DAY,
  /** A tuner may be quarantined after this many failures in a row. */
  quarantineAfter: 3,
  /** Work that starved the event loop is set aside for this time; each repetition doubles it. */
  setAsideMs: HOUR,
  /** The longest time for which work is set aside. */
  setAsideMsMax: DAY,
  /** Work that has not starved the event loop again for this time is forgotten. */
  setAsideForgetMs: 7 * DAY,
  /** Pieces of work that are stored as set aside; the oldest is evicted. */
  setAsideKept: 50,
  /** This many pieces of one kind that are set aside at once set the whole kind aside. */
  setAsideWholeKind: 3,
} as const;
