import { DAY, MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of retention, jobs and hooks. */
export const LIBRARY_LIMITS = {
  /** Recordings in the library; further ones stay on disk without retention, and the log reports it. */
  entries: 100_000,
  /**
   * The disk's free space is read this often; a read that takes as long is given up, as with a network disk that does
   * not answer.
   */
  spaceLookMs: 5 * SECOND,
  /** Retention looks for due files this often. */
  retentionLookMs: MINUTE,
  /** A list of recordings shows files as they were at most this long ago. */
  fileLookMs: 2 * SECOND,
  /** A file is verified at this rate at most, from the disk itself. */
  verifyReadBytesPerSecond: 50_000_000,
  /** Jobs for missing indexes that wait at the same time. */
  indexJobs: 4,
  /** Recordings that are examined at once for a missing index. */
  indexLooks: 100,
  /** A larger sidecar is not searched for its SHA-256. */
  sidecarBytes: 16 * 1024 * 1024,
  /** Damaged files in one report; the list of recordings has them all. */
  damagedFiles: 100,
  /** A job that takes longer is given up: a day of video takes less. */
  jobMs: DAY,
  /** Niceness of the processes of a job, as for nice(1): recordings come first. */
  jobNiceness: 19,
  /** Hooks that run at once, one for each recording; further ones wait. */
  hooksAtOnce: 4,
  /** Bytes of a hook's output in the log; a longer output loses its beginning. */
  hookOutputBytes: 4096,
  /** A hook that failed for a reason of the daemon's is run again after this time. */
  hookAgainMs: MINUTE,
} as const;
