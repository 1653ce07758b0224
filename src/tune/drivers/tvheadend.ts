import { z } from "zod";
import type { KnownService } from "../../model/channel-match.ts";
import type { ErrorCode } from "../../model/errors.ts";
import { type MultiplexKey, multiplexKey, type Triplet, tripletKey } from "../../model/service.ts";
import { SECOND } from "../../model/time.ts";
import type { Source, TunerDriver } from "../../ports.ts";
import { TunerId, WarmUpMs } from "../config-parts.ts";
import { ServerAddress, type StreamAnswer, type TunerParts, tunerServer } from "../server.ts";
import { type Lineup, type ServerInput, serverTuners, told, usualMeaning } from "../server-tuners.ts";

/** A Tvheadend. It shares its tuners among the services of one multiplex by itself. */
export const TvheadendTunerConfig = z.strictObject({
  kind: z.literal("tvheadend"),
  id: TunerId,
  address: ServerAddress.describe("Address of the server, such as http://192.0.2.6:9981."),
  count: z.int().min(1).max(64).default(1).describe("How many multiplexes it can receive at once."),
  weight: z
    .int()
    .min(1)
    .max(1000)
    .default(500)
    .describe(
      "Its priority against the server's other users: viewers have 100 there, urgent recordings 500 (R-27).",
    ),
  profile: z
    .string()
    .regex(/^[\w-]+$/)
    .default("pass")
    .describe("Its stream profile; pass gives the service as broadcast."),
  warmUpMs: WarmUpMs.default(5 * SECOND),
});
export type TvheadendTunerConfig = z.infer<typeof TvheadendTunerConfig>;

const Uuid = z.string().regex(/^[0-9a-f-]{32,36}$/i);
const Id = z.int().min(0).max(0xffff);
/** Without a limit the server answers with 50 entries. */
const ALL = "start=0&limit=99999";
const Muxes = z.object({
  entries: z.array(
    z.object({
      uuid: Uuid,
      onid: Id.optional(),
      tsid: Id.optional(),
      name: z.string().optional(),
      network: z.string().optional(),
    }),
  ),
});
/** What its scales of signal and noise are: `tvh_input_stream_stats` there. */
const RELATIVE = 1;
const THOUSANDTHS_OF_DECIBEL = 2;
const RELATIVE_MAX = 65_535;
const Inputs = z.object({
  entries: z.array(
    z.object({
      input: z.string().optional(),
      stream: z.string().optional(),
      subs: z.int().min(0).optional(),
      signal: z.int().optional(),
      signal_scale: z.int().optional(),
      snr: z.int().optional(),
      snr_scale: z.int().optional(),
      unc: z.int().min(0).optional(),
    }),
  ),
});
const Services = z.object({
  entries: z.array(
    z.object({
      uuid: Uuid,
      sid: Id,
      multiplex_uuid: Uuid,
      enabled: z.boolean().default(true),
      svcname: z.string().default(""),
      lcn: z.int().min(0).optional().catch(undefined),
    }),
  ),
});

export async function tvheadendTuners(
  config: TvheadendTunerConfig,
  parts: TunerParts,
): Promise<readonly TunerDriver[]> {
  const server = tunerServer(config, parts);
  const { profile, weight } = config;

  /** By what it calls a multiplex where it tells of its inputs. */
  let multiplexes: ReadonlyMap<string, MultiplexKey> = new Map();

  async function lineup(signal: AbortSignal): Promise<Lineup> {
    const muxes = await server.ask(`api/mpegts/mux/grid?${ALL}`, Muxes, signal);
    const services = await server.ask(`api/mpegts/service/grid?${ALL}`, Services, signal);
    const byUuid = new Map(muxes.entries.map((mux) => [mux.uuid, mux]));
    multiplexes = new Map(
      muxes.entries.flatMap(({ name, network, onid, tsid }) =>
        onid === undefined || tsid === undefined
          ? []
          : [[`${name} in ${network}`, multiplexKey({ onid, tsid })] as const],
      ),
    );
    const sources = new Map<string, Source>();
    const offers: KnownService[] = [];
    for (const { uuid, sid, multiplex_uuid, enabled, svcname: name, lcn = 0 } of services.entries) {
      const { onid, tsid } = byUuid.get(multiplex_uuid) ?? {};
      if (!enabled || onid === undefined || tsid === undefined) continue;
      const key = tripletKey({ onid, tsid, sid });
      // One service may come by several networks: the server chooses among them by itself once it is asked for one.
      if (sources.has(key)) continue;
      const url = server.streamUrl(`stream/service/${uuid}?profile=${profile}&weight=${weight}`);
      sources.set(key, { url, programme: "single" });
      offers.push({ triplet: { onid, tsid, sid }, name, ...(lcn === 0 ? {} : { lcn }) });
    }
    return { services: sources, offers, sourceOf: (service) => sources.get(tripletKey(service)) };
  }

  async function inputs(signal: AbortSignal): Promise<readonly ServerInput[]> {
    const { entries } = await server.ask("api/status/inputs", Inputs, signal);
    return entries.map(({ input, stream = "", subs, unc, ...said }) => {
      const strength = measureOf(said.signal, said.signal_scale);
      const quality = measureOf(said.snr, said.snr_scale);
      return {
        ...told({
          input,
          users: subs,
          uncorrectedBlocks: unc,
          strengthPercent: strength.percent,
          strengthDbm: strength.decibel,
          qualityPercent: quality.percent,
          snrDb: quality.decibel,
        }),
        holds: (service: Triplet) => multiplexes.get(stream) === multiplexKey(service),
      };
    });
  }

  const whyNot = server.whyNot(meaningOf);
  return serverTuners(
    { config, server, servicesAtOnce: Number.POSITIVE_INFINITY, lineup, whyNot, inputs },
    parts,
  );
}

/** Without a free adapter it closes the connection and says nothing; 405 means a limit of the user or a wrong profile. */
function meaningOf(answer: StreamAnswer): ErrorCode | undefined {
  if (answer.kind === "no answer") return "TUNER_BUSY";
  if (answer.kind !== "refused") return usualMeaning(answer);
  if (answer.status === 405) return "TUNER_FORBIDDEN";
  return answer.status === 400 ? "TUNER_SERVICE_UNKNOWN" : usualMeaning(answer);
}

function measureOf(
  value: number | undefined,
  scale: number | undefined,
): { readonly percent?: number; readonly decibel?: number } {
  if (value === undefined) return {};
  // It writes a negative number of 32 bits without its sign.
  if (scale === THOUSANDTHS_OF_DECIBEL) return { decibel: (value | 0) / 1000 };
  return scale === RELATIVE ? { percent: Math.round((100 * value) / RELATIVE_MAX) } : {};
}
