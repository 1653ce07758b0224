/** Limits of an import from another recorder. */
export const MIGRATION_LIMITS = {
  /** A larger file of settings is not read. */
  textBytes: 16 * 1024 * 1024,
  /** Names of one folder; a folder with more is refused with FILE_UNREADABLE. */
  names: 100_000,
  /** Files that one import reads; a further one is refused with FILE_UNREADABLE. */
  reads: 200_000,
  /** Channels of one recorder; further ones are left out. The same number holds for recordings. */
  items: 50_000,
  /** Timers of one recorder; further ones are left out. The same number holds for rules. */
  orders: 5000,
  /** Problems and left out things that are named; further ones are counted only. */
  named: 1000,
  /** Parts of one recording; a recording with more is left out. */
  parts: 1000,
  /** Settings that are nested more often are not read. */
  depth: 16,
  /** A longer title, subtitle or name is cut to this many characters. */
  titleLength: 300,
  /** A longer description is cut to this many characters. */
  descriptionLength: 4000,
} as const;
