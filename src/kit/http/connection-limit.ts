import type { Server, Socket } from "node:net";
import { whoGivesWay } from "../net/give-way.ts";
import { plainAddress } from "../net/loopback.ts";
import { householdOf } from "./client-address.ts";

export interface ConnectionLimit {
  /** Connections at a time. */
  readonly max: number;
  /** Connections at a time from one address. */
  readonly maxPerAddress: number;
  /** Whether the peer is a proxy, which carries many visitors: its connections are not limited by address. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * Closes connections beyond the limits, so that nobody can shut out the others: when all places are taken, a new visitor gets one of
 * the address that has most, and an address that has as many gets none.
 *
 * @returns closes all connections, also those in a TLS handshake, which the server itself does not know
 */
export function limitConnections(
  server: Server,
  { max, maxPerAddress, isProxy }: ConnectionLimit,
): () => void {
  const all = new Set<Socket>();
  const open = new Map<string, Set<Socket>>();

  /** @returns whether there is a place for one more of an address that has `own` already */
  function makeRoom(own: number): boolean {
    if (all.size < max) return true;
    const latest = whoGivesWay(open.values(), own);
    if (latest === undefined) return false;
    // Its place is free before it has closed.
    all.delete(latest);
    for (const sockets of open.values()) sockets.delete(latest);
    latest.destroy();
    return true;
  }

  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    // A Unix socket has no address; its file mode controls access.
    const isCounted = remoteAddress !== undefined && !isProxy(plainAddress(remoteAddress));
    const address = isCounted ? householdOf(remoteAddress) : undefined;
    const sockets = (address === undefined ? undefined : open.get(address)) ?? new Set<Socket>();
    if (sockets.size >= maxPerAddress || !makeRoom(sockets.size)) {
      socket.destroy();
      return;
    }
    all.add(socket);
    if (address !== undefined) open.set(address, sockets.add(socket));
    socket.once("close", () => {
      all.delete(socket);
      sockets.delete(socket);
      if (address !== undefined && sockets.size === 0 && open.get(address) === sockets) open.delete(address);
    });
  });
  return () => {
    for (const socket of all) socket.destroy();
  };
}
