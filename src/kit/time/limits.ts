import { SECOND } from "../../model/time.ts";

/** Limits of waits on the clock. */
export const TIME_LIMITS = {
  /** A longer wait is split into slices of this length, so that clock steps and suspend are noticed. */
  waitSliceMs: 10 * SECOND,
} as const;
