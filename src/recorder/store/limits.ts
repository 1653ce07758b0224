import { SECOND } from "../../model/time.ts";

/** Limits of the state, in files or in the database of a fleet. */
export const STORE_LIMITS = {
  /** A larger ledger file is rotated. */
  ledgerBytes: 8 * 1024 * 1024,
  /** Rotated ledger files; the oldest is removed. */
  ledgerFiles: 8,
  /** Changes of a document are appended to a log. When the log is longer than this, and than the document, the document is written. */
  logBytes: 256 * 1024,
  /** Space that is reserved in the data folder for a full disk: some thousand commits of a small document. */
  reserveBytes: 4 * 1024 * 1024,
  /** The reserve is checked this often, and restored when there is room. */
  reserveLookMs: 30 * SECOND,
  /** After this time, a recorder goes on without the database of its fleet. Another node would have the lead by then, if it could. */
  patienceMs: 8 * SECOND,
  /** The time between two tries to write what waits for that database. */
  retryMs: SECOND / 2,
} as const;
