import { MINUTE, SECOND } from "../model/time.ts";

/** Limits of backups. */
export const BACKUP_LIMITS = {
  /** Packing or unpacking a backup that takes longer fails. */
  packMs: 10 * MINUTE,
  /** A backup with more content is refused with FILE_UNREADABLE. */
  bytes: 2 ** 40,
  /** A backup with more files is refused with FILE_UNREADABLE. */
  files: 100_000,
  /** A backup with a larger manifest is refused with FILE_UNREADABLE. */
  manifestBytes: 16 * 1024 * 1024,
  /** A data folder without a pause between writes for this time is not backed up: FILE_UNREADABLE. */
  quietMs: 30 * SECOND,
} as const;
