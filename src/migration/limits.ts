/** Limits of an import from another recorder. */
export const MIGRATION_LIMITS = {
  /** A larger file of settings is not read. */
  textBytes: 16 * 1024 * 1024,
  /** A backup of a database is read up to this size, unpacked. */
  contentBytes: 16 * 1024 * 1024 * 1024,
  /** A longer line of such a backup is not read. */
  lineBytes: 64 * 1024 * 1024,
  /** Rows of one table that are kept; further ones are ignored. */
  rows: 200_000,
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
  /** A longer name of a rule is cut to this many characters. */
  ruleNameLength: 200,
  /** A longer name of one level of a rule's folder is cut to this many characters, 100 bytes at most. */
  folderNameLength: 33,
  /** Levels of a rule's folder; further ones are left out. */
  folderLevels: 4,
  /** More minutes of padding are cut to these. */
  paddingMinutes: 600,
  /** A rule that keeps more recordings keeps so many. */
  keep: 1000,
  /** A position in the last part of a recording counts as watched. */
  endShare: 0.05,
  /** A longer description is cut to this many characters. */
  descriptionLength: 4000,
} as const;
