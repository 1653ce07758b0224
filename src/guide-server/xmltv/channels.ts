import type { Channel, DvbTriplet } from "../../guide-wire/records.ts";
import { nameKey } from "../../model/channel-name.ts";
import type { ChannelTarget, ListingChannel } from "../data/listing-records.ts";
import type { ListedChannel } from "./reader.ts";

export type ChannelTable = ReadonlyMap<string, ChannelTarget>;

/**
 * The criterion that matched a listing's channel with the guide. `new`: none did, and it becomes a channel of the
 * guide.
 */
export type MatchedBy = ListingChannel["by"];

export interface ChannelMatch {
  readonly listed: ListedChannel;
  readonly by: MatchedBy;
  /** Id in the guide; absent if `by` is `new`, `ignored` or `taken`. */
  readonly channelId?: number;
  /** The triplet for a new channel, or for one without a triplet. */
  readonly triplet?: DvbTriplet;
  /** A note for people. */
  readonly note?: string;
}

interface MatchContext {
  readonly channels: readonly Channel[];
  /** Earlier matches: channel of the listing → channel of the guide. */
  readonly before: ReadonlyMap<string, number>;
  readonly table: ChannelTable;
}

/**
 * Matches the channels of a listing with the guide: by the table, else by triplet, name, short name, known names or
 * channel number, each only if it fits exactly one channel, else by the earlier match. Two channels of a listing
 * never share one of the guide: the first has it.
 */
export function matchChannels(
  listed: readonly ListedChannel[],
  known: MatchContext,
): readonly ChannelMatch[] {
  const taken = new Map<number, string>();
  const ways = waysInto(known.channels);
  const ids = new Set(known.channels.map(({ id }) => id));
  return listed.map((each) => {
    const match = matchOf(each, { ...known, ways, ids });
    if (match.channelId === undefined) return match;
    const holder = taken.get(match.channelId);
    if (holder !== undefined) {
      return { listed: each, by: "taken", note: `${holder} is already channel ${match.channelId}` };
    }
    taken.set(match.channelId, each.id);
    return match;
  });
}

interface Indexed extends MatchContext {
  readonly ways: Ways;
  readonly ids: ReadonlySet<number>;
}

function matchOf(listed: ListedChannel, known: Indexed): ChannelMatch {
  const target = known.table.get(listed.id);
  if (target !== undefined) return byTable(listed, { target, known });
  const triplet = tripletOf(listed.id);
  const notes: string[] = [];
  for (const [by, keys] of keysOf(listed, triplet)) {
    const found = [...new Set(keys.flatMap((key) => known.ways.get(by)?.get(key) ?? []))];
    const [first] = found;
    if (found.length === 1 && first !== undefined) return { listed, by, channelId: first.id };
    if (found.length > 1) notes.push(`its ${by} matches channels ${idsIn(found)}`);
  }
  const before = known.before.get(listed.id);
  const note = notes.length === 0 ? {} : { note: notes.join("; ") };
  if (before !== undefined && known.ids.has(before)) {
    return { listed, by: "before", channelId: before, ...note };
  }
  return { listed, by: "new", ...(triplet === undefined ? {} : { triplet }), ...note };
}

function idsIn(channels: readonly Channel[]): string {
  return channels
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join(", ");
}

/** Channels indexed by match criterion: a listing may name thousands, each searched among thousands. */
type Ways = ReadonlyMap<MatchedBy, ReadonlyMap<string, readonly Channel[]>>;

function waysInto(channels: readonly Channel[]): Ways {
  const by = (keysOf: (channel: Channel) => readonly string[]) => {
    const found = new Map<string, Channel[]>();
    for (const channel of channels) {
      for (const key of keysOf(channel)) {
        const same = found.get(key);
        if (same === undefined) found.set(key, [channel]);
        else same.push(channel);
      }
    }
    return found;
  };
  return new Map<MatchedBy, ReadonlyMap<string, readonly Channel[]>>([
    ["triplet", by(({ dvb = [] }) => dvb.map(tripletText))],
    ["name", by(({ name }) => [nameKey(name)])],
    ["short name", by(({ name_short }) => (name_short === undefined ? [] : [nameKey(name_short)]))],
    ["known name", by(({ known_names = [] }) => known_names.map(nameKey))],
    ["lcn", by(lcnsOf)],
  ]);
}

/** In order of trust. */
function keysOf(
  { names, lcns }: ListedChannel,
  triplet: DvbTriplet | undefined,
): readonly (readonly [MatchedBy, readonly string[]])[] {
  const wanted = names.map(nameKey);
  return [
    ["triplet", triplet === undefined ? [] : [tripletText(triplet)]],
    ["name", wanted],
    ["short name", wanted],
    ["known name", wanted],
    ["lcn", lcns],
  ];
}

function tripletText({ original_network_id, transport_stream_id, service_id }: DvbTriplet): string {
  return `${original_network_id} ${transport_stream_id} ${service_id}`;
}

function byTable(
  listed: ListedChannel,
  { target, known }: { readonly target: ChannelTarget; readonly known: MatchContext },
): ChannelMatch {
  if (target.kind === "ignore") return { listed, by: "ignored" };
  const found = known.channels.filter((channel) => isTarget(channel, target));
  const [first] = found;
  if (found.length === 1 && first !== undefined) return { listed, by: "table", channelId: first.id };
  const before = known.channels.find(({ id }) => id === known.before.get(listed.id));
  if (
    target.kind === "triplet" &&
    found.length === 0 &&
    before !== undefined &&
    (before.dvb ?? []).length === 0
  ) {
    return { listed, by: "table", channelId: before.id, triplet: target.triplet };
  }
  // A triplet is enough for a recorder: the channel can be created from it.
  if (target.kind === "triplet" && found.length === 0) return { listed, by: "new", triplet: target.triplet };
  const what = found.length === 0 ? "no channel" : `channels ${found.map(({ id }) => id).join(", ")}`;
  return { listed, by: "ignored", note: `the mapping table assigns it to ${what} of the guide` };
}

function isTarget(channel: Channel, target: Exclude<ChannelTarget, { readonly kind: "ignore" }>): boolean {
  switch (target.kind) {
    case "channel":
      return channel.id === target.id;
    case "triplet":
      return (channel.dvb ?? []).some((each) => sameTriplet(each, target.triplet));
    case "lcn":
      return lcnsOf(channel).includes(target.lcn);
    case "name":
      return [channel.name, channel.name_short ?? "", ...(channel.known_names ?? [])]
        .map(nameKey)
        .includes(nameKey(target.name));
  }
}

/** Australian listings have the triplet in the id: `tv.101002210220` is ONID 0x1010, TSID 0x0221, SID 0x0220. */
export function tripletOf(id: string): DvbTriplet | undefined {
  const [, onid, tsid, sid] =
    /^(?:[\w-]+\.)*([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})(?:\.[\w.-]+)?$/i.exec(id) ?? [];
  if (onid === undefined || tsid === undefined || sid === undefined) return undefined;
  return {
    original_network_id: Number.parseInt(onid, 16),
    transport_stream_id: Number.parseInt(tsid, 16),
    service_id: Number.parseInt(sid, 16),
  };
}

function sameTriplet(a: DvbTriplet, b: DvbTriplet): boolean {
  return (
    a.original_network_id === b.original_network_id &&
    a.transport_stream_id === b.transport_stream_id &&
    a.service_id === b.service_id
  );
}

function lcnsOf({ lcns = "" }: Channel): readonly string[] {
  return lcns.split(",").map((lcn) => lcn.trim());
}
