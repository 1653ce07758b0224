import { MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of the export of traces. */
export const TRACES_LIMITS = {
  /** Recordings that wait to be exported; beyond, the oldest is dropped. */
  waiting: 1000,
  /** A request without an answer after this time has failed. */
  requestMs: 10 * SECOND,
  /** The first pause after a failed request; it doubles with each failure. */
  retryMs: 5 * SECOND,
  /** The longest pause after failed requests. */
  retryMsMax: 5 * MINUTE,
  /** A request with a larger answer has failed. */
  answerBytes: 64 * 1024,
} as const;
