import type { EpochMs } from "./time.ts";

/** The genres of EN 300 468 table 29, by the first digit of the content code, from 1. */
export const GENRES = [
  "movie",
  "news",
  "show",
  "sports",
  "children",
  "music",
  "arts",
  "society",
  "education",
  "leisure",
] as const;
export type Genre = (typeof GENRES)[number];

/** The preferred picture among the channels that show an episode. The two `Prefer` values accept the other one if necessary. */
export const QUALITIES = ["Prefer HD", "HD Only", "Prefer SD", "SD Only"] as const;
export type Quality = (typeof QUALITIES)[number];

/** Part of a day in minutes since midnight, half-open; it includes midnight if `until` is not later than `from`. */
export interface PartOfDay {
  readonly from: number;
  readonly until: number;
}

/** The shows that a rule wants. Every condition that is present must hold; at least one of the first four is. */
export interface RuleConditions {
  /** Words that the text must contain, all of them, in any order and case. */
  readonly words?: string;
  /** A regular expression (syntax of RE2) that must match somewhere in the text, in any case. */
  readonly expression?: string;
  /** The series of the guide. */
  readonly seriesId?: string;
  /** One of these: a genre, or a category by its name in the guide. */
  readonly genres?: readonly string[];
  /** The text of words and expression; absent: the title. `all` adds subtitle and description. */
  readonly within?: "all";
  /** Words that must not be in title, subtitle or description. */
  readonly without?: string;
  readonly channelIds?: readonly number[];
  /**
   * Weekdays of the start, 1 (Monday) to 7 (Sunday), in the zone of the guide's region. With a part of the day that
   * includes midnight, the weekdays on which that part begins.
   */
  readonly weekdays?: readonly number[];
  /** When the show begins, in the same zone. */
  readonly between?: PartOfDay;
  readonly minMinutes?: number;
  readonly maxMinutes?: number;
}

/** The choice among the wanted shows, and how they are recorded. */
export interface RuleHandling {
  /** Only episodes that were not broadcast before, as far as the guide says. */
  readonly newOnly?: true;
  /** Only the first airing of an episode that the guide announces; absent: any airing, each episode once. */
  readonly airing?: "first";
  readonly quality: Quality;
  /** The number of newest recordings to keep; absent: as the recorder is configured. */
  readonly keep?: number;
  /** 0 to 100; absent: as the recorder is configured. The same holds for padding. */
  readonly priority?: number;
  readonly beforeMinutes?: number;
  readonly afterMinutes?: number;
  /** Folder below the folder of recordings, its levels separated by `/`. */
  readonly folder?: string;
}

/** An order of a person. */
export interface RuleOrder extends RuleConditions, RuleHandling {
  readonly name: string;
  /** A paused rule keeps no timers ahead. */
  readonly isPaused?: true;
}

/** An order for every matching show, stored by the guide server, or by the recorder if its service has no rules. */
export interface Rule extends RuleOrder {
  readonly id: number;
  /** The account's device that records. */
  readonly deviceId: number;
  readonly createdAt: EpochMs;
}

/** The part of a rule that a recording follows; it comes with the timer. */
export interface RuleOfTimer {
  readonly id: number;
  readonly keep?: number;
  readonly priority?: number;
  readonly folder?: string;
}

export function sameRule(one: RuleOfTimer | undefined, other: RuleOfTimer | undefined): boolean {
  return (
    one?.id === other?.id &&
    one?.keep === other?.keep &&
    one?.priority === other?.priority &&
    one?.folder === other?.folder
  );
}

/** The outcome for a show that matches a rule: it is recorded, or the reason why not. */
export const RULE_OUTCOMES = [
  /** The rule makes or has made a timer for it. */
  "records",
  /** A person has ordered it, or an earlier rule. */
  "ordered",
  /** Another airing of the episode is recorded. */
  "otherAiring",
  /** The episode has been recorded. */
  "recorded",
  /** Its owner cancelled this episode. */
  "declined",
  /** The guide calls it a repeat, or showed it before; the rule wants new episodes. */
  "repeat",
  /** It is not the first airing; the rule wants only that. */
  "later",
  /** A limit of the account is reached. */
  "noRoom",
] as const;
export type RuleOutcome = (typeof RULE_OUTCOMES)[number];

/** A show that matches a rule. */
export interface RuleMatch {
  readonly showId: number;
  readonly channelId: number;
  readonly title: string;
  readonly subtitle?: string;
  readonly start: EpochMs;
  readonly stop: EpochMs;
  readonly outcome: RuleOutcome;
  /** Without an identified episode, a repeat cannot be told from a new episode, and is recorded again. */
  readonly isIdentified: boolean;
}
