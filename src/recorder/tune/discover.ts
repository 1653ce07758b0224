import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import { crc32 } from "node:zlib";
import type { Clock } from "../../kit/time/clock.ts";
import type { DurationMs } from "../../model/time.ts";

/** A server of tuners that answered on the network. */
export interface FoundServer {
  readonly kind: "satip" | "hdhomerun";
  /** What the configuration wants: the address of its description (satip), or of the device (hdhomerun). */
  readonly address: string;
  /** Where it says so. */
  readonly tuners?: number;
  /** What it calls itself. */
  readonly name: string;
}

/** Where is asked; tests ask elsewhere. */
export interface DiscoverTargets {
  readonly ssdp: { readonly address: string; readonly port: number };
  readonly hdhomerun: { readonly address: string; readonly port: number };
}

const EVERYWHERE: DiscoverTargets = {
  ssdp: { address: "239.255.255.250", port: 1900 },
  hdhomerun: { address: "255.255.255.255", port: 65_001 },
};

/** A datagram may be lost: asked so often, evenly in the time. */
const TIMES = 3;
const SERVERS_MAX = 64;

interface DiscoverParts {
  readonly clock: Clock;
  /** How long answers are waited for. */
  readonly forMs: DurationMs;
  readonly targets?: DiscoverTargets;
  /** Addresses of this machine by which is asked; all of IPv4 when absent. */
  readonly from?: readonly string[];
}

/** Asks the networks of this machine for SAT>IP servers (SSDP) and HDHomeRuns. Anybody may answer anything: addresses are to be checked by people. */
export async function discoverServers(
  { clock, forMs, targets = EVERYWHERE, from = ownAddresses() }: DiscoverParts,
  signal: AbortSignal,
): Promise<readonly FoundServer[]> {
  const found = new Map<string, FoundServer>();
  const add = (server: FoundServer | undefined) => {
    if (server !== undefined && found.size < SERVERS_MAX)
      found.set(`${server.kind} ${server.address}`, server);
  };
  const askers = from.flatMap((own) => [
    { own, target: targets.ssdp, question: ssdpQuestion(targets.ssdp), read: satipIn },
    { own, target: targets.hdhomerun, question: hdhomerunQuestion(), read: hdhomerunIn },
  ]);
  await Promise.all(
    askers.map(async ({ own, target, question, read }) => {
      const socket = createSocket("udp4");
      // A network that is gone, or where broadcasts are not allowed, says nothing; the others do.
      socket.on("error", () => {});
      socket.on("message", (message) => add(read(message)));
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

/** @see UPnP Device Architecture 1.1 §1.3.2, SAT>IP 1.2 §3.3 */
function ssdpQuestion({ address, port }: DiscoverTargets["ssdp"]): Buffer {
  const lines = [
    "M-SEARCH * HTTP/1.1",
    `HOST: ${address}:${port}`,
    'MAN: "ssdp:discover"',
    "MX: 1",
    `ST: ${SATIP_SERVER}`,
    "",
    "",
  ];
  return Buffer.from(lines.join("\r\n"), "latin1");
}

const SATIP_SERVER = "urn:ses-com:device:SatIPServer:1";

function satipIn(message: Buffer): FoundServer | undefined {
  const [status = "", ...lines] = message.toString("latin1").split(/\r?\n/);
  if (!/^HTTP\/1\.\d 200\b/.test(status)) return undefined;
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const address = headers.get("location") ?? "";
  if (headers.get("st") !== SATIP_SERVER || !/^http:\/\/\S{1,200}$/.test(address)) return undefined;
  return { kind: "satip", address, name: headers.get("server") ?? "" };
}

const DISCOVER_REQUEST = 2;
const DISCOVER_REPLY = 3;
const TAG = { deviceType: 0x01, deviceId: 0x02, tunerCount: 0x10, baseUrl: 0x2a } as const;
const TUNER_DEVICE = 1;

/** Type and length (big-endian), tags with their lengths and values, CRC-32 (little-endian): for any device with tuners. */
function hdhomerunQuestion(): Buffer {
  const packet = Buffer.alloc(20);
  packet.writeUInt16BE(DISCOVER_REQUEST, 0);
  packet.writeUInt16BE(12, 2);
  packet.set([TAG.deviceType, 4], 4);
  packet.writeUInt32BE(TUNER_DEVICE, 6);
  packet.set([TAG.deviceId, 4], 10);
  packet.writeUInt32BE(0xffffffff, 12);
  packet.writeUInt32LE(crc32(packet.subarray(0, 16)), 16);
  return packet;
}

function hdhomerunIn(message: Buffer): FoundServer | undefined {
  if (message.length < 8 || message.readUInt16BE(0) !== DISCOVER_REPLY) return undefined;
  const end = 4 + message.readUInt16BE(2);
  if (message.length !== end + 4 || message.readUInt32LE(end) !== crc32(message.subarray(0, end)))
    return undefined;
  const values = new Map<number, Buffer>();
  for (let at = 4; at + 2 <= end; ) {
    const tag = message.readUInt8(at);
    let length = message.readUInt8(at + 1);
    at += 2;
    // Seven bits, and the higher ones in another byte.
    if (length >= 0x80 && at < end) {
      length = (length & 0x7f) + (message.readUInt8(at) << 7);
      at += 1;
    }
    if (at + length > end) return undefined;
    values.set(tag, message.subarray(at, at + length));
    at += length;
  }
  const address = values.get(TAG.baseUrl)?.toString("latin1") ?? "";
  if (!/^http:\/\/\S{1,200}$/.test(address)) return undefined;
  const tuners = values.get(TAG.tunerCount)?.[0];
  return {
    kind: "hdhomerun",
    address,
    name: values.get(TAG.deviceId)?.toString("hex").toUpperCase() ?? "",
    ...(tuners === undefined ? {} : { tuners }),
  };
}
