import { looseNameKey, nameKey } from "../model/channel-name.ts";
import { type Channel, sameTriplet } from "../model/service.ts";
import type { FoundChannel } from "./found.ts";

/**
 * The channel of our guide that a channel of another recorder is: by triplet, by name, or by name without the quality of the
 * picture. A number alone says nothing: each recorder numbers as its owner likes.
 *
 * @returns `undefined` if there is none, or more than one with that name
 */
export function channelFor(found: FoundChannel, guide: readonly Channel[]): Channel | undefined {
  const { triplet, name } = found;
  const byTriplet = guide.filter(
    ({ triplets }) => triplet !== undefined && triplets.some((one) => sameTriplet(one, triplet)),
  );
  return only(byTriplet) ?? only(named(guide, name, nameKey)) ?? only(named(guide, name, looseNameKey));
}

function named(guide: readonly Channel[], name: string, keyOf: (name: string) => string): readonly Channel[] {
  const key = keyOf(name);
  if (key === "") return [];
  return guide.filter((channel) =>
    [channel.name, channel.nameShort, ...channel.knownNames].some((one) => keyOf(one) === key),
  );
}

function only<T>(all: readonly T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined;
}
