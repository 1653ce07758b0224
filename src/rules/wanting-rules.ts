import { byRankOfRule, type CompiledRule, type OrderingRule } from "./compiled-rule.ts";

/** The rules that want a show, the first in rank first. */
export interface WantingRules {
  find(isMeant: (rule: OrderingRule) => boolean): OrderingRule | undefined;
  some(isMeant: (rule: OrderingRule) => boolean): boolean;
}

/** Checks each rule when it matters: hundreds may want one show, and mostly the first decides. */
export class LazyRules implements WantingRules {
  readonly #candidates: readonly (readonly CompiledRule[])[];
  readonly #wants: (rule: CompiledRule) => boolean;

  /** @param candidates in lists with the first in rank first */
  constructor(candidates: readonly (readonly CompiledRule[])[], wants: (rule: CompiledRule) => boolean) {
    this.#candidates = candidates;
    this.#wants = wants;
  }

  find(isMeant: (rule: OrderingRule) => boolean): OrderingRule | undefined {
    let first: CompiledRule | undefined;
    for (const list of this.#candidates) {
      for (const candidate of list) {
        if (first !== undefined && byRankOfRule(first, candidate) <= 0) break;
        if (isMeant(candidate.rule) && this.#wants(candidate)) first = candidate;
      }
    }
    return first?.rule;
  }

  some(isMeant: (rule: OrderingRule) => boolean): boolean {
    return this.#candidates.some((list) =>
      list.some((candidate) => isMeant(candidate.rule) && this.#wants(candidate)),
    );
  }
}
