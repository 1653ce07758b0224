import type { Channel, DvbTriplet, ScannedService } from "../../guide/records.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Decision } from "../data/store.ts";
import { type Account, type Change, type GuideTables, put, type Received, remove } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { notAcceptable } from "../refusal.ts";

/**
 * Keeps what a box of the account receives, and teaches channels of its region that have no triplet the one that it was found
 * with: by triplets recorders find channels. A triplet of another channel of the region is not taken, nor is one of several that
 * fit, and none that a channel has is replaced: a box may stand anywhere.
 */
export function takeScan(
  tables: GuideTables,
  account: Account,
  { scans, now }: { readonly scans: readonly ScannedService[]; readonly now: EpochMs },
): Decision<undefined> {
  const channels = [...tables.channels.values()].filter(({ region_id }) => region_id === account.regionId);
  const told = new Map(
    scans.map((service) => {
      const received = receivedOf(service, { account, channels, now });
      return [received.id, received] as const;
    }),
  );
  const own = [...tables.received.values()].filter(({ accountId }) => accountId === account.id);
  const others = own.filter(({ id }) => !told.has(id));
  const isOld = ({ at }: Received) => told.size > 0 && now - at > SERVER_LIMITS.scanMs;
  const kept = others.filter((received) => !isOld(received));
  if (kept.length + told.size > SERVER_LIMITS.receivedPerAccount) {
    return notAcceptable("scans", `An account has at most ${SERVER_LIMITS.receivedPerAccount} services.`);
  }
  return {
    changes: [
      ...others.filter(isOld).map(({ id }) => remove("received", id)),
      ...[...told.values()].map((received) => put("received", received)),
      ...learnt(channels, [...kept, ...told.values()]),
    ],
    value: undefined,
  };
}

interface Place {
  readonly account: Account;
  /** Of the account's region. */
  readonly channels: readonly Channel[];
  readonly now: EpochMs;
}

function receivedOf(service: ScannedService, { account, channels, now }: Place): Received {
  const { channel_id, channel_name: name, onid, tsid, sid } = service;
  const triplet = { original_network_id: onid, transport_stream_id: tsid, service_id: sid };
  const channel =
    channels.find(({ dvb = [] }) => dvb.some((each) => sameTriplet(each, triplet))) ??
    channels.find(({ id }) => id === channel_id) ??
    onlyOne(channels.filter((each) => hasName(each, name)));
  return {
    id: `${account.id} ${onid}-${tsid}-${sid}`,
    accountId: account.id,
    ...(channel === undefined ? {} : { channelId: channel.id }),
    name: name.slice(0, SERVER_LIMITS.nameLength),
    triplet,
    at: now,
  };
}

/** As set-top clients compare names. */
function hasName({ name, name_short, known_names = [] }: Channel, wanted: string): boolean {
  const folded = wanted.trim().toUpperCase();
  return (
    folded !== "" &&
    [name, name_short ?? "", ...known_names].some((each) => each.trim().toUpperCase() === folded)
  );
}

function learnt(channels: readonly Channel[], received: readonly Received[]): readonly Change[] {
  return channels
    .filter(({ dvb = [] }) => dvb.length === 0)
    .flatMap((channel) => {
      const found = onlyOne(received.filter(({ channelId }) => channelId === channel.id));
      return found === undefined ? [] : [put("channels", { ...channel, dvb: [found.triplet] })];
    });
}

function onlyOne<T>(all: readonly T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined;
}

function sameTriplet(a: DvbTriplet, b: DvbTriplet): boolean {
  return (
    a.original_network_id === b.original_network_id &&
    a.transport_stream_id === b.transport_stream_id &&
    a.service_id === b.service_id
  );
}
