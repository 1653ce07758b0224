import { MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of sign-in and of the guide that people see. */
export const BOOKING_LIMITS = {
  /** A sign-in by another program is noticed within this time. */
  signInLookMs: 2 * SECOND,
  /** Shows are requested again after this time. */
  freshMs: 10 * MINUTE,
  /** Channels with stored shows; the one requested longest ago is evicted. */
  freshChannels: 1000,
} as const;
