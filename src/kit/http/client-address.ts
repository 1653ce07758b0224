import { BlockList, isIP, isIPv6 } from "node:net";
import { plainAddress } from "../net/loopback.ts";

/** Whether the peer at an address is a proxy whose `X-Forwarded-For` may be believed. */
export type TrustedProxy = (address: string) => boolean;

/** No address with its port is longer. */
const ITEM_LENGTH = 64;

/**
 * The client that a request comes from: the last address in `X-Forwarded-For` that no trusted proxy has. Each trusted proxy
 * vouches for the item before it, and for no other: a client may send such a header itself.
 *
 * @param peer address of the connection
 * @param forwarded all headers of this name, in their order, joined by commas
 */
export function clientAddress(peer: string, forwarded: string, isTrusted: TrustedProxy): string {
  const items = forwarded.split(",");
  let client = plainAddress(peer);
  while (isTrusted(client)) {
    const before = itemAddress(items.pop() ?? "");
    // A proxy that does not know its client has nobody to vouch for.
    if (before === undefined) break;
    client = before;
  }
  return client;
}

/** An item is an address; some proxies add the port. */
function itemAddress(item: string): string | undefined {
  const text = item.trim();
  if (text.length > ITEM_LENGTH) return undefined;
  const [, bracketed] = /^\[(.+)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, withPort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const address = plainAddress(bracketed ?? withPort ?? text);
  return isIP(address) === 0 ? undefined : address;
}

/** @param texts addresses such as `192.0.2.1`, and networks such as `2001:db8::/32`. @throws Error naming the text that is neither */
export function trustedProxies(texts: readonly string[]): TrustedProxy {
  const list = new BlockList();
  for (const text of texts) addNetwork(list, text);
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** Whether `trustedProxies` takes the text. */
export function isProxyAddress(text: string): boolean {
  try {
    trustedProxies([text]);
    return true;
  } catch {
    return false;
  }
}

function addNetwork(list: BlockList, text: string): void {
  const [, written = "", prefix] = /^([^/]{1,64})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = plainAddress(written);
  const family = familyOf(address);
  const bits = family === "ipv6" ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  // A network of length 0 is everybody.
  if (isIP(address) === 0 || address.includes("%") || length < 1 || length > bits)
    throw new Error(`${text} is not an address such as 192.0.2.1, and not a network such as 192.0.2.0/24`);
  list.addSubnet(address, length, family);
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

/** The key by which limits count a requester: IPv6 addresses of one /64 network count as one, as a household has at least that many. */
export function householdOf(address: string): string {
  const plain = plainAddress(address).replace(/%.*$/, "");
  return isIPv6(plain) ? network(plain) : plain;
}

/** The first four groups (RFC 4291 §2.2). */
function network(address: string): string {
  const [before = "", after] = address.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [head, tail] = [groups(before), groups(after ?? "")];
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array<string>(Math.max(0, zeros)).fill("0"), ...tail];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
