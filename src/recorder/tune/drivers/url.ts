import { isIP } from "node:net";
import { z } from "zod";
import { isMulticast } from "../../../kit/net/address-scope.ts";
import { hostOf } from "../../../kit/net/host-of.ts";
import type { KnownService } from "../../../model/channel-match.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Source, TunerDriver } from "../../../model/ports.ts";
import { multiplexKey, type Triplet, type TripletKey, tripletKey } from "../../../model/service.ts";
import { type SourceShape, shapeOf } from "../../../model/source.ts";
import { SECOND } from "../../../model/time.ts";
import type { TunerFacts } from "../../../model/tuner.ts";
import { readChannelList } from "../channel-lists/read.ts";
import { TripletText, TunerId, WarmUpMs } from "../config-parts.ts";
import { addressAt, type TunerKind } from "../kind.ts";
import { soleServices } from "../sole-services.ts";

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
    services: z.array(Service).max(4096).default([]),
    channelList: z
      .string()
      .min(1)
      .optional()
      .describe(
        "A list with an address for each service, such as M3U, or one that `recorderd tuners import` wrote. Services without a triplet get one.",
      ),
  })
  .superRefine(({ count, services, channelList }, context) => {
    if (services.length === 0 && channelList === undefined) {
      const message = "expected at least one service, or a channelList";
      context.addIssue({ code: "custom", path: ["services"], message });
    }
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
  name: "list of addresses (IPTV)",
  schema: UrlTunerConfig,
  open: urlTuners,
  sources: ({ services, channelList }) => [
    ...services.flatMap((service) => shapeOf(service) ?? []),
    ...(channelList === undefined ? [] : LIST_SHAPES),
  ],
  check: async ({ channelList }) => {
    if (channelList !== undefined) await readChannelList(channelList);
  },
  address: addressAt("channelList", { label: "Path of an M3U list", example: "/etc/recorderd/iptv.m3u" }),
  hosts: ({ services }) => services.map(({ url }) => hostOf(url)),
  secretAddress: { list: "services", key: "url" },
};

/** Lists may have any address; these two stand for those of nearly all. */
const LIST_SHAPES: readonly SourceShape[] = [
  { scheme: "http", programme: "sole" },
  { scheme: "udp", programme: "sole" },
];

interface Content extends Pick<TunerFacts, "services" | "servicesAtOnce" | "hasSeveralServers"> {
  readonly offers: readonly KnownService[];
  readonly sources: ReadonlyMap<TripletKey, Source>;
}

/**
 * The tuners of one table. Opening sends nothing: the capture's request is the first and only one.
 *
 * @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN for the channel list
 */
async function urlTuners(config: UrlTunerConfig): Promise<readonly TunerDriver[]> {
  const { kind, warmUpMs } = config;
  let content = await contentOf(config);
  const lookAgain = async () => {
    const before = JSON.stringify([...content.sources]);
    content = await contentOf(config);
    return JSON.stringify([...content.sources]) !== before;
  };
  return Array.from({ length: config.count }, (_, index): TunerDriver => {
    const id = index === 0 ? config.id : `${config.id}#${index + 1}`;
    return {
      get facts(): TunerFacts {
        const { sources: _, ...facts } = content;
        return { id, kind, warmUpMs, ...facts };
      },
      async open(service: Triplet, signal: AbortSignal) {
        signal.throwIfAborted();
        const key = tripletKey(service);
        const source = content.sources.get(key);
        if (source === undefined) {
          const message = `Tuner ${id} has no address for service ${key}: add it to its services.`;
          throw new RecorderdError("TUNER_SERVICE_UNKNOWN", message, { tunerId: id, service: key });
        }
        return { source, async [Symbol.asyncDispose]() {} };
      },
      ...(index === 0 && config.channelList !== undefined ? { lookAgain } : {}),
      async [Symbol.asyncDispose]() {},
    };
  });
}

async function contentOf({ services, channelList }: UrlTunerConfig): Promise<Content> {
  const list = channelList === undefined ? undefined : await readChannelList(channelList);
  const listed = soleServices(list?.services ?? []).filter(({ source }) => isUsable(source.url));
  const table = services.map(({ service: triplet, url, programme }) => ({
    ...{ triplet, name: "" },
    source: { url, programme },
  }));
  const all = [...listed, ...table].map(({ source, ...rest }) => ({
    ...rest,
    source: { ...source, url: withSender(source.url) },
  }));
  const readOnce = new Set(
    all.filter(({ source }) => hasOneReader(source.url)).map(({ triplet }) => multiplexKey(triplet)),
  );
  // For a service in both, the entry of the configuration counts, and of several in a list the first one: others are spare.
  const byRank = [...all.slice(0, listed.length).toReversed(), ...all.slice(listed.length)];
  const sources = new Map(byRank.map(({ triplet, source }) => [tripletKey(triplet), source]));
  return {
    sources,
    services: new Set(sources.keys()),
    ...(hasSeveralHosts(all.map(({ source }) => source.url)) ? { hasSeveralServers: true } : {}),
    offers: all.map(({ source: _, ...offer }) => offer),
    servicesAtOnce: (multiplex) => (readOnce.has(multiplex) ? 1 : Number.POSITIVE_INFINITY),
  };
}

/** VLC writes the only sender of a group as its user: `rtp://192.0.2.1@232.1.1.1:5004`. Some networks deliver a group only so. */
function withSender(url: string): string {
  if (!isPacketAddress(url)) return url;
  const address = new URL(url);
  const { username: sender } = address;
  if (isIP(sender) === 0 || !isMulticast(hostOf(url))) return url;
  address.username = "";
  address.searchParams.append("sources", sender);
  return address.href;
}

/** Groups and ports of this machine have any number of senders. */
function hasSeveralHosts(urls: readonly string[]): boolean {
  return new Set(urls.map((url) => (isPacketAddress(url) ? url : new URL(url).host))).size > 1;
}

/** Whether a capture reads the address of a list. */
function isUsable(url: string): boolean {
  return Service.shape.url.safeParse(url).success;
}

function isPacketAddress(url: string): boolean {
  return /^(udp|rtp):/i.test(url);
}

/** Two readers of one unicast address would share its packets, or the second would get none. */
function hasOneReader(url: string): boolean {
  return isPacketAddress(url) && !isMulticast(hostOf(url));
}
