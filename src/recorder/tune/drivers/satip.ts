import { z } from "zod";
import type { TunerDriver } from "../../../model/ports.ts";
import type { Triplet } from "../../../model/service.ts";
import { SECOND } from "../../../model/time.ts";
import { readChannelList } from "../channel-lists/read.ts";
import { ChannelListFile, TunerId, WarmUpMs } from "../config-parts.ts";
import type { OpenParts, TunerKind } from "../kind.ts";
import { SATIP_DISCOVERY } from "../satip-discovery.ts";
import { satipPlaces, satipSource } from "../satip-places.ts";
import { SatipServer } from "../satip-server.ts";
import { SatipTrials } from "../satip-trials.ts";
import { type Lineup, serverTuners } from "../server-tuners.ts";

/** A SAT>IP server (1.2). It knows frequencies, not services: those come from a channel list. */
const SatipTunerConfig = z.strictObject({
  kind: z.literal("satip"),
  id: TunerId,
  host: z
    .string()
    .regex(/^[\w.:-]+$/, "expected a host name or an address")
    .describe("Name or address of the server."),
  rtspPort: z.int().min(1).max(65_535).default(554),
  description: z
    .url({ protocol: /^http$/, error: "expected an address such as http://192.0.2.9:8080/desc.xml" })
    .optional()
    .describe("Address of its description, which lists its tuners."),
  channelList: ChannelListFile,
  sources: z
    .array(z.number().min(-180).max(180))
    .max(16)
    .default([])
    .describe(
      "Orbital positions of its inputs in order, degrees east: [19.2, 13]. Without them, every satellite is on input 1.",
    ),
  pids: z
    .enum(["all", "listed"])
    .default("all")
    .describe(
      "all: the server sends the whole multiplex, and recorderd extracts the service. listed: the server sends the PIDs of the channel list and of the PMT.",
    ),
  sharesMultiplex: z
    .boolean()
    .default(false)
    .describe("Whether several streams of one multiplex share one of its tuners."),
  count: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe("How many of its tuners to use; without it, all in the description."),
  warmUpMs: WarmUpMs.default(5 * SECOND),
});
type SatipTunerConfig = z.infer<typeof SatipTunerConfig>;

export const satip: TunerKind<SatipTunerConfig> = {
  kind: "satip",
  name: "SAT>IP server",
  schema: SatipTunerConfig,
  open: satipTuners,
  sources: ({ pids }) => [{ scheme: "satip", programme: pids === "all" ? "multi" : "single" }],
  hosts: ({ host }) => [host],
  address: {
    label: "Name or address of the server",
    example: "192.0.2.9",
    // The port is written unless it is the RTSP default: 192.0.2.9:8554.
    parse: (text) => {
      const [, host, port] = /^([^:]+):(\d{1,5})$/.exec(text) ?? [];
      return host === undefined ? { host: text } : { host, rtspPort: Number(port) };
    },
    format: ({ host, rtspPort }) => (rtspPort === undefined ? String(host) : `${host}:${rtspPort}`),
    channelList: "required",
  },
  check: async ({ channelList }) => void (await readChannelList(channelList)),
  discovery: SATIP_DISCOVERY,
  // Some servers hang if both ways to request PIDs meet on one multiplex.
  clash: ({ host, rtspPort, pids }, earlier) => {
    const first = earlier.find((other) => other.host === host && other.rtspPort === rtspPort);
    if (first === undefined || first.pids === pids) return undefined;
    return { key: "pids", message: `expected ${first.pids}, as tuner ${first.id} of the same server has it` };
  },
  keepsEventsWith: "With pids: listed, its event tables are kept.",
};

/** @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN for the channel list */
async function satipTuners(config: SatipTunerConfig, parts: OpenParts): Promise<readonly TunerDriver[]> {
  const { clock, scanned } = parts;
  const { id: tunerId, host, rtspPort } = config;
  let places = satipPlaces(config, await readChannelList(config.channelList), scanned);
  const readList = async () => {
    places = satipPlaces(config, await readChannelList(config.channelList), scanned);
  };
  const sourceOf = (service: Triplet) => satipSource(config, places, service);
  const offered = () => ({
    ids: places.services.keys(),
    services: places.services,
    example: places.example,
    ...places.facts,
  });
  const server = new SatipServer({ tunerId, host, rtspPort, clock });
  /** Number of multiplexes received at once. */
  let count = config.count ?? 1;
  const inputs = (signal: AbortSignal) => server.inputs(sourceOf, signal);
  const trials = new SatipTrials({
    failure: (code, what) => server.failure(code, what),
    late: () => server.late(),
    inputs,
    count: () => count,
    clock,
  });
  const lineup = async (signal: AbortSignal): Promise<Lineup> => {
    const tuners = await server.tuners(config.description, signal);
    count = config.count ?? tuners ?? 1;
    return { ...offered(), sourceOf, ...(tuners === undefined ? {} : { tuners }) };
  };
  return serverTuners(
    {
      config,
      server,
      servicesAtOnce: config.sharesMultiplex ? Number.POSITIVE_INFINITY : 1,
      lineup,
      readList,
      learn: async (heard, services) => ((await places.learn(heard, services)) ? offered() : undefined),
      completed: (source, service, signal) => trials.completed(source, service, signal),
      whyNot: (source, signal, service) => trials.whyNot(source, service, signal),
      inputs,
    },
    parts,
  );
}
