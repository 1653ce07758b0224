import type { PartOfDay, RuleConditions, RuleHandling } from "../model/rule.ts";
import type { EpochMs } from "../model/time.ts";
import type { Airing, DescribedShow, PlacedShow } from "./airing.ts";
import { episodeOf } from "./episode.ts";
import { compileExpression, type Expression, withParts } from "./expression.ts";
import { folded, isUnspaced, needleOf, termsOf, wordsOf, wordsText } from "./fold.ts";
import { genresOf } from "./genres.ts";
import { RULE_LIMITS } from "./limits.ts";
import type { LocalTime, LocalTimeOf } from "./local-time.ts";

/** Series recordings and keywords are rules with few conditions, and two of their own. */
export interface Wanted extends RuleConditions {
  /** Only this episode, identified when it was chosen. */
  readonly only?: { readonly showId: number; readonly episode: string };
  /** Minute of the day of the start, within half an hour. */
  readonly startMinutes?: number;
  readonly networkId?: number;
}

/** An order for every show that fits, of any kind. */
export interface OrderingRule extends RuleHandling {
  readonly kind: "series" | "keyword" | "rule";
  /** Unique among all kinds. */
  readonly id: number;
  readonly createdAt: EpochMs;
  readonly isPaused?: true;
  readonly wants: Wanted;
}

/** A rule with its texts folded and its expression compiled. */
export interface CompiledRule {
  readonly rule: OrderingRule;
  /** Single words, which indexes know. */
  readonly words: readonly string[];
  /** The same words, and those in quotation marks together, as `needleOf` makes them. */
  readonly needles: readonly string[];
  /** Those in quotation marks. */
  readonly phrases: readonly string[];
  /** A wanted show has none of these in the text of its words. */
  readonly without: readonly string[];
  /** Those of them that indexes know. */
  readonly withoutWords: readonly string[];
  readonly expression: Expression | undefined;
  /** Folded; a rule wants one of them. */
  readonly genres: ReadonlySet<string> | undefined;
  readonly channelIds: ReadonlySet<number> | undefined;
}

/** Compiles a checked rule. An expression that this version refuses matches nothing. */
export function compileRule(rule: OrderingRule): CompiledRule {
  const { words = "", without = "", expression: text, genres, channelIds } = rule.wants;
  const terms = termsOf(words);
  const parts = terms.filter(isUnspaced);
  const spaced = terms.filter((term) => !isUnspaced(term));
  const unwanted = termsOf(without);
  const expression = text === undefined ? undefined : expressionOf(text);
  return {
    rule,
    words: wordsOf(words).filter((word) => !isUnspaced(word)),
    needles: spaced.map(needleOf),
    phrases: spaced.filter((term) => term.includes(" ")).map(needleOf),
    without: unwanted.map(needleOf),
    withoutWords: unwanted.filter((term) => !term.includes(" ") && !isUnspaced(term)),
    expression: parts.length === 0 ? expression : withParts(parts, expression),
    genres: genres && new Set(genres.map(folded)),
    channelIds: channelIds && new Set(channelIds),
  };
}

const NOTHING: Expression = { size: 0, matches: () => false, mayMatch: () => false, linesOf: () => [] };

function expressionOf(text: string): Expression {
  const compiled = compileExpression(text);
  return "problem" in compiled ? NOTHING : compiled;
}

/** Series before keywords before rules, then the older one. An episode that two rules want belongs to the first. */
export function byRank(a: OrderingRule, b: OrderingRule): number {
  return a.kind === b.kind ? a.id - b.id : KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
}

const KINDS: readonly OrderingRule["kind"][] = ["series", "keyword", "rule"];

/** Whether all rules of one kind come before those of another. */
export function isKindBefore(a: OrderingRule["kind"], b: OrderingRule["kind"]): boolean {
  return KINDS.indexOf(a) < KINDS.indexOf(b);
}

export function byRankOfRule(a: CompiledRule, b: CompiledRule): number {
  return byRank(a.rule, b.rule);
}

