import { BlockList, isIP } from "node:net";

/** From where an address can be reached: the further down, the fewer. */
export const SCOPES = ["everywhere", "provider", "house", "machine", "link"] as const;
export type Scope = (typeof SCOPES)[number];
type Family = "ipv4" | "ipv6";

/** RFC 6890. */
const NETWORKS: readonly (readonly [Scope, string, number, Family])[] = [
  ["house", "10.0.0.0", 8, "ipv4"],
  ["provider", "100.64.0.0", 10, "ipv4"],
  ["house", "172.16.0.0", 12, "ipv4"],
  ["house", "192.168.0.0", 16, "ipv4"],
  ["house", "fc00::", 7, "ipv6"],
  ["machine", "0.0.0.0", 8, "ipv4"],
  ["machine", "127.0.0.0", 8, "ipv4"],
  ["machine", "::", 127, "ipv6"],
  ["link", "169.254.0.0", 16, "ipv4"],
  ["link", "fe80::", 10, "ipv6"],
];

const LISTS = NETWORKS.map(([scope, network, bits, family]) => {
  const list = new BlockList();
  list.addSubnet(network, bits, family);
  return { scope, list };
});

/** @see RFC 5771 (IPv4), RFC 4291 §2.7 (IPv6) */
const MULTICAST = new BlockList();
MULTICAST.addSubnet("224.0.0.0", 4, "ipv4");
MULTICAST.addSubnet("ff00::", 8, "ipv6");

/** The scope of an address without brackets; `undefined` for a name. The lists find IPv4-mapped addresses, too. */
export function scopeOfAddress(address: string): Scope | undefined {
  const family = familyOf(address);
  if (family === undefined) return undefined;
  return LISTS.find(({ list }) => list.check(address, family))?.scope ?? "everywhere";
}

/** Whether it is the address of a group; a name is none. */
export function isMulticast(address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && MULTICAST.check(address, family);
}

function familyOf(address: string): Family | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 6 ? "ipv6" : "ipv4";
}
