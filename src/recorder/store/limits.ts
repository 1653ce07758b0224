import { SECOND } from "../../model/time.ts";

/** Limits of the files of the data folder. */
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
} as const;
