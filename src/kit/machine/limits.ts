import { MINUTE, SECOND } from "../../model/time.ts";

/** Limits of the kernel clock's programs and of the event loop's watcher. */
export const MACHINE_LIMITS = {
  /** `timedatectl` or `chronyc` has this long to answer; without an answer the kernel reports nothing. */
  kernelClockMs: 2 * SECOND,
  /** The event loop signals its watcher this often. */
  loopBeatMs: 2 * SECOND,
  /** The watcher counts the CPU time of the event loop's thread from this long after its last signal. */
  loopLookMs: 4 * SECOND,
  /** An event loop whose thread then computes for this long without a signal is starved: the watcher ends the process. */
  loopStarvedMs: 8 * SECOND,
  /** A watcher that ended is restarted after this time. */
  loopWatcherMs: MINUTE,
} as const;
