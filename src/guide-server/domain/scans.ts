import type { ScannedService } from "../../guide-wire/broadcast-records.ts";
import type { Channel, DvbTriplet } from "../../guide-wire/records.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Decision } from "../data/decision.ts";
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
 * Stores the services that a box receives, and gives channels of the account's region without a triplet the triplet
 * of their service, since recorders find channels by triplet. A triplet of another channel of the region is not
 * used, nor one of several candidates, and an existing triplet is never replaced: a box may stand anywhere.
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
    return notAcceptable(
      "scans",
      `An account can have at most ${SERVER_LIMITS.receivedPerAccount} services.`,
    );
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
  /** The scanning device, if known. Services of an unknown device are replaced by the next scan of any device. */
  readonly device: OwnedDevice | undefined;
  readonly now: EpochMs;
}

export function receivedBy(tables: GuideTables, device: OwnedDevice): readonly ReceivedService[] {
  return [...tables.received.values()].filter(
    ({ accountId, deviceId }) => accountId === device.accountId && deviceId === device.id,
  );
}

/** The channels of the account's region that match none of these services, by triplet or name. */
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
  /** The channels of the account's region. */
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
      // Several boxes receive the same service.
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
