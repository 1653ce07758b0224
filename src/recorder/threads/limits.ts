import { MINUTE, SECOND } from "../../model/time.ts";

/** Limits of the threads beside the loop. */
export const THREADS_LIMITS = {
  /** A decoding thread that reports nothing for this time is ended. */
  readMs: MINUTE,
  /** The heap of a decoding thread; a thread that needs more ends. */
  readMiB: 1024,
  /** A reading thread that reports nothing for this time is ended: its disk hangs. */
  readingMs: 10 * MINUTE,
  /** The heap of a reading thread; a thread that needs more ends. */
  readingMiB: 512,
  /** A reading thread reports this often that it reads on. */
  aliveMs: 10 * SECOND,
  /**
   * The optimizer's sums for one group of recordings may take this long together; then the best plan so far is used,
   * with its bound.
   */
  optimizerMs: 30 * SECOND,
  /** A planning thread that reports nothing for this time is ended; the best plan so far is used. */
  planningMs: 2 * MINUTE,
  /** The heap of a planning thread; a thread that needs more ends. */
  planningMiB: 1024,
  /** The planner looks for unplanned groups this often, even if nobody wakes it. */
  planningLookMs: MINUTE,
} as const;
