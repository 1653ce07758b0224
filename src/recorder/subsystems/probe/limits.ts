import { SECOND } from "../../../model/time.ts";

/** Limits of a probe that a person starts. */
export const PROBE_LIMITS = {
  /** A received service is listened to for this time: its tables repeat at least every two seconds. */
  listenMs: 5 * SECOND,
} as const;
