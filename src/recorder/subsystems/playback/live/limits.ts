import { MINUTE, SECOND } from "../../../../model/time.ts";

/** Limits of the buffers of live services. */
export const LIVE_LIMITS = {
  /** Buffers at once; a viewer of a further service is refused with TUNER_BUSY. */
  buffers: 16,
  /** A buffer ends when nobody has requested a playlist or a segment for this time. Players reload a playlist at least every target duration. */
  idleMs: 20 * SECOND,
  /** Buffers are checked for viewers this often. */
  lookMs: 2 * SECOND,
  /** Old segments leave a buffer, and their space is freed, this often. A segment can be requested for as long after it left the playlist. */
  trimMs: 30 * SECOND,
  /** A buffer keeps this much, however low the disk is: players need some segments. */
  leastMs: 30 * SECOND,
  /** The first request for a playlist waits this long for a segment: opening a tuner may take `tuneMs`, and the first data `firstPayloadMs`. */
  firstSegmentWaitMs: 40 * SECOND,
  /** A playlist that has ended stays available for this time, so that each viewer sees its end. */
  endShownMs: 20 * SECOND,
  /** The first segment ends at a picture so long after its access point, so that a viewer does not wait for the next access point. */
  firstCutMs: SECOND / 4,
  /** The growing file is read this often until the first short segments are there. */
  firstReadMs: SECOND / 16,
  /** The growing file is read this often. A viewer sees a segment so much later at most. */
  readMs: SECOND / 2,
  /** The newest bytes of a service stay in memory for viewers of its newest segment: some seconds of a rich one. */
  newestBytes: 16 * 1024 * 1024,
  /** The same of all services together; those that are watched first have it. */
  allNewestBytes: 48 * 1024 * 1024,
  /** A source that failed is tried again after this time. */
  retryMs: SECOND,
  /** A source that fails this often without a picture ends the buffer. */
  failures: 3,
  /** A new lease is taken this long before the old one ends. */
  renewMs: MINUTE,
  /** The program that frees space has this long. */
  punchMs: 10 * SECOND,
  /** Freed at once at least; file systems free whole blocks. */
  punchBytes: 4 * 1024 * 1024,
} as const;

/** The limits of one run: tests use shorter ones. */
export type LiveLimits = Readonly<Record<keyof typeof LIVE_LIMITS, number>>;
