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
import { LazyRules, type WantingRules } from "./wanting-rules.ts";

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
  /** Rules that look for words in titles, by their longest word. */
  readonly #byWord = new Map<string, CompiledRule[]>();
  readonly #byTitleExpression: CompiledRule[] = [];
  /** Rules that look for words in all texts, by their longest word. */
  readonly #byTextWord = new Map<string, CompiledRule[]>();
  /** Rules without words, which may want any show. */
  #wordless: PlaceIndex;
  readonly #titles = new Map<string, readonly CompiledRule[]>();
  readonly #workLeft = new Map<CompiledRule, number>();
  #workLeftAll: number = RULE_LIMITS.expressionWorkAll;

  constructor(rules: readonly CompiledRule[], localTimeOf: LocalTimeOf) {
    this.rules = rules.filter(({ rule }) => rule.isPaused !== true).sort(byRankOfRule);
    this.#localTimeOf = localTimeOf;
    for (const rule of this.rules) this.#place(rule);
    this.#wordless = this.indexed(this.rules.filter(isWordless));
  }

  #place(rule: CompiledRule): void {
    const reach = reachOf(rule);
    const [longest] = rule.words.toSorted((a, b) => b.length - a.length);
    if (reach === "series") append(this.#bySeries, rule.rule.wants.seriesId ?? "", rule);
    else if (reach === "text") {
      if (longest !== undefined) append(this.#byTextWord, longest, rule);
    } else if (longest === undefined) this.#byTitleExpression.push(rule);
    else append(this.#byWord, longest, rule);
  }

  /** The rules with reach `title` whose conditions on the title hold. */
  titled(title: string): readonly CompiledRule[] {
    const text = folded(title);
    const known = this.#titles.get(text);
    if (known !== undefined) return known;
    const words = wordsText(text);
    const byWord = words.split(" ").flatMap((word) => this.#byWord.get(word) ?? []);
    const found = [...new Set([...byWord, ...this.#byTitleExpression])].filter(
      (rule) => hasTerms(words, rule.terms) && this.holds(rule, () => text),
    );
    if (this.#titles.size >= RULE_LIMITS.titlesKept) this.#titles.clear();
    this.#titles.set(text, found);
    return found;
  }

  #wantsPlace(rule: CompiledRule, airing: Airing<PlacedShow>): boolean {
    return fitsPlace(rule, airing, this.#localTimeOf);
  }

  /** Some rules for questions about many places. */
  indexed(rules: readonly CompiledRule[]): PlaceIndex {
    return new PlaceIndex(rules, this.#localTimeOf);
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

  /** The rules that want a show by their conditions, without covered ones, the first in rank first. */
  wanting(airing: Airing<DescribedShow>): readonly OrderingRule[] {
    return this.#wanting(airing, new ShowText(airing.show)).map(({ rule }) => rule);
  }

  /**
   * The same with covered ones.
   *
   * @param found covered rules that were found for the show, or for others with the same words
   */
  wantingWith(airing: Airing<DescribedShow>, found: readonly PlaceIndex[]): WantingRules {
    const text = new ShowText(airing.show);
    const sure = this.#wanting(airing, text);
    const lists = [...(sure.length === 0 ? [] : [sure]), ...found.flatMap((rules) => rules.at(airing))];
    const wants = (rule: CompiledRule) => fits(rule, airing.show, text) && this.#hasFound(rule, text);
    return new LazyRules(lists, (rule) => sure.includes(rule) || wants(rule));
  }

  #wanting(airing: Airing<DescribedShow>, text: ShowText): readonly CompiledRule[] {
    const { show } = airing;
    const byText = [
      ...(this.#bySeries.get(show.seriesId) ?? []),
      ...this.titled(show.title),
      ...this.#worded(text),
    ].filter((rule) => this.#wantsPlace(rule, airing));
    return [...byText, ...this.#wordless.at(airing).flat()]
      .filter((rule) => fits(rule, show, text) && this.#hasText(rule, show, text))
      .sort(byRankOfRule);
  }

  /** The index knows words, but not whether they follow each other. An expression was matched before. */
  #hasFound(rule: CompiledRule, text: ShowText): boolean {
    if (!isIndexed(rule)) return true;
    const phrases = rule.terms.filter((term) => term.includes(" "));
    if (phrases.length > 0 && !hasTerms(text.allWords, phrases)) return false;
    return this.holds(rule, () => text.all);
  }

  /** A show has few words, and many rules may look for some: the words find the rules. */
  #worded(text: ShowText): readonly CompiledRule[] {
    if (this.#byTextWord.size === 0) return [];
    return [...new Set(text.allWords.split(" "))].flatMap((word) => this.#byTextWord.get(word) ?? []);
  }

  /** Rules whose expression has used up its work, or the work of all: they do not see the rest of the guide. */
  get exhausted(): readonly OrderingRule[] {
    const isOver = this.#workLeftAll <= 0;
    return [...this.#workLeft].filter(([, left]) => isOver || left <= 0).map(([{ rule }]) => rule);
  }

  /** The conditions on the text of a rule whose reach is not the title: those rules are checked already. */
  #hasText(rule: CompiledRule, show: DescribedShow, text: ShowText): boolean {
    const reach = reachOf(rule);
    if (reach === "title") return true;
    const isAll = rule.rule.wants.within === "all";
    const words = () => (isAll ? text.allWords : wordsText(folded(show.title)));
    if (rule.terms.length > 0 && !hasTerms(words(), rule.terms)) return false;
    return this.holds(rule, () => (isAll ? text.all : folded(show.title)));
  }

  /** Whether the rule's expression matches a folded text; a rule without one holds. */
  holds(rule: CompiledRule, foldedText: () => string): boolean {
    const { expression } = rule;
    if (expression === undefined) return true;
    const left = this.#workLeft.get(rule) ?? RULE_LIMITS.expressionWork;
    if (left <= 0 || this.#workLeftAll <= 0) return false;
    const text = foldedText();
    if (!expression.mayMatch(text)) return false;
    const cost = expression.size * Math.min(text.length, RULE_LIMITS.expressionText);
    this.#workLeft.set(rule, left - cost);
    this.#workLeftAll -= cost;
    return expression.matches(text);
  }
}
