import { MINUTE } from "../../model/time.ts";

/** Limits of sign-ins and of their files. */
export const HTTP_LIMITS = {
  /** Failed sign-ins of one name within `guessesMs`; a further one is refused with 429. */
  guessesPerName: 10,
  /** Failed sign-ins from one address within `guessesMs`; a further one is refused with 429. */
  guessesPerAddress: 30,
  /** A failed sign-in counts for this time. */
  guessesMs: 15 * MINUTE,
  /** Names, addresses and pairs of both with a count of failed sign-ins; the oldest is evicted. */
  guessersKept: 10_000,
  /** Passwords that wait for their hash; a further one is refused with 503. */
  passwordsWaiting: 20,
  /** A larger file with certificates or a key is refused. */
  pemBytes: 1024 * 1024,
} as const;
