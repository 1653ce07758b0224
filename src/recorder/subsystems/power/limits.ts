import { MINUTE } from "../../../model/time.ts";

/** Limits of the wake alarm and of the sign of life to the service manager. */
export const POWER_LIMITS = {
  /** An engine whose loop made no round for this time is not reported as alive: the service manager restarts the daemon. */
  engineSilentMs: 5 * MINUTE,
  /** The command that sets the machine's wake alarm has this long; then it has failed. */
  wakeAlarmMs: MINUTE,
} as const;
