import { nameKey } from "../../model/channel-name.ts";
import { type Channel, type Triplet, tripletKey } from "../../model/service.ts";
import type { ListedService } from "./channel-lists/list.ts";

/** By which of its properties a channel was found in a list. */
export type MatchedBy = "triplet" | "name" | "short name" | "known name" | "LCN";

export interface Match {
  readonly channel: Channel;
  readonly service: ListedService;
  readonly by: MatchedBy;
}

export interface Matching {
  readonly matches: readonly Match[];
  /** Channels that no service was found for, and why. */
  readonly unmatched: readonly { readonly channel: Channel; readonly why: string }[];
}

/**
 * Finds the channels of the guide in a list: by triplet first, then by name, short name, known names and LCN. Names count only
 * where exactly one service bears them, for a wrong service would be recorded without anybody noticing.
 */
export function matchChannels(channels: readonly Channel[], services: readonly ListedService[]): Matching {
  const index = indexOf(services);
  const matches: Match[] = [];
  const unmatched: { channel: Channel; why: string }[] = [];
  for (const channel of channels) {
    const byTriplet = channel.triplets.flatMap((triplet) => index.byTriplet.get(tripletKey(triplet)) ?? []);
    if (byTriplet.length > 0) {
      matches.push(...byTriplet.map((service): Match => ({ channel, service, by: "triplet" })));
      continue;
    }
    const found = byNames(channel, index);
    if ("service" in found) matches.push({ channel, ...found });
    else unmatched.push({ channel, why: found.why });
  }
  return { matches, unmatched };
}

interface Index {
  readonly byTriplet: ReadonlyMap<string, readonly ListedService[]>;
  readonly byName: ReadonlyMap<string, readonly ListedService[]>;
  readonly byLcn: ReadonlyMap<number, readonly ListedService[]>;
}

function byNames(
  channel: Channel,
  { byName, byLcn }: Index,
): { readonly service: ListedService; readonly by: MatchedBy } | { readonly why: string } {
  const tries: readonly (readonly [MatchedBy, readonly ListedService[]])[] = [
    ["name", byName.get(nameKey(channel.name)) ?? []],
    ["short name", byName.get(nameKey(channel.nameShort)) ?? []],
    ...channel.knownNames.map((name) => ["known name", byName.get(nameKey(name)) ?? []] as const),
    ...channel.lcns.map((lcn) => ["LCN", byLcn.get(lcn) ?? []] as const),
  ];
  for (const [by, found] of tries) {
    const [service] = found;
    if (service !== undefined && distinct(found) === 1) return { service, by };
  }
  const ambiguous = tries.find(([, found]) => distinct(found) > 1);
  if (ambiguous === undefined) return { why: "neither triplet nor name nor LCN is in the list" };
  return { why: `${distinct(ambiguous[1])} services of the list have its ${ambiguous[0]}` };
}

/** One service may stand in a list several times. */
function distinct(services: readonly ListedService[]): number {
  return new Set(
    services.map(({ ids, url, line }) => `${JSON.stringify(ids)} ${url ?? (hasIds(ids) ? "" : line)}`),
  ).size;
}

function hasIds(ids: Partial<Triplet>): boolean {
  return ids.sid !== undefined;
}

function indexOf(services: readonly ListedService[]): Index {
  const byTriplet = new Map<string, ListedService[]>();
  const byName = new Map<string, ListedService[]>();
  const byLcn = new Map<number, ListedService[]>();
  for (const service of services) {
    const triplet = wholeTriplet(service.ids);
    if (triplet !== undefined) put(byTriplet, tripletKey(triplet), service);
    const names = new Set([nameKey(service.name), nameKey(service.shortName ?? "")]);
    for (const name of names) if (name !== "") put(byName, name, service);
    if (service.lcn !== undefined) put(byLcn, service.lcn, service);
  }
  return { byTriplet, byName, byLcn };
}

function put<K>(map: Map<K, ListedService[]>, key: K, service: ListedService): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [service]);
  else list.push(service);
}

export function wholeTriplet({ onid, tsid, sid }: Partial<Triplet>): Triplet | undefined {
  return onid === undefined || tsid === undefined || sid === undefined ? undefined : { onid, tsid, sid };
}

/**
 * The list as the drivers need it: a service that was found by its name gets the triplet that the guide knows the channel by,
 * as far as the list does not say otherwise itself.
 */
export function withTriplets(
  services: readonly ListedService[],
  matches: readonly Match[],
): readonly ListedService[] {
  const given = new Map<ListedService, Triplet>();
  for (const { channel, service, by } of matches) {
    const fitting =
      by === "triplet" ? undefined : channel.triplets.find((triplet) => agrees(service.ids, triplet));
    if (fitting !== undefined) given.set(service, fitting);
  }
  return services.map((service) => {
    const ids = given.get(service);
    return ids === undefined ? service : { ...service, ids };
  });
}

function agrees(ids: Partial<Triplet>, { onid, tsid, sid }: Triplet): boolean {
  return (ids.onid ?? onid) === onid && (ids.tsid ?? tsid) === tsid && (ids.sid ?? sid) === sid;
}
