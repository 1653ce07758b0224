import { nameKey } from "../../model/channel-name.ts";
import { type Channel, type Triplet, tripletKey } from "../../model/service.ts";
import type { ListedService } from "./channel-lists/list.ts";

/** The property by which a channel was found in a list. */
export type MatchedBy = "triplet" | "name" | "short name" | "known name" | "LCN";

export interface Match {
  readonly channel: Channel;
  readonly service: ListedService;
  readonly by: MatchedBy;
}

export interface MatchResult {
  readonly matches: readonly Match[];
  /** Channels without a service, and the reason. */
  readonly unmatched: readonly { readonly channel: Channel; readonly why: string }[];
}

/**
 * Finds the guide's channels in a list: by triplet, then by name, short name, known names and LCN. A name counts only if exactly
 * one service has it: a wrong service would be recorded unnoticed.
 */
export function matchChannels(channels: readonly Channel[], services: readonly ListedService[]): MatchResult {
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

/** A list may contain a service several times. */
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
    const triplet = completeTriplet(service.ids);
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

export function completeTriplet({ onid, tsid, sid }: Partial<Triplet>): Triplet | undefined {
  return onid === undefined || tsid === undefined || sid === undefined ? undefined : { onid, tsid, sid };
}

/** The list for the drivers: a service found by name gets the channel's triplet from the guide, unless the list's own ids differ. */
export function withTriplets(
  services: readonly ListedService[],
  matches: readonly Match[],
): readonly ListedService[] {
  const tripletOf = new Map<ListedService, Triplet>();
  for (const { channel, service, by } of matches) {
    const fitting =
      by === "triplet" ? undefined : channel.triplets.find((triplet) => agrees(service.ids, triplet));
    if (fitting !== undefined) tripletOf.set(service, fitting);
  }
  return services.map((service) => {
    const ids = tripletOf.get(service);
    return ids === undefined ? service : { ...service, ids };
  });
}

function agrees(ids: Partial<Triplet>, { onid, tsid, sid }: Triplet): boolean {
  return (ids.onid ?? onid) === onid && (ids.tsid ?? tsid) === tsid && (ids.sid ?? sid) === sid;
}
