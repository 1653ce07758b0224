import { DAY, HOUR } from "../model/time.ts";

/** Limits of rules. */
export const RULE_LIMITS = {
  /** A longer name, text or expression of a rule is refused. */
  textLength: 200,
  /** A rule with more channels, genres or words is refused. */
  entries: 500,
  /** An expression whose program has more instructions is refused: each costs time at every character. */
  expressionSize: 250,
  /** An expression whose repetition counts, such as `{2,10}`, have a larger sum is refused before it is compiled. */
  expressionCounts: 100,
  /** An expression is matched against so many characters of a show's text. */
  expressionText: 1000,
  /**
   * Instructions times characters that one expression may cost in one search; it finds nothing more after that. An
   * ordinary expression searches the descriptions of 100,000 shows with it, and far more if a part of it is rare.
   */
  expressionWork: 800_000_000,
  /** The same for all expressions of one search together. */
  expressionWorkAll: 8_000_000_000,
  /** Titles for which the results of expressions are kept. */
  titlesKept: 50_000,
  /** Longer padding is refused. */
  paddingMinutes: 12 * 60,
  /** No show is longer. */
  showMinutes: 24 * 60,
  /** A rule that keeps more recordings is refused. */
  keep: 1000,
  /** A folder with more levels is refused. */
  folderLevels: 4,
  /** A longer name of one level is refused, in bytes of UTF-8. */
  folderPartBytes: 100,
  /** Timers are made for airings that begin within this time. */
  expandAheadMs: 28 * DAY,
  /** Among airings within this time of the first, the one on a channel of the wanted quality is chosen. */
  qualityWithinMs: DAY,
  /** An airing that begins this long after the first one of its episode is a repeat; a simulcast is none. */
  repeatAfterMs: 3 * HOUR,
  /** The largest distance of an airing's start from the start_minutes of a series recording or keyword. */
  startWithinMinutes: 30,
  /** A show that disappears is replaced by one with its title that begins within this time on its channel. */
  sameAiringMs: 3 * HOUR,
  /** An episode's number without a season is that of another season so long after the episode was done. */
  seasonMs: 180 * DAY,
  /** Without a report this long after a timer's event, the episode is wanted again. */
  unreportedMs: DAY,
} as const;
