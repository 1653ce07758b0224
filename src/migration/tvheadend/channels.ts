import type { Triplet } from "../../model/service.ts";
import type { Collector } from "../collector.ts";
import type { FoundChannel } from "../found.ts";
import type { OriginFolders } from "../origin-folders.ts";
import type { Values } from "./packed.ts";
import { flagOf, listOf, mapOf, numberOf, settingAt, settingsIn, textOf } from "./settings.ts";

/** The channels by their UUID, and those of each tag. */
export interface Channels {
  readonly byId: ReadonlyMap<string, FoundChannel>;
  readonly byTag: ReadonlyMap<string, readonly FoundChannel[]>;
}

interface Service {
  readonly name?: string;
  readonly triplet?: Triplet;
}

/** The kinds of networks that have a folder of their own. */
const INPUTS = ["input/dvb/networks", "input/iptv/networks"];

export async function readChannels(folders: OriginFolders, collector: Collector): Promise<Channels> {
  const services = await readServices(folders, collector);
  const byId = new Map<string, FoundChannel>();
  const byTag = new Map<string, FoundChannel[]>();
  for (const { id, values } of await settingsIn(folders, "channel/config", collector)) {
    const channel = channelOf(values, services);
    if (channel === undefined) {
      collector.leaveOut("channel", id, "It has no name.");
      continue;
    }
    byId.set(id, channel);
    for (const tag of listOf(values.tags).map(textOf)) {
      if (tag !== undefined) byTag.set(tag, [...(byTag.get(tag) ?? []), channel]);
    }
    if (flagOf(values.enabled) !== false) collector.channel(channel);
  }
  return { byId, byTag };
}

function channelOf(
  { name, number, services: ids }: Values,
  services: ReadonlyMap<string, Service>,
): FoundChannel | undefined {
  const own = listOf(ids).flatMap((id) => services.get(textOf(id) ?? "") ?? []);
  // A channel that follows the name of its service stores none.
  const shown = textOf(name) ?? own.find((service) => service.name !== undefined)?.name;
  if (shown === undefined) return undefined;
  const triplet = own.find((service) => service.triplet !== undefined)?.triplet;
  const onRemote = numberOf(number);
  return {
    name: shown,
    ...(onRemote === undefined || onRemote <= 0 ? {} : { number: onRemote }),
    ...(triplet === undefined ? {} : { triplet }),
  };
}

async function readServices(
  folders: OriginFolders,
  collector: Collector,
): Promise<ReadonlyMap<string, Service>> {
  const services = new Map<string, Service>();
  for (const networks of INPUTS) {
    for (const network of await folders.names(networks)) {
      const muxes = `${networks}/${network}/muxes`;
      for (const mux of await folders.names(muxes)) {
        for (const [id, service] of await servicesOf(`${muxes}/${mux}`)) services.set(id, service);
      }
    }
  }
  return services;

  /** One file has a multiplex and its services; earlier versions had a folder. */
  async function servicesOf(mux: string): Promise<readonly (readonly [string, Service])[]> {
    if ((await folders.folder(mux)) === undefined) {
      const values = (await settingAt(folders, mux, collector)) ?? {};
      const config = mapOf(values.config);
      const own = mapOf(values.services ?? config.services);
      return Object.entries(own).map(([id, service]) => [id, serviceOf(mapOf(service), config)]);
    }
    const values = (await settingAt(folders, `${mux}/config`, collector)) ?? {};
    const settings = await settingsIn(folders, `${mux}/services`, collector);
    return settings.map((setting) => [setting.id, serviceOf(setting.values, values)]);
  }
}

function serviceOf(values: Values, mux: Values): Service {
  const [onid = 0, tsid = 0, sid = 0] = [mux.onid, mux.tsid, values.sid].map(numberOf);
  const name = textOf(values.svcname);
  // Without a scan of the tables, the ids of the multiplex are 0.
  const isKnown = [onid, tsid, sid].every((id) => id >= 0 && id <= 0xffff) && sid > 0 && onid + tsid > 0;
  return { ...(name === undefined ? {} : { name }), ...(isKnown ? { triplet: { onid, tsid, sid } } : {}) };
}
