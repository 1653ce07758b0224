import { createSocket } from "node:dgram";
import { once } from "node:events";
import { BlockList, isIPv4 } from "node:net";

/** Loopback, RFC 1918 and link-local addresses. */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  PRIVATE.addSubnet(network, bits);
}

/** Whether an address belongs to this machine or a private network. */
export function isPrivate(address: string): boolean {
  return isIPv4(address) && PRIVATE.check(address);
}

/** The address from which this machine reaches a peer, by its routes; `undefined` without a route. Sends nothing. */
export async function ownAddressTo(peer: string): Promise<string | undefined> {
  const socket = createSocket("udp4");
  try {
    socket.connect(ANY_PORT, peer);
    await once(socket, "connect");
    return socket.address().address;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

/** The discard service: a port must be named, though nothing is sent. */
const ANY_PORT = 9;
