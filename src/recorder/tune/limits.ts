import { SECOND } from "../../model/time.ts";

/** Limits of tuners, their servers and their processes. */
export const TUNE_LIMITS = {
  /** A larger answer of a tuner's server means TUNER_UNREACHABLE. */
  answerBytes: 16 * 1024 * 1024,
  /** A tuner's server without an answer after this time is TUNER_UNREACHABLE. */
  answerMs: 10 * SECOND,
  /** A tuner process without a lock this long after its start fails with TUNER_NO_LOCK. */
  lockMs: 10 * SECOND,
  /** A tuner process without the tables of its multiplex this long after its lock fails with TUNER_NO_LOCK. */
  tablesMs: 5 * SECOND,
  /** A tuner process whose outputs have just changed ends after this time without a reader. */
  unreadFirstMs: 30 * SECOND,
  /** Any other tuner process ends after this time without a reader. */
  unreadMs: 10 * SECOND,
  /** A larger log of a tuner process is cut to its first 64 KiB. */
  logBytes: 1024 * 1024,
  /** A tuner process that still runs this long after the request to stop is killed. */
  stopPatienceMs: 2 * SECOND,
  /** A tuner stays on its multiplex for this time after its last use, for a use that follows. */
  lingerMs: 3 * SECOND,
} as const;
