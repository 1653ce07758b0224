import { DAY, HOUR, MINUTE, SECOND } from "../../../../model/time.ts";

/** Limits of the decisions about notifications. */
export const NOTIFY_CORE_LIMITS = {
  /** A recording that ended longer ago causes no notification. */
  ageMs: DAY,
  /** A condition that returns causes a notification again after this time. */
  againMs: HOUR,
  /** A guide service that fails for this time causes a notification. */
  syncMs: 15 * MINUTE,
  /** The first pause after a failed notification; it doubles with each failure. */
  retryMsMin: 15 * SECOND,
  /** The longest pause after failed notifications. */
  retryMsMax: HOUR,
  /** A notification that is undelivered for this time is given up. */
  waitMs: 3 * DAY,
  /** Undelivered notifications; beyond, the oldest is given up. */
  waiting: 1000,
  /** Recordings that a notification of a conflict names; the earliest ones. */
  holders: 4,
  /** Gaps that a notification of damage names; the longest ones. */
  gaps: 3,
} as const;
