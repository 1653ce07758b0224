import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import type { Clock } from "../../kit/time/clock.ts";
import type { DurationMs } from "../../model/time.ts";
import type { DiscoveryTarget, ServerAnswer } from "./kind.ts";
import { TUNER_KINDS } from "./registry.ts";

export interface FoundServer extends ServerAnswer {
  readonly kind: string;
}

/** Number of requests, spread evenly: datagrams may be lost. */
const TIMES = 3;
const SERVERS_MAX = 64;

interface DiscoverParts {
  readonly clock: Clock;
  /** Time to wait for answers. */
  readonly forMs: DurationMs;
  /** By kind; the kinds' own targets by default. Tests use others. */
  readonly targets?: Readonly<Record<string, DiscoveryTarget>>;
  /** Local addresses to send from; all IPv4 addresses by default. */
  readonly from?: readonly string[];
}

/**
 * Searches the local networks for servers of every kind that supports discovery. Anyone may answer, so people check the addresses.
 */
export async function discoverServers(
  { clock, forMs, targets = {}, from = ownAddresses() }: DiscoverParts,
  signal: AbortSignal,
): Promise<readonly FoundServer[]> {
  const found = new Map<string, FoundServer>();
  const add = (server: FoundServer | undefined) => {
    if (server !== undefined && found.size < SERVERS_MAX)
      found.set(`${server.kind} ${server.address}`, server);
  };
  const askers = TUNER_KINDS.flatMap(({ kind, discovery }) => {
    if (discovery === undefined) return [];
    const { question, read, target: usual } = discovery;
    const target = targets[kind] ?? usual;
    const answer = (datagram: Buffer) => {
      const found = read(datagram);
      return found === undefined ? undefined : { kind, ...found };
    };
    return from.map((own) => ({ own, target, question: question(target), answer }));
  });
  await Promise.all(
    askers.map(async ({ own, target, question, answer }) => {
      const socket = createSocket("udp4");
      // An unusable network, or one that refuses broadcasts, is skipped.
      socket.on("error", () => {});
      socket.on("message", (datagram) => add(answer(datagram)));
      try {
        socket.bind(0, own);
        await once(socket, "listening", { signal });
        socket.setBroadcast(true);
        socket.setMulticastInterface(own);
        for (let time = 0; time < TIMES; time += 1) {
          socket.send(question, target.port, target.address, () => {});
          await clock.sleep(forMs / TIMES, signal);
        }
      } catch {
        signal.throwIfAborted();
      } finally {
        socket.close();
      }
    }),
  );
  return [...found.values()].sort((a, b) => (`${a.kind} ${a.address}` < `${b.kind} ${b.address}` ? -1 : 1));
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ address }) => (isIPv4(address) ? [address] : [])),
  );
}
