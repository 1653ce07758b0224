import { asOneLine } from "../../../../model/one-line.ts";
import type { Reach } from "../../../../model/reach.ts";
import type { Triplet } from "../../../../model/service.ts";

export interface LineupChannel {
  /** GuideNumber, unique: a decimal number. */
  readonly number: string;
  /** Its id in the guide. */
  readonly channelId: string;
  readonly name: string;
  readonly service: Triplet;
}

/** Above all logical channel numbers, which have 14 bits at most. */
const MADE_UP_FROM = 20_000;

/**
 * The channels that a tuner receives. A channel without a number, or with the number of an earlier one, gets one from its id,
 * which stays the same.
 */
export function lineupOf(reach: readonly Reach[]): readonly LineupChannel[] {
  const taken = new Set<string>();
  return reach.flatMap(({ channelId, name, number, service }) => {
    if (service === undefined) return [];
    const own = number === undefined ? undefined : String(number);
    const unique = own === undefined || taken.has(own) ? String(MADE_UP_FROM + Number(channelId)) : own;
    if (taken.has(unique)) return [];
    taken.add(unique);
    return [{ number: unique, channelId, name: asOneLine(name), service }];
  });
}
