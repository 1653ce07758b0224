import { MINUTE } from "../../../../model/time.ts";

/** Limits of the decisions about space, jobs and hooks. */
export const LIBRARY_CORE_LIMITS = {
  /** Services with a measured data rate; the one measured longest ago is evicted. */
  learntServices: 1000,
  /** Jobs that wait; a further one is refused, and the log reports it. */
  jobsWaiting: 10_000,
  /** Ended jobs that are stored; the oldest is evicted. */
  jobsRemembered: 200,
  /** A job that fails this often is not tried again. */
  jobTries: 3,
  /** The first wait between tries of a job; it doubles with each try. */
  jobRetryMs: 5 * MINUTE,
  /** A hook waits this long for the sidecars of its recording; then it runs without them. */
  hookSidecarMs: MINUTE,
  /** A longer value in a hook's environment is cut; the JSON on its input is whole. The system takes 131,072 bytes for each. */
  hookValueLength: 8192,
} as const;
