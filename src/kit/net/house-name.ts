import { isIPv6 } from "node:net";

/** Domains that are not in the public DNS: RFC 6762, RFC 8375, RFC 6761, and those that routers use. */
const OF_HOMES = /\.(?:local|localhost|home\.arpa|internal|lan|home|intranet)$/;

/**
 * Whether a Host header can name only a machine in the house: an address, a name without a dot, or one that nobody can register.
 * An attacker could point any other name at this machine, and the attacker's page could then read the answers (DNS rebinding).
 * Every browser sends the header.
 *
 * @param names further names of this machine
 */
export function isHouseName(host: string | undefined, names: readonly string[]): boolean {
  if (host === undefined || host === "") return true;
  const [, address] = /^\[([^\]]+)\](?::\d+)?$/.exec(host) ?? [];
  if (address !== undefined) return isIPv6(address);
  const name = host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
  if (/^[\d.]+$/.test(name) || names.some((each) => each.toLowerCase() === name)) return true;
  return isHomeName(name);
}

/** Whether a name, in small letters, has no dot or is in a domain that nobody can register. */
export function isHomeName(name: string): boolean {
  const plain = name.replace(/\.$/, "");
  return OF_HOMES.test(plain) || !plain.includes(".");
}
