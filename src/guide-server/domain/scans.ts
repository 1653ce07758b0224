import type { Channel, DvbTriplet, ScannedService } from "../../guide-wire/records.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Decision } from "../data/store.ts";
import {
  type Account,
  type Change,
  type GuideTables,
  type OwnedDevice,
  put,
  type ReceivedService,
  remove,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { notAcceptable } from "../refusal.ts";
import { hasName } from "./channel-names.ts";

/**
 * Keeps what a box of the account receives, and teaches channels of its region that have no triplet the one that it was found
 * with: by triplets recorders find channels. A triplet of another channel of the region is not taken, nor is one of several that
 * fit, and none that a channel has is replaced: a box may stand anywhere.
 */
export function recordScan(
  tables: GuideTables,
  account: Account,
  { scans, device, now }: ScanReport,
): Decision<undefined> {
  const channels = channelsOf(tables, account);
  const services = new Map(
    scans.map((service) => {
      const received = receivedOf(service, { account, device, channels, now });
      return [received.id, received] as const;
    }),
  );
  const others = [...tables.received.values()].filter(
    ({ id, accountId }) => accountId === account.id && !services.has(id),
  );
  const isOver = ({ at, deviceId }: ReceivedService) =>
    services.size > 0 && now - at > SERVER_LIMITS.scanMs && (deviceId ?? device?.id) === device?.id;
  const kept = others.filter((received) => !isOver(received));
  if (kept.length + services.size > SERVER_LIMITS.receivedPerAccount) {
    return notAcceptable("scans", `An account has at most ${SERVER_LIMITS.receivedPerAccount} services.`);
  }
  return {
    changes: [
      ...others.filter(isOver).map(({ id }) => remove("received", id)),
      ...[...services.values()].map((received) => put("received", received)),
      ...learnedTriplets(channels, [...kept, ...services.values()]),
    ],
    value: undefined,
  };
}

interface ScanReport {
  readonly scans: readonly ScannedService[];
  /** Which one tells, where that is known. What nobody knows of goes with the next scan of whichever. */
  readonly device: OwnedDevice | undefined;
  readonly now: EpochMs;
}

/** What a device has found on the air. */
export function receivedBy(tables: GuideTables, device: OwnedDevice): readonly ReceivedService[] {
  return [...tables.received.values()].filter(
    ({ accountId, deviceId }) => accountId === device.accountId && deviceId === device.id,
  );
}

/** Channels of the account's region that are none of these, as far as triplets and names say. */
export function notReceived(
  tables: GuideTables,
  account: Account,
  received: readonly ReceivedService[],
): readonly Channel[] {
  const ids = new Set(received.map(({ channelId }) => channelId));
  const triplets = new Set(received.map(({ triplet }) => keyOf(triplet)));
  return channelsOf(tables, account).filter(
    ({ id, dvb = [] }) => !ids.has(id) && !dvb.some((triplet) => triplets.has(keyOf(triplet))),
  );
}

function channelsOf(tables: GuideTables, { regionId }: Account): readonly Channel[] {
  return [...tables.channels.values()].filter(({ region_id }) => region_id === regionId);
}

interface ScanContext {
  readonly account: Account;
  readonly device: OwnedDevice | undefined;
  /** Of the account's region. */
  readonly channels: readonly Channel[];
  readonly now: EpochMs;
}

function receivedOf(
  service: ScannedService,
  { account, device, channels, now }: ScanContext,
): ReceivedService {
  const { channel_id, channel_name: name, onid, tsid, sid } = service;
  const triplet = { original_network_id: onid, transport_stream_id: tsid, service_id: sid };
  const channel =
    channels.find(({ dvb = [] }) => dvb.some((each) => keyOf(each) === keyOf(triplet))) ??
    channels.find(({ id }) => id === channel_id) ??
    onlyOne(channels.filter((each) => hasName(each, name)));
  return {
    id: [account.id, ...(device === undefined ? [] : [device.id]), keyOf(triplet)].join(" "),
    accountId: account.id,
    ...(device === undefined ? {} : { deviceId: device.id }),
    ...(channel === undefined ? {} : { channelId: channel.id }),
    name: name.slice(0, SERVER_LIMITS.nameLength),
    triplet,
    at: now,
  };
}

function learnedTriplets(
  channels: readonly Channel[],
  received: readonly ReceivedService[],
): readonly Change[] {
  return channels
    .filter(({ dvb = [] }) => dvb.length === 0)
    .flatMap((channel) => {
      const own = received.filter(({ channelId }) => channelId === channel.id);
      // Several boxes receive the same.
      const found = onlyOne([...new Map(own.map(({ triplet }) => [keyOf(triplet), triplet])).values()]);
      return found === undefined ? [] : [put("channels", { ...channel, dvb: [found] })];
    });
}

function onlyOne<T>(all: readonly T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined;
}

function keyOf({ original_network_id, transport_stream_id, service_id }: DvbTriplet): string {
  return `${original_network_id}-${transport_stream_id}-${service_id}`;
}
