import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { RecorderdError } from "../../../model/errors.ts";
import type { Source, TunerDriver } from "../../../model/ports.ts";
import { type MultiplexKey, multiplexKey, type Triplet, tripletKey } from "../../../model/service.ts";
import { shapeOf } from "../../../model/source.ts";
import { SECOND } from "../../../model/time.ts";
import type { TunerFacts } from "../../../model/tuner.ts";
import { TripletText, TunerId, WarmUpMs } from "../config-parts.ts";
import { hostOf, type TunerKind } from "../kind.ts";

const Service = z.strictObject({
  service: TripletText,
  name: z.string().max(100).optional().describe("Comment; recorderd ignores it."),
  url: z
    .url({ protocol: /^(https?|udp|rtp|rtsp)$/, error: "expected an http, https, udp, rtp or rtsp address" })
    .refine((url) => !isPacketAddress(url) || new URL(url).port !== "", "expected a port in the address"),
  programme: z
    .enum(["single", "multi"])
    .default("single")
    .describe("Whether the stream has only this service, or a multiplex to extract it from."),
});

/** A table of services with their addresses: streamers, IPTV, proxies of all kinds. */
const UrlTunerConfig = z
  .strictObject({
    kind: z.literal("url"),
    id: TunerId,
    count: z.int().min(1).max(64).default(1).describe("How many multiplexes can be read at the same time."),
    warmUpMs: WarmUpMs.default(3 * SECOND),
    services: z.array(Service).min(1).max(4096),
  })
  .superRefine(({ count, services }, context) => {
    const keys = services.map(({ service }) => tripletKey(service));
    for (const [index, key] of keys.entries()) {
      if (keys.indexOf(key) === index) continue;
      const path = ["services", index, "service"];
      context.addIssue({ code: "custom", path, message: "expected each service once" });
    }
    if (count > 1 && services.some(({ url }) => hasOneReader(url))) {
      const message = "expected 1, as only one reader at a time can read a unicast udp or rtp address";
      context.addIssue({ code: "custom", path: ["count"], message });
    }
  });
type UrlTunerConfig = z.infer<typeof UrlTunerConfig>;

export const url: TunerKind<UrlTunerConfig> = {
  kind: "url",
  name: "a table of addresses",
  schema: UrlTunerConfig,
  open: async (config) => urlTuners(config),
  sources: ({ services }) =>
    services.flatMap((service) => {
      const shape = shapeOf(service);
      return shape === undefined ? [] : [shape];
    }),
  hosts: ({ services }) => services.map(({ url }) => hostOf(url)),
  secretAddress: { list: "services", key: "url" },
};

/** The tuners of one table. Opening sends nothing: the capture's request is the first and only one. */
function urlTuners(config: UrlTunerConfig): readonly TunerDriver[] {
  const sources = new Map<string, Source>(
    config.services.map(({ service, url, programme }) => [tripletKey(service), { url, programme }]),
  );
  const readOnce = new Set<MultiplexKey>(
    config.services.filter(({ url }) => hasOneReader(url)).map(({ service }) => multiplexKey(service)),
  );
  return Array.from({ length: config.count }, (_, index) => {
    const facts: TunerFacts = {
      id: index === 0 ? config.id : `${config.id}#${index + 1}`,
      kind: config.kind,
      services: new Set(sources.keys()),
      offers: config.services.map(({ service: triplet }) => ({ triplet, name: "" })),
      servicesAtOnce: (multiplex) => (readOnce.has(multiplex) ? 1 : Number.POSITIVE_INFINITY),
      warmUpMs: config.warmUpMs,
    };
    return urlTuner(facts, sources);
  });
}

function urlTuner(facts: TunerFacts, sources: ReadonlyMap<string, Source>): TunerDriver {
  return {
    facts,
    async open(service: Triplet, signal: AbortSignal) {
      signal.throwIfAborted();
      const key = tripletKey(service);
      const source = sources.get(key);
      if (source === undefined) {
        const message = `Tuner ${facts.id} has no address for service ${key}: add it to its services.`;
        throw new RecorderdError("TUNER_SERVICE_UNKNOWN", message, { tunerId: facts.id, service: key });
      }
      return { source, async [Symbol.asyncDispose]() {} };
    },
    async [Symbol.asyncDispose]() {},
  };
}

function isPacketAddress(url: string): boolean {
  return /^(udp|rtp):/i.test(url);
}

/** Two readers of one unicast address would share its packets, or the second would get none. */
function hasOneReader(url: string): boolean {
  return isPacketAddress(url) && !isMulticast(hostOf(url));
}

/** @see RFC 5771 (IPv4), RFC 4291 §2.7 (IPv6) */
const MULTICAST = new BlockList();
MULTICAST.addSubnet("224.0.0.0", 4, "ipv4");
MULTICAST.addSubnet("ff00::", 8, "ipv6");

function isMulticast(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && MULTICAST.check(address, version === 4 ? "ipv4" : "ipv6");
}
