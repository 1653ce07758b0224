import { type EpochMs, MINUTE } from "../model/time.ts";
import { type CompiledRule, hasTimes, wantsTime } from "./compiled-rule.ts";
import type { LocalTimeOf } from "./local-time.ts";

const DAY_MINUTES = 24 * 60;

/** More rules are rarely all for few hours. */
const RULES_MAX = 20;

interface Span {
  readonly startFrom: EpochMs;
  readonly startBefore: EpochMs;
}

/** The minutes of the week at which shows begin that one of some rules wants: a search need not read the others. */
export class WantedTimes {
  readonly #rules: readonly CompiledRule[];
  readonly #localTimeOf: LocalTimeOf;
  readonly #isAny: boolean;
  /** By minute of the week, when first asked for. */
  readonly #known: (boolean | undefined)[] = [];

  constructor(rules: readonly CompiledRule[], localTimeOf: LocalTimeOf) {
    this.#rules = rules;
    this.#localTimeOf = localTimeOf;
    this.#isAny = rules.length > RULES_MAX || !rules.every(hasTimes);
  }

  /** The part of a span outside of which no wanted show begins; absent: none does. */
  partOf({ startFrom, startBefore }: Span): Span | undefined {
    if (this.#isAny) return { startFrom, startBefore };
    let from = Math.floor(startFrom / MINUTE) * MINUTE;
    while (from < startBefore && !this.#isWanted(from)) from += MINUTE;
    if (from >= startBefore) return undefined;
    let until = Math.ceil(startBefore / MINUTE) * MINUTE;
    while (!this.#isWanted(until - MINUTE)) until -= MINUTE;
    return { startFrom: Math.max(startFrom, from), startBefore: Math.min(startBefore, until) };
  }

  #isWanted(at: EpochMs): boolean {
    const time = this.#localTimeOf(at);
    const key = time.weekday * DAY_MINUTES + time.minute;
    const known = this.#known[key] ?? this.#rules.some((rule) => wantsTime(rule, time));
    this.#known[key] = known;
    return known;
  }
}
