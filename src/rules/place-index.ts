import type { Airing, PlacedShow } from "./airing.ts";
import { byRank, type CompiledRule, fitsPlace, fitsTime } from "./compiled-rule.ts";
import type { LocalTimeOf } from "./local-time.ts";

/** Kinds of places of which the rules are kept; shows of all channels begin at the same times. */
const KEPT = 1000;

/** Rules by the channels and times that they want: of hundreds of rules, few want a show at one place. */
export class PlaceIndex {
  readonly #localTimeOf: LocalTimeOf;
  readonly #byChannel = new Map<number, CompiledRule[]>();
  readonly #onAnyChannel: CompiledRule[] = [];
  /** Those for any channel, by all that they want of a place. */
  readonly #anywhere = new Map<string, readonly CompiledRule[]>();

  /** @param rules the first in rank first */
  constructor(rules: readonly CompiledRule[], localTimeOf: LocalTimeOf) {
    this.#localTimeOf = localTimeOf;
    for (const rule of rules) {
      if (rule.channelIds === undefined) this.#onAnyChannel.push(rule);
      for (const id of rule.channelIds ?? []) this.#addTo(id, rule);
    }
  }

  #addTo(channelId: number, rule: CompiledRule): void {
    const known = this.#byChannel.get(channelId);
    if (known === undefined) this.#byChannel.set(channelId, [rule]);
    else known.push(rule);
  }

  /** The rules that want shows at the place of this one, the first in rank first. Many places share a list. */
  at(airing: Airing<PlacedShow>): readonly CompiledRule[] {
    const anywhere = this.#anywhereAt(airing);
    const there = this.#there(airing);
    if (there.length === 0) return anywhere;
    return [...anywhere, ...there].sort((a, b) => byRank(a.rule, b.rule));
  }

  /** Whether there are any. */
  hasAt(airing: Airing<PlacedShow>): boolean {
    return this.#anywhereAt(airing).length > 0 || this.#there(airing).length > 0;
  }

  #there(airing: Airing<PlacedShow>): readonly CompiledRule[] {
    const rules = this.#byChannel.get(airing.show.channelId);
    return rules === undefined ? NONE : rules.filter((rule) => this.#fits(rule, airing));
  }

  #anywhereAt(airing: Airing<PlacedShow>): readonly CompiledRule[] {
    if (this.#onAnyChannel.length === 0) return NONE;
    const { show, isHd, networkId } = airing;
    const key = `${show.start} ${show.durationMinutes} ${isHd} ${networkId}`;
    const known = this.#anywhere.get(key);
    if (known !== undefined) return known;
    const rules = this.#onAnyChannel.filter((rule) => this.#fits(rule, airing));
    if (this.#anywhere.size >= KEPT) this.#anywhere.clear();
    this.#anywhere.set(key, rules);
    return rules;
  }

  #fits(rule: CompiledRule, airing: Airing<PlacedShow>): boolean {
    return fitsPlace(rule, airing) && fitsTime(rule, () => this.#localTimeOf(airing.show.start));
  }
}

const NONE: readonly CompiledRule[] = [];
