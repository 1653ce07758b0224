import { MINUTE } from "../model/time.ts";

/** Limits of the daemon's own parts. */
export const RECORDER_LIMITS = {
  /** Log lines that are shown to people; the system's log has the older ones. */
  logLines: 1000,
  /** A one-time link is valid for this time. */
  linkMs: 15 * MINUTE,
} as const;
