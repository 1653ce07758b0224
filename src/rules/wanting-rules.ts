import { byRankOfRule, type CompiledRule, type OrderingRule } from "./compiled-rule.ts";

/** The rules that want a show, the first in rank first. */
export interface WantingRules {
  find(isMeant: (rule: OrderingRule) => boolean): OrderingRule | undefined;
  some(isMeant: (rule: OrderingRule) => boolean): boolean;
}

export interface RuleList {
  /** The first in rank first. */
  readonly rules: readonly CompiledRule[];
  /** Absent: all of them want the show. */
  readonly wants?: (rule: CompiledRule) => boolean;
}

/** Checks each rule when it matters: hundreds may want one show, and mostly the first decides. */
export class RuleLists implements WantingRules {
  readonly #lists: readonly RuleList[];

  constructor(lists: readonly RuleList[]) {
    this.#lists = lists.filter(({ rules }) => rules.length > 0);
  }

  find(isMeant: (rule: OrderingRule) => boolean): OrderingRule | undefined {
    let first: CompiledRule | undefined;
    for (const { rules, wants } of this.#lists) {
      for (const candidate of rules) {
        if (first !== undefined && byRankOfRule(first, candidate) <= 0) break;
        if (isMeant(candidate.rule) && wants?.(candidate) !== false) first = candidate;
      }
    }
    return first?.rule;
  }

  some(isMeant: (rule: OrderingRule) => boolean): boolean {
    return this.#lists.some(({ rules, wants }) =>
      rules.some((candidate) => isMeant(candidate.rule) && wants?.(candidate) !== false),
    );
  }

  /** Those for the same show after a change of rules. */
  changed(removed: ReadonlySet<CompiledRule>, added: RuleLists | undefined): RuleLists {
    const isRemoved = (rule: CompiledRule) => removed.has(rule);
    if (added === undefined && !this.#lists.some(({ rules }) => rules.some(isRemoved))) return this;
    const kept = this.#lists.map((list) =>
      list.rules.some(isRemoved) ? { ...list, rules: list.rules.filter((rule) => !isRemoved(rule)) } : list,
    );
    return new RuleLists([...kept, ...(added === undefined ? [] : added.#lists)]);
  }
}
