import type { Channel, DvbTriplet } from "../../guide/records.ts";
import type { ChannelTarget, Listed } from "../data/tables.ts";
import type { ListedChannel } from "./reader.ts";

export type ChannelTable = ReadonlyMap<string, ChannelTarget>;

/** How a channel of a listing was found in the guide. `new`: it was not, and becomes a channel of the guide. */
export type MatchedBy = Listed["by"];

export interface ChannelMatch {
  readonly listed: ListedChannel;
  readonly by: MatchedBy;
  /** Of the guide; absent where `by` is `new`, `ignored` or `taken`. */
  readonly channelId?: number;
  /** Of a channel that is to be made, or that has none yet. */
  readonly triplet?: DvbTriplet;
  /** What a person should know. */
  readonly note?: string;
}

interface Known {
  readonly channels: readonly Channel[];
  /** Channels of the listing that were matched before → channel of the guide. */
  readonly before: ReadonlyMap<string, number>;
  readonly table: ChannelTable;
}

/**
 * Finds the channels of a listing in the guide: as the table says, else by triplet, name, short name, known names, number of the
 * remote control, each only where it fits one channel alone, else as it was matched before. No two of a listing are one of the
 * guide: the first has it.
 */
export function matchChannels(listed: readonly ListedChannel[], known: Known): readonly ChannelMatch[] {
  const taken = new Map<number, string>();
  return listed.map((each) => {
    const match = matchOf(each, known);
    if (match.channelId === undefined) return match;
    const holder = taken.get(match.channelId);
    if (holder !== undefined) {
      return { listed: each, by: "taken", note: `${holder} is channel ${match.channelId} already` };
    }
    taken.set(match.channelId, each.id);
    return match;
  });
}

function matchOf(listed: ListedChannel, known: Known): ChannelMatch {
  const target = known.table.get(listed.id);
  if (target !== undefined) return byTable(listed, { target, known });
  const triplet = tripletOf(listed.id);
  const notes: string[] = [];
  for (const [by, fits] of waysFor(listed, triplet)) {
    const found = known.channels.filter(fits);
    const [first] = found;
    if (found.length === 1 && first !== undefined) return { listed, by, channelId: first.id };
    if (found.length > 1) notes.push(`its ${by} fits channels ${found.map(({ id }) => id).join(", ")}`);
  }
  const before = known.before.get(listed.id);
  const note = notes.length === 0 ? {} : { note: notes.join("; ") };
  if (before !== undefined && known.channels.some(({ id }) => id === before)) {
    return { listed, by: "before", channelId: before, ...note };
  }
  return { listed, by: "new", ...(triplet === undefined ? {} : { triplet }), ...note };
}

type Fits = (channel: Channel) => boolean;

function waysFor(
  { names, lcns }: ListedChannel,
  triplet: DvbTriplet | undefined,
): readonly (readonly [MatchedBy, Fits])[] {
  const wanted = new Set(names.map(folded));
  const named = (name: string | undefined) => name !== undefined && wanted.has(folded(name));
  return [
    ["triplet", ({ dvb = [] }) => triplet !== undefined && dvb.some((each) => sameTriplet(each, triplet))],
    ["name", ({ name }) => named(name)],
    ["short name", ({ name_short }) => named(name_short)],
    ["known name", ({ known_names = [] }) => known_names.some(named)],
    ["lcn", (channel) => lcnsOf(channel).some((lcn) => lcns.includes(lcn))],
  ];
}

function byTable(
  listed: ListedChannel,
  { target, known }: { readonly target: ChannelTarget; readonly known: Known },
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
  // A triplet says all that a recorder needs: the channel can be made of it.
  if (target.kind === "triplet" && found.length === 0) return { listed, by: "new", triplet: target.triplet };
  const what = found.length === 0 ? "no channel" : `channels ${found.map(({ id }) => id).join(", ")}`;
  return { listed, by: "ignored", note: `what the table says of it is ${what} of the guide` };
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
        .map(folded)
        .includes(folded(target.name));
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

function folded(name: string): string {
  return name.trim().toUpperCase();
}
