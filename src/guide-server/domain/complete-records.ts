import type { Channel, DeviceType, Region } from "../../guide-wire/records.ts";
import { webAddress } from "../../guide-wire/web-address.ts";
import type { GuideTables } from "../data/tables.ts";
import { countryOfZone, UNKNOWN_COUNTRY } from "./countries.ts";

/*
 * Completes records before they are sent, with every field of the specification: set-top clients read fields without
 * checking that they exist. An unpublished field follows from other fields or is empty.
 */

/** Derives city and country from the time zone. */
export function completeRegion(region: Region): Region {
  const timezone = zoneOf(region);
  const country = countryOfZone(timezone) ?? UNKNOWN_COUNTRY;
  const city = region.city ?? cityOf(timezone) ?? region.name;
  return {
    ...region,
    city,
    state: region.state ?? city,
    country: region.country ?? country.name,
    country_code_3: region.country_code_3 ?? country.code3,
    timezone,
  };
}

export function zoneOf({ timezone = "UTC" }: Region): string {
  return timezone;
}

/** `America/Argentina/Buenos_Aires` gives Buenos Aires; `Etc/GMT+3` and `EST5EDT` give no city. */
function cityOf(zone: string): string | undefined {
  const [, city] = /^(?!Etc\/)[A-Za-z_]+\/(?:[A-Za-z_-]+\/)?([A-Za-z_-]+)$/.exec(zone) ?? [];
  return city?.replaceAll("_", " ");
}

export function completeChannel({ regions }: Pick<GuideTables, "regions">, channel: Channel): Channel {
  const [first] = regions.values();
  const region = regions.get(String(channel.region_id ?? first?.id));
  const { icon_src: listed, ...described } = channel;
  // An earlier version took any text of a listing.
  const icon = webAddress(listed ?? "");
  return {
    ...described,
    ...(icon === undefined ? {} : { icon_src: icon }),
    name_short: channel.name_short ?? channel.name,
    network_id: networkIdOf(channel),
    region_id: channel.region_id ?? region?.id ?? 0,
    is_hd: channel.is_hd ?? 0,
    lcns: channel.lcns ?? "",
    region_name: channel.region_name ?? region?.name ?? "",
    network_name: channel.network_name ?? "",
    is_hidden: channel.is_hidden ?? 0,
  };
}

/** Falls back to the original network id of the triplet; 0 without a triplet. */
export function networkIdOf({ network_id, dvb = [] }: Channel): number {
  return network_id ?? dvb[0]?.original_network_id ?? 0;
}

export function completeDeviceType(type: DeviceType): Required<DeviceType> {
  return {
    manufacturer_id: 0,
    manufacturer_name: "",
    manufacturer_url: "",
    model: "",
    notes: "",
    can_have_device_sub: 0,
    ...type,
  };
}
