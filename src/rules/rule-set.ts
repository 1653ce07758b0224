import type { Airing, DescribedShow, PlacedShow } from "./airing.ts";
import {
  byRankOfRule,
  type CompiledRule,
  fits,
  fitsPlace,
  type OrderingRule,
  ShowText,
} from "./compiled-rule.ts";
import { folded, hasTerms, wordsText } from "./fold.ts";
import { append } from "./grouped.ts";
import { RULE_LIMITS } from "./limits.ts";
import type { LocalTimeOf } from "./local-time.ts";
import { PlaceIndex } from "./place-index.ts";
import { WantedTimes } from "./wanted-times.ts";
import { RuleLists } from "./wanting-rules.ts";

/** More rules for one show are checked when they matter: until then it is kept with its texts. */
const CHECKED_AT_ONCE = 8;

/** How the shows that a rule may want are found: by series, by title, or only by reading all texts. */
export type RuleReach = "series" | "title" | "text";

export function reachOf({ rule: { wants } }: CompiledRule): RuleReach {
  if (wants.seriesId !== undefined) return "series";
  const hasText = wants.words !== undefined || wants.expression !== undefined;
  return hasText && wants.within !== "all" ? "title" : "text";
}

/** Whether an index of words finds the shows that a rule with reach `text` may want. */
export function isIndexed({ words, genres }: CompiledRule): boolean {
  return words.length > 0 || (genres?.size ?? 0) > 0;
}

function isWordless(rule: CompiledRule): boolean {
  return reachOf(rule) === "text" && rule.words.length === 0;
}

/**
 * Several rules, matched at once: a show is folded once for all of them, and a title is searched once. One set serves
 * one search of the guide: each expression has its part of the work.
 */
export class RuleSet {
  readonly rules: readonly CompiledRule[];
  readonly #localTimeOf: LocalTimeOf;
  readonly #bySeries = new Map<string, CompiledRule[]>();
  /** Rules that look for words in titles, by the word that the fewest rules have. */
  readonly #byWord = new Map<string, CompiledRule[]>();
  readonly #byTitleExpression: CompiledRule[] = [];
  /** The same for words in all texts. */
  readonly #byTextWord = new Map<string, CompiledRule[]>();
  /** Rules without words, which may want any show. */
  #wordless: PlaceIndex;
  readonly #titles = new Map<string, readonly CompiledRule[]>();
  #work = { left: new Map<CompiledRule, number>(), ofAll: RULE_LIMITS.expressionWorkAll as number };

  constructor(rules: readonly CompiledRule[], localTimeOf: LocalTimeOf) {
    this.rules = rules.filter(({ rule }) => rule.isPaused !== true).sort(byRankOfRule);
    this.#localTimeOf = localTimeOf;
    const counts = countsOf(this.rules.flatMap(({ words }) => words));
    for (const rule of this.rules) this.#place(rule, counts);
    this.#wordless = this.indexed(this.rules.filter(isWordless));
  }

