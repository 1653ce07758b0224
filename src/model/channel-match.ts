import { looseNameKey, nameKey } from "./channel-name.ts";
import { type Channel, sameTriplet, type Triplet, type TripletKey, tripletKey } from "./service.ts";

/** A service with its name, according to a tuner, its server or the broadcast. */
export interface KnownService {
  readonly triplet: Triplet;
  readonly name: string;
  /** Number on the remote control. */
  readonly lcn?: number;
  /** A sound service, by its type in the SDT. */
  readonly isRadio?: true;
}

/** How the service of a channel was found. `guide`: the guide names it. `assigned`: a person chose it. */
export type FoundBy = "assigned" | "guide" | "number" | "name";

/** A channel of the guide with the services that deliver it; `by` is absent if no tuner receives it. */
export interface MatchedChannel {
  /** Triplets that were found here come before those of the guide. */
  readonly channel: Channel;
  readonly by?: FoundBy;
}

export interface MatchWorld {
  /** Services that tuners offer and that the SDT named. */
  readonly services: readonly KnownService[];
  /** Assignments by people, by channel. */
  readonly assigned: ReadonlyMap<string, Triplet>;
  readonly isReceived: (service: TripletKey) => boolean;
}

/**
 * Finds the services of the guide's channels: by a person's choice, by triplet, by number, by name
 * (docs/dev/decisions/0040-ordinary-listings.md). A number or name counts only if it fits exactly one service: nobody would
 * notice that the wrong one is recorded.
 */
export function matchServices(channels: readonly Channel[], world: MatchWorld): readonly MatchedChannel[] {
  const received = world.services.filter(({ triplet }) => world.isReceived(tripletKey(triplet)));
  const index = indexOf(received, channels);
  return channels.map((channel) => {
    const said = world.assigned.get(channel.id);
    if (said !== undefined) return { channel: withService(channel, said), by: "assigned" };
    if (channel.triplets.some((triplet) => world.isReceived(tripletKey(triplet))))
      return { channel, by: "guide" };
    const found = serviceFor(channel, index);
    if (found === undefined) return { channel };
    return { channel: withService(channel, found.service.triplet), by: found.by };
  });
}

/**
 * Services that a channel may be, the likeliest first: those with its number or its name, then by how much of the name is the same.
 *
 * @param services that a tuner receives
 */
export function candidatesFor(
  channel: Channel,
  services: readonly KnownService[],
  most: number,
): readonly KnownService[] {
  const wanted = namesOf(channel).map(looseNameKey);
  const scored = services.map((service) => {
    const key = looseNameKey(service.name);
    const alike = Math.max(0, ...wanted.map((one) => alikeness(one, key)));
    const hasNumber = service.lcn !== undefined && channel.lcns.includes(service.lcn);
    return { service, score: (hasNumber ? 1 : 0) + alike };
  });
  return scored
    .toSorted((a, b) => b.score - a.score || a.service.name.localeCompare(b.service.name, "en"))
    .slice(0, most)
    .map(({ service }) => service);
}

interface Index {
  readonly byNumber: ReadonlyMap<number, readonly KnownService[]>;
  readonly byName: ReadonlyMap<string, readonly KnownService[]>;
  readonly byLooseName: ReadonlyMap<string, readonly KnownService[]>;
  /** Loose names of the guide's channels → their ids. */
  readonly channelsByName: ReadonlyMap<string, readonly string[]>;
}

function indexOf(services: readonly KnownService[], channels: readonly Channel[]): Index {
  const once = [...new Map(services.map((service) => [tripletKey(service.triplet), service])).values()];
  return {
    byNumber: grouped(once, ({ lcn }) => (lcn === undefined ? [] : [lcn])),
    byName: grouped(once, ({ name }) => [nameKey(name)]),
    byLooseName: grouped(once, ({ name }) => [looseNameKey(name)]),
    channelsByName: new Map(
      [...grouped(channels, (channel) => namesOf(channel).map(looseNameKey))].map(([name, all]) => [
        name,
        all.map(({ id }) => id),
      ]),
    ),
  };
}

function serviceFor(
  channel: Channel,
  index: Index,
): { readonly service: KnownService; readonly by: FoundBy } | undefined {
  const named = namedIn(channel, index);
  // The guide knows where it is broadcast, and not here: a number alone would be that of another one.
  const numbered =
    channel.triplets.length > 0 ? [] : channel.lcns.flatMap((lcn) => index.byNumber.get(lcn) ?? []);
  const both = numbered.filter((service) => named.includes(service));
  const [service] = both;
  if (both.length === 1 && service !== undefined) return { service, by: "number" };
  const [byName] = named;
  if (named.length === 1 && byName !== undefined) return { service: byName, by: "name" };
  const free = numbered.filter((each) => !isOfAnother(each, channel, index));
  const [byNumber] = free;
  if (named.length === 0 && free.length === 1 && byNumber !== undefined)
    return { service: byNumber, by: "number" };
  return undefined;
}

/** By the exact names; if none fits, without `HD` and the like. */
function namedIn(channel: Channel, { byName, byLooseName }: Index): readonly KnownService[] {
  const exact = namesOf(channel).flatMap((name) => byName.get(nameKey(name)) ?? []);
  const loose = namesOf(channel).flatMap((name) => byLooseName.get(looseNameKey(name)) ?? []);
  return [...new Set(exact.length > 0 ? exact : loose)];
}

function isOfAnother({ name }: KnownService, { id }: Channel, { channelsByName }: Index): boolean {
  return (channelsByName.get(looseNameKey(name)) ?? []).some((other) => other !== id);
}

function namesOf({ name, nameShort, knownNames }: Channel): readonly string[] {
  return [name, nameShort, ...knownNames].filter((each) => nameKey(each) !== "");
}

function withService(channel: Channel, service: Triplet): Channel {
  const others = channel.triplets.filter((triplet) => !sameTriplet(triplet, service));
  return { ...channel, triplets: [service, ...others] };
}

/** From 0 to 1: the share of letter pairs that both have. */
function alikeness(one: string, other: string): number {
  if (one === other) return one === "" ? 0 : 1;
  const left = pairsOf(one);
  const right = pairsOf(other);
  if (left.size === 0 || right.size === 0) return 0;
  const shared = [...left].filter((pair) => right.has(pair)).length;
  return (2 * shared) / (left.size + right.size);
}

function pairsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

function grouped<K, T>(all: readonly T[], keysOf: (one: T) => readonly K[]): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    for (const key of new Set(keysOf(one))) {
      if (key === "") continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [one]);
      else group.push(one);
    }
  }
  return groups;
}
