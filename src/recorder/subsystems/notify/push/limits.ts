import { DAY, SECOND } from "../../../../model/time.ts";

/** Limits of notifications to browsers. */
export const PUSH_LIMITS = {
  /** Browsers that receive notifications; a further one replaces the one that was added first. */
  browsers: 20,
  /** Characters of a text: push services take 4,096 bytes, encrypted. */
  textLength: 900,
  /** A push service keeps a message for a browser that is off for this time. */
  keptMs: DAY,
  /** The test of a new browser must be accepted within this time. */
  testMs: 15 * SECOND,
} as const;