  #place(rule: CompiledRule, counts: ReadonlyMap<string, number>): void {
    const reach = reachOf(rule);
    const [rarest] = rule.words.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    if (reach === "series") append(this.#bySeries, rule.rule.wants.seriesId ?? "", rule);
    else if (reach === "text") {
      if (rarest !== undefined) append(this.#byTextWord, rarest, rule);
    } else if (rarest === undefined) this.#byTitleExpression.push(rule);
    else append(this.#byWord, rarest, rule);
  }

  /** The rules with reach `title` whose conditions on the title hold. */
  titled(title: string): readonly CompiledRule[] {
    if (this.#byWord.size === 0 && this.#byTitleExpression.length === 0) return NONE;
    const known = this.#titles.get(title);
    if (known !== undefined) return known;
    const text = folded(title);
    const found = this.#titles.get(text) ?? this.#titledFolded(text);
    if (this.#titles.size >= RULE_LIMITS.titlesKept) this.#titles.clear();
    this.#titles.set(title, found).set(text, found);
    return found;
  }

  #titledFolded(text: string): readonly CompiledRule[] {
    const words = this.#byWord.size === 0 ? "" : wordsText(text);
    const byWord = new Set(
      words === "" ? [] : words.split(" ").flatMap((word) => this.#byWord.get(word) ?? []),
    );
    const isTitled = (rule: CompiledRule) => hasTerms(words, rule.needles) && this.holds(rule, () => text);
    return [...byWord, ...this.#byTitleExpression].filter(isTitled);
  }

  #wantsPlace(rule: CompiledRule, airing: Airing<PlacedShow>): boolean {
    return fitsPlace(rule, airing, this.#localTimeOf);
  }

  /** Some rules for questions about many places. */
  indexed(rules: readonly CompiledRule[]): PlaceIndex {
    return new PlaceIndex(rules, this.#localTimeOf);
  }

  /** Some rules for questions about many times. */
  timesOf(rules: readonly CompiledRule[]): WantedTimes {
    return new WantedTimes(rules, this.#localTimeOf);
  }

  /**
   * From now on the caller finds the shows of these rules with reach `text`: by the index of words, or by `holds`. Their
   * texts are not folded for it.
   */
  cover(rules: readonly CompiledRule[]): void {
    const covered = new Set(rules);
    for (const [word, some] of this.#byTextWord) {
      const left = some.filter((rule) => !covered.has(rule));
      if (left.length === 0) this.#byTextWord.delete(word);
      else this.#byTextWord.set(word, left);
    }
    this.#wordless = this.indexed(this.rules.filter((rule) => isWordless(rule) && !covered.has(rule)));
  }

  /** The same rules, none of them covered; both sets share the work of expressions. */
  uncovered(): RuleSet {
    const whole = new RuleSet(this.rules, this.#localTimeOf);
    whole.#work = this.#work;
    return whole;
  }

  /** The rules that want a show by their conditions, without covered ones, the first in rank first. */
  wanting(airing: Airing<DescribedShow>): readonly OrderingRule[] {
    return this.#wanting(airing, new ShowText(airing.show)).map(({ rule }) => rule);
  }

  /**
   * The same with covered ones.
   *
   * @param found covered rules that were found for the show, or for others with the same words
   */
  wantingWith(airing: Airing<DescribedShow>, found: readonly PlaceIndex[]): RuleLists {
    const text = new ShowText(airing.show);
    const sure = this.#wanting(airing, text);
    const lists = found.flatMap((rules) => rules.at(airing));
    const wants = (rule: CompiledRule) => fits(rule, airing.show, text) && this.#hasFound(rule, text);
    const count = lists.reduce((sum, { length }) => sum + length, 0);
    const checked =
      count > CHECKED_AT_ONCE
        ? lists.map((rules) => ({ rules, wants }))
        : lists.map((some) => ({ rules: some.filter(wants) }));
    return new RuleLists([{ rules: sure }, ...checked]);
  }

  #wanting(airing: Airing<DescribedShow>, text: ShowText): readonly CompiledRule[] {
    const { show } = airing;
    const lists = [this.#bySeries.get(show.seriesId) ?? [], this.titled(show.title), this.#worded(text)];
    const found: CompiledRule[] = [];
    for (const rules of lists) for (const rule of rules) if (this.#wantsPlace(rule, airing)) found.push(rule);
    for (const rules of this.#wordless.at(airing)) found.push(...rules);
    return found
      .filter((rule) => fits(rule, show, text) && this.#hasText(rule, show, text))
      .sort(byRankOfRule);
  }

  /** The index knows words, but not whether they follow each other. An expression was matched before. */
  #hasFound(rule: CompiledRule, text: ShowText): boolean {
    if (!isIndexed(rule)) return true;
    if (rule.phrases.length > 0 && !hasTerms(text.allWords, rule.phrases)) return false;
    return this.holds(rule, () => text.all);
  }

  /** A show has few words, and many rules may look for some: the words find the rules. */
  #worded(text: ShowText): readonly CompiledRule[] {
    if (this.#byTextWord.size === 0) return [];
    return [...new Set(text.allWords.split(" "))].flatMap((word) => this.#byTextWord.get(word) ?? []);
  }

  /** Rules whose expression has used up its work, or the work of all: they do not see the rest of the guide. */
  get exhausted(): readonly OrderingRule[] {
    const isOver = this.#work.ofAll <= 0;
    return [...this.#work.left].filter(([, left]) => isOver || left <= 0).map(([{ rule }]) => rule);
  }

  /** The conditions on the text of a rule whose reach is not the title: those rules are checked already. */
  #hasText(rule: CompiledRule, show: DescribedShow, text: ShowText): boolean {
    const reach = reachOf(rule);
    if (reach === "title") return true;
    const isAll = rule.rule.wants.within === "all";
    const words = () => (isAll ? text.allWords : wordsText(folded(show.title)));
    if (rule.needles.length > 0 && !hasTerms(words(), rule.needles)) return false;
    return this.holds(rule, () => (isAll ? text.all : folded(show.title)));
  }

  /** Whether the rule's expression matches a folded text; a rule without one holds. */
  holds(rule: CompiledRule, foldedText: () => string): boolean {
    const { expression } = rule;
    if (expression === undefined) return true;
    const work = this.#work;
    const left = work.left.get(rule) ?? RULE_LIMITS.expressionWork;
    if (left <= 0 || work.ofAll <= 0) return false;
    const text = foldedText();
    if (!expression.mayMatch(text)) return false;
    const cost = expression.size * Math.min(text.length, RULE_LIMITS.expressionText);
    work.left.set(rule, left - cost);
    work.ofAll -= cost;
    return expression.matches(text);
  }
}

const NONE: readonly CompiledRule[] = [];

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
