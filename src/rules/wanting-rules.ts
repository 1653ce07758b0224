import type { CompiledRule, OrderingRule } from "./compiled-rule.ts";

/** The rules that want a show, the first in rank first. */
export interface WantingRules {
  find(isMeant: (rule: OrderingRule) => boolean): OrderingRule | undefined;
  some(isMeant: (rule: OrderingRule) => boolean): boolean;
}

/** Checks each rule when it matters: hundreds may want one show, and mostly the first decides. */
export class LazyRules implements WantingRules {
  readonly #candidates: readonly CompiledRule[];
  readonly #wants: (rule: CompiledRule) => boolean;

  /** @param candidates the first in rank first */
  constructor(candidates: readonly CompiledRule[], wants: (rule: CompiledRule) => boolean) {
    this.#candidates = candidates;
    this.#wants = wants;
  }

  find(isMeant: (rule: OrderingRule) => boolean): OrderingRule | undefined {
    return this.#candidates.find((candidate) => isMeant(candidate.rule) && this.#wants(candidate))?.rule;
  }

  some(isMeant: (rule: OrderingRule) => boolean): boolean {
    return this.find(isMeant) !== undefined;
  }
}