/** The folded texts of a show, made when a rule needs them. */
export class ShowText {
  readonly #show: DescribedShow;
  #all: string | undefined;
  #allWords: string | undefined;
  #genres: readonly string[] | undefined;

  constructor(show: DescribedShow) {
    this.#show = show;
  }

  /** Title, subtitle and description. */
  get all(): string {
    const { title, subtitle, desc } = this.#show;
    this.#all ??= folded(`${title} ${subtitle} ${desc}`);
    return this.#all;
  }

  get allWords(): string {
    this.#allWords ??= wordsText(this.all);
    return this.#allWords;
  }

  get genres(): readonly string[] {
    this.#genres ??= genresOf(this.#show);
    return this.#genres;
  }
}

/** Whether a rule wants shows at the place of this one: its conditions on channel, length and time. */
export function fitsPlace(
  { rule: { wants, quality }, channelIds }: CompiledRule,
  { show, isHd, networkId }: Airing<PlacedShow>,
  localTimeOf: LocalTimeOf,
): boolean {
  if (channelIds?.has(show.channelId) === false) return false;
  if (wants.networkId !== undefined && wants.networkId !== networkId) return false;
  if (quality === "HD Only" && !isHd) return false;
  if (quality === "SD Only" && isHd) return false;
  return hasLength(wants, show.durationMinutes) && isInTime(wants, () => localTimeOf(show.start));
}

/** Whether a rule has conditions on the time at which a show begins. */
export function hasTimes({ rule: { wants } }: CompiledRule): boolean {
  return wants.weekdays !== undefined || wants.between !== undefined || wants.startMinutes !== undefined;
}

export function wantsTime({ rule: { wants } }: CompiledRule, time: LocalTime): boolean {
  return isInTime(wants, () => time);
}

/** Whether a rule has conditions on the place of a show, other than its channel. */
export function hasPlace({ rule: { wants, quality } }: CompiledRule): boolean {
  const { minMinutes, maxMinutes, weekdays, between, startMinutes, networkId } = wants;
  const given = [minMinutes, maxMinutes, weekdays, between, startMinutes, networkId];
  return given.some((each) => each !== undefined) || quality === "HD Only" || quality === "SD Only";
}

/** Whether a rule wants a show of which it wants the title and the place: every other condition. */
export function fits(
  { rule: { wants }, genres, without }: CompiledRule,
  show: DescribedShow,
  text: ShowText,
): boolean {
  if (wants.seriesId !== undefined && wants.seriesId !== show.seriesId) return false;
  if (!isWantedEpisode(wants, show)) return false;
  if (genres !== undefined && !text.genres.some((genre) => genres.has(genre))) return false;
  return !without.some((needle) => text.allWords.includes(needle));
}

function isWantedEpisode({ only }: Wanted, show: DescribedShow): boolean {
  return only === undefined || only.showId === show.id || only.episode === episodeOf(show);
}

function hasLength(
  { minMinutes = 0, maxMinutes = Number.POSITIVE_INFINITY }: Wanted,
  minutes: number,
): boolean {
  return minutes >= minMinutes && minutes <= maxMinutes;
}

const DAY_MINUTES = 24 * 60;

function isInTime({ weekdays, between, startMinutes }: Wanted, time: () => LocalTime): boolean {
  if (between !== undefined && !isWithin(between, time().minute)) return false;
  if (weekdays !== undefined && !weekdays.includes(dayOf(between, time()))) return false;
  if (startMinutes === undefined) return true;
  const apart = Math.abs(time().minute - startMinutes);
  return Math.min(apart, DAY_MINUTES - apart) <= RULE_LIMITS.startWithinMinutes;
}

function isWithin({ from, until }: PartOfDay, minute: number): boolean {
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/** A part of the day that includes midnight belongs to the day on which it begins: Friday night ends on Saturday. */
function dayOf(between: PartOfDay | undefined, { weekday, minute }: LocalTime): number {
  const isAfterMidnight = between !== undefined && between.until <= between.from && minute < between.until;
  if (!isAfterMidnight) return weekday;
  return weekday === 1 ? 7 : weekday - 1;
}
