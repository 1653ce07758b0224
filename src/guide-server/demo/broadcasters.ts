import type { Channel, DeviceType, Manufacturer, Region } from "../../guide-wire/records.ts";
import { NETWORKS } from "./words.ts";

/** The zone of the region with channels. */
export const DEMO_ZONE = "Australia/Sydney";

export const REGIONS: readonly Region[] = [
  {
    id: 1,
    name: "Sydney",
    city: "Sydney",
    state: "NSW",
    country: "Australia",
    country_code_3: "AUS",
    timezone: DEMO_ZONE,
  },
  {
    id: 2,
    name: "Melbourne",
    city: "Melbourne",
    state: "VIC",
    country: "Australia",
    country_code_3: "AUS",
    timezone: "Australia/Melbourne",
  },
  {
    id: 3,
    name: "Perth",
    city: "Perth",
    state: "WA",
    country: "Australia",
    country_code_3: "AUS",
    timezone: "Australia/Perth",
  },
];

export const MANUFACTURERS: readonly Manufacturer[] = [
  { id: "1", name: "recorderd", url: "" },
  { id: "2", name: "Billabong Electronics", url: "http://billabong.example/" },
];

export const TYPES: readonly DeviceType[] = [
  {
    id: 1,
    manufacturer_id: 1,
    manufacturer_name: "recorderd",
    manufacturer_url: "",
    model: "Daemon",
    notes: "Records what the account's timers order.",
    can_have_device_sub: 0,
  },
  {
    id: 2,
    manufacturer_id: 2,
    manufacturer_name: "Billabong Electronics",
    manufacturer_url: "http://billabong.example/",
    model: "Twin Tuner 500",
    notes: "",
    can_have_device_sub: 1,
  },
];

const STATIONS_PER_NETWORK = 4;
const FIRST_SID = 0x0220;

/**
 * Channels of the first region, four on each multiplex. After the named networks follow numbered ones.
 *
 * @see EN 300 468 §5.2.3 for the ids
 */
export function demoChannels(count: number): readonly Channel[] {
  return Array.from({ length: count }, (_, index) => {
    const networkIndex = Math.floor(index / STATIONS_PER_NETWORK);
    const station = index % STATIONS_PER_NETWORK;
    const network = NETWORKS[networkIndex] ?? furtherNetwork(networkIndex);
    const name = network.stations[station] ?? `${network.name} ${station + 1}`;
    return {
      id: 101 + index,
      name,
      name_short: name.slice(0, 10).trim(),
      network_id: networkIndex + 1,
      region_id: 1,
      is_hd: station === 0 ? 1 : 0,
      lcns: `${(networkIndex + 2) * 10 + station}`,
      region_name: "Sydney",
      network_name: network.name,
      is_hidden: 0,
      dvb: [
        {
          original_network_id: network.onid,
          transport_stream_id: network.tsid,
          service_id: FIRST_SID + station,
        },
      ],
    };
  });
}

function furtherNetwork(index: number): (typeof NETWORKS)[number] {
  return { name: `Network ${index + 1}`, onid: 0x1100 + index, tsid: 0x0600 + index, stations: [] };
}
