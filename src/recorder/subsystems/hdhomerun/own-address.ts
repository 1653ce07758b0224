import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import { scopeOfAddress } from "../../../kit/net/address-scope.ts";

/** Whether an address belongs to this machine or a private network. */
export function isPrivate(address: string): boolean {
  const scope = isIPv4(address) ? scopeOfAddress(address) : undefined;
  // Customers of one provider are strangers.
  return scope !== undefined && scope !== "everywhere" && scope !== "provider";
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
