import { BlockList, isIP } from "node:net";

/** From where an address can be reached, as far as its host tells: the further down, the fewer. */
const SCOPES = ["everywhere", "house", "machine", "link"] as const;
type Scope = (typeof SCOPES)[number];

/** RFC 6890. */
const NETWORKS: readonly (readonly [Scope, string, number, "ipv4" | "ipv6"])[] = [
  ["house", "10.0.0.0", 8, "ipv4"],
  ["house", "100.64.0.0", 10, "ipv4"],
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

/**
 * Whether a server may send a client from one address to another. A server elsewhere must not make this machine ask a router, a
 * service of its own or the metadata of a cloud. A name that resolves to such an address is not noticed.
 */
export function mayRedirect(from: URL, to: URL): boolean {
  const [before, after] = [scopeOf(from), scopeOf(to)];
  if (after === "link") return before === "link";
  return SCOPES.indexOf(after) <= SCOPES.indexOf(before);
}

function scopeOf({ hostname }: URL): Scope {
  // The lists find IPv4-mapped addresses too, which a URL writes in hexadecimal.
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const version = isIP(address);
  if (version === 0) return scopeOfName(hostname);
  const family = version === 6 ? "ipv6" : "ipv4";
  return LISTS.find(({ list }) => list.check(address, family))?.scope ?? "everywhere";
}

function scopeOfName(name: string): Scope {
  if (/(?:^|\.)localhost\.?$/.test(name)) return "machine";
  return /\.(?:local|home\.arpa|internal|lan|home)\.?$|^[^.]+\.?$/.test(name) ? "house" : "everywhere";
}
