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
/** A machine may run several programs that answer. */
const SERVERS_OF_SENDER_MAX = 8;
const NAME_LENGTH = 100;

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
 * Searches the local networks for servers of every kind that supports discovery. Anyone may answer, so people check the addresses;
 * an answer can name no other host than its sender, and a sender cannot push out the others.
 */
export async function discoverServers(
  { clock, forMs, targets = {}, from = ownAddresses() }: DiscoverParts,
  signal: AbortSignal,
): Promise<readonly FoundServer[]> {
  const found = new Map<string, FoundServer>();
  const counts = new Map<string, number>();
  const add = (server: FoundServer | undefined, sender: string) => {
    if (server === undefined) return;
    const key = `${server.kind} ${server.address}`;
    const count = counts.get(sender) ?? 0;
    if (!found.has(key) && (found.size >= SERVERS_MAX || count >= SERVERS_OF_SENDER_MAX)) return;
    if (!found.has(key)) counts.set(sender, count + 1);
    found.set(key, server);
  };
  const askers = TUNER_KINDS.flatMap(({ kind, discovery }) => {
    if (discovery === undefined) return [];
    const { question, read, target: usual } = discovery;
    const target = targets[kind] ?? usual;
    const answer = (datagram: Buffer, sender: string) => {
      const found = read(datagram);
      const address = found === undefined ? undefined : atSender(found.address, sender);
      if (found === undefined || address === undefined) return undefined;
      return { kind, ...found, address, name: found.name.slice(0, NAME_LENGTH) };
    };
    return from.map((own) => ({ own, target, question: question(target), answer }));
  });
  await Promise.all(
    askers.map(async ({ own, target, question, answer }) => {
      const socket = createSocket("udp4");
      // An unusable network, or one that refuses broadcasts, is skipped.
      socket.on("error", () => {});
      socket.on("message", (datagram, { address: sender }) => add(answer(datagram, sender), sender));
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

/**
 * The address of a server with the host that has answered: whoever picks it makes the recorder call it. A server with several
 * addresses may name one that is not in this network.
 */
function atSender(address: string, sender: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { port, pathname, search } = new URL(address);
  return `http://${sender}${port === "" ? "" : `:${port}`}${pathname === "/" ? "" : pathname}${search}`;
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ address }) => (isIPv4(address) ? [address] : [])),
  );
}
