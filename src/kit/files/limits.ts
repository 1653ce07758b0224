import { MINUTE, SECOND } from "../../model/time.ts";

/** Limits of files and their locks. */
export const FILES_LIMITS = {
  /** A larger sidecar, log or list is not read: FILE_UNREADABLE. */
  wholeBytes: 16 * 1024 * 1024,
  /** Taking the lock of a folder that takes longer fails with STORE_LOCKED. */
  lockMs: 5 * SECOND,
  /** A longer message of the locking program is cut to this many characters. */
  messageLength: 500,
  /** A command waits this long for one that holds the lock for one piece of work only; then it fails with STORE_LOCKED. */
  lockWaitMs: 30 * SECOND,
  /** A command waits no longer than this for all that hold the lock before it. */
  lockQueueMs: 5 * MINUTE,
} as const;
