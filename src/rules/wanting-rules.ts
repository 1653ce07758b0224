import { byRankOfRule, type CompiledRule, type OrderingRule } from "./compiled-rule.ts";

/** The rules that want a show, the first in rank first. */
export interface WantingRules {
  find(isMeant: (rule: OrderingRule) => boolean): OrderingRule | undefined;
  some(isMeant: (rule: OrderingRule) => boolean): boolean;
}

/** Rules in lists with the first in rank first. */
type Ranked = readonly (readonly CompiledRule[])[];

/** Rules that are known to want the show. */
export class KnownRules implements WantingRules {
  readonly #lists: Ranked;

  constructor(lists: Ranked) {
    this.#lists = lists;
  }

  find(isMeant: (rule: OrderingRule) => boolean): OrderingRule | undefined {
    return firstOf(this.#lists, ({ rule }) => isMeant(rule));
  }

  some(isMeant: (rule: OrderingRule) => boolean): boolean {
    return this.#lists.some((list) => list.some(({ rule }) => isMeant(rule)));
  }
}

/** Checks each rule when it matters: hundreds may want one show, and mostly the first decides. */
export class LazyRules implements WantingRules {
  readonly #candidates: Ranked;
  readonly #wants: (rule: CompiledRule) => boolean;

  constructor(candidates: Ranked, wants: (rule: CompiledRule) => boolean) {
    this.#candidates = candidates;
    this.#wants = wants;
  }

  find(isMeant: (rule: OrderingRule) => boolean): OrderingRule | undefined {
    return firstOf(this.#candidates, (candidate) => isMeant(candidate.rule) && this.#wants(candidate));
  }

  some(isMeant: (rule: OrderingRule) => boolean): boolean {
    return this.#candidates.some((list) =>
      list.some((candidate) => isMeant(candidate.rule) && this.#wants(candidate)),
    );
  }
}

function firstOf(lists: Ranked, isMeant: (rule: CompiledRule) => boolean): OrderingRule | undefined {
  let first: CompiledRule | undefined;
  for (const list of lists) {
    for (const candidate of list) {
      if (first !== undefined && byRankOfRule(first, candidate) <= 0) break;
      if (isMeant(candidate)) first = candidate;
    }
  }
  return first?.rule;
}
