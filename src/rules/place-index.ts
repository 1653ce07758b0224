import type { Airing, PlacedShow } from "./airing.ts";
import { type CompiledRule, fitsPlace, hasPlace } from "./compiled-rule.ts";
import { append } from "./grouped.ts";
import type { LocalTimeOf } from "./local-time.ts";

/** Kinds of places of which the rules are kept; shows of all channels begin at the same times. */
const KEPT = 1000;

/** Rules by the channels and times that they want: of hundreds of rules, few want a show at one place. */
export class PlaceIndex {
  readonly #localTimeOf: LocalTimeOf;
  readonly #everywhere: CompiledRule[] = [];
  readonly #byChannel = new Map<number, CompiledRule[]>();
  /** Those for any channel, but not for any place. */
  readonly #onAnyChannel: CompiledRule[] = [];
  /** The same by all that they want of a place. */
  readonly #anywhere = new Map<string, readonly CompiledRule[]>();

  /** @param rules the first in rank first */
  constructor(rules: readonly CompiledRule[], localTimeOf: LocalTimeOf) {
    this.#localTimeOf = localTimeOf;
    for (const rule of rules) {
      if (rule.channelIds === undefined) (hasPlace(rule) ? this.#onAnyChannel : this.#everywhere).push(rule);
      for (const id of rule.channelIds ?? []) append(this.#byChannel, id, rule);
    }
  }

  /** The rules that want shows at the place of this one, in lists with the first in rank first. Many places share a list. */
  at(airing: Airing<PlacedShow>): readonly (readonly CompiledRule[])[] {
    return [this.#everywhere, this.#anywhereAt(airing), this.#there(airing)].filter(
      ({ length }) => length > 0,
    );
  }

  /** Whether there are any. */
  hasAt(airing: Airing<PlacedShow>): boolean {
    return (
      this.#everywhere.length > 0 || this.#anywhereAt(airing).length > 0 || this.#there(airing).length > 0
    );
  }

  #there(airing: Airing<PlacedShow>): readonly CompiledRule[] {
    const rules = this.#byChannel.get(airing.show.channelId);
    return rules === undefined ? NONE : this.#fitting(rules, airing);
  }

  #anywhereAt(airing: Airing<PlacedShow>): readonly CompiledRule[] {
    if (this.#onAnyChannel.length === 0) return NONE;
    const { show, isHd, networkId } = airing;
    const key = `${show.start} ${show.durationMinutes} ${isHd} ${networkId}`;
    const known = this.#anywhere.get(key);
    if (known !== undefined) return known;
    const rules = this.#fitting(this.#onAnyChannel, airing);
    if (this.#anywhere.size >= KEPT) this.#anywhere.clear();
    this.#anywhere.set(key, rules);
    return rules;
  }

  #fitting(rules: readonly CompiledRule[], airing: Airing<PlacedShow>): readonly CompiledRule[] {
    return rules.filter((rule) => fitsPlace(rule, airing, this.#localTimeOf));
  }
}

const NONE: readonly CompiledRule[] = [];
