import { DAY, MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of sign-in and of the guide that people see. */
export const BOOKING_LIMITS = {
  /** A sign-in by another program is noticed within this time. */
  signInLookMs: 2 * SECOND,
  /** Shows are requested again after this time. */
  freshMs: 10 * MINUTE,
  /** Channels with stored shows; the one requested longest ago is evicted. */
  freshChannels: 1000,
  /** A recorder that keeps rules itself has at most so many; another one is refused. */
  keptRules: 500,
  /** So many of them may search descriptions for an expression: each reads every description. */
  keptTextExpressions: 10,
  /** Timers that kept rules have at once; the others follow when there is room. */
  keptTimers: 500,
  /** Timers that kept rules order before they are noted together. */
  keptOrdersAtOnce: 20,
  /** Episodes that count as recorded or cancelled for kept rules; the oldest is forgotten. */
  keptEpisodes: 10_000,
  /** Kept rules are expanded again after this time. */
  keptLookMs: 30 * MINUTE,
  /** The first pause after kept rules could not be expanded or ordered; it doubles with each failure, up to `guideBackOffMsMax`. */
  keptRetryMs: 5 * SECOND,
  /** A search of the guide lets other work run after this time. */
  searchSliceMs: 10,
  /** A preview shows what begins within this time. */
  previewMs: 14 * DAY,
  /** Matches of a preview; the first ones are shown. */
  previewMatches: 500,
} as const;
