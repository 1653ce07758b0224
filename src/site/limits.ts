import { HOUR, SECOND } from "../model/time.ts";

/** Limits of the content site's client. */
export const SITE_LIMITS = {
  /** A larger answer is refused with SITE_ANSWER_INVALID. */
  bodyBytes: 16 * 1024 * 1024,
  /** An answer with deeper nesting is refused with SITE_ANSWER_INVALID. */
  depth: 64,
  /** A request without a complete answer after this time fails with SITE_UNREACHABLE. */
  requestMs: 30 * SECOND,
  /** A list that takes more requests fails with SITE_LIST_TOO_LONG. */
  listRequests: 1000,
  /** Identifiers in one parameter; more are refused, so that the address stays below 8 KiB. */
  ids: 500,
  /** A longer search text is refused, so that the address stays below 8 KiB. */
  searchLength: 200,
  /** A larger file for a request is refused with SITE_PARAMETER_INVALID. */
  requestFileBytes: 16 * 1024 * 1024,
  /** A larger credentials file is refused with SITE_CREDENTIALS_INVALID. */
  credentialsBytes: 4096,
  /** After a failure, announcements are requested again after this time at the latest. */
  retryMs: HOUR,
  /** A longer text of the site is cut to this many characters. */
  textLength: 200,
} as const;
