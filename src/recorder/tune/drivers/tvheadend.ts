import { z } from "zod";
import { anyAbort } from "../../../kit/time/clock.ts";
import type { KnownService } from "../../../model/channel-match.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Source, TunerDriver } from "../../../model/ports.ts";
import { type MultiplexKey, multiplexKey, type Triplet, tripletKey } from "../../../model/service.ts";
import { SECOND } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { listOf, OptionalId, Words, wholeNumber } from "../answer-fields.ts";
import { TABLE_PIDS, TunerId, WarmUpMs } from "../config-parts.ts";
import { addressAt, atHttpAddress, type TunerKind } from "../kind.ts";
import { ServerAddress, type TunerParts, tunerServer } from "../server.ts";
import {
  firstOf,
  type Lineup,
  type Refusal,
  type ServerInput,
  serverTuners,
  usualMeaning,
} from "../server-tuners.ts";

/** A Tvheadend server. It shares its tuners among the services of one multiplex. */
const TvheadendTunerConfig = z.strictObject({
  kind: z.literal("tvheadend"),
  id: TunerId,
  address: ServerAddress.describe("Address of the server, such as http://192.0.2.6:9981."),
  count: z.int().min(1).max(64).default(1).describe("How many multiplexes it can receive at once."),
  weight: z
    .int()
    .min(1)
    .max(1000)
    .default(500)
    .describe("Priority among the server's users: viewers have 100, urgent recordings 500."),
  profile: z
    .string()
    .regex(/^[\w-]+$/)
    .optional()
    .describe(
      "For services that the server descrambles: a stream profile that keeps all ids as broadcast. Without it, recorderd takes the packets of the multiplex as broadcast.",
    ),
  warmUpMs: WarmUpMs.default(5 * SECOND),
});
type TvheadendTunerConfig = z.infer<typeof TvheadendTunerConfig>;

export const tvheadend: TunerKind<TvheadendTunerConfig> = {
  kind: "tvheadend",
  name: "Tvheadend",
  schema: TvheadendTunerConfig,
  open: tvheadendTuners,
  ...atHttpAddress,
  address: addressAt("address", { label: "Address of the server", example: "http://192.0.2.6:9981" }),
  hasUsers: true,
  yielding: (config) => ({ ...config, weight: 1 }),
};

const Uuid = z.string().regex(/^[0-9a-f-]{32,36}$/i);
/** The server's default limit is 50 entries. */
const ALL = "start=0&limit=99999";
const Muxes = z.object({
  entries: listOf(
    z.object({
      uuid: Uuid,
      /** Both are 65536 until the multiplex is scanned. */
      onid: OptionalId,
      tsid: OptionalId,
      name: Words,
      network: Words,
    }),
  ),
});
/** Scales of signal and noise, as in Tvheadend's `tvh_input_stream_stats`. */
const RELATIVE = 1;
const THOUSANDTHS_OF_DECIBEL = 2;
const RELATIVE_MAX = 65_535;
const Inputs = z.object({
  entries: listOf(
    z.object({
      input: z.string().optional().catch(undefined),
      stream: z.string().optional().catch(undefined),
      subs: z.int().min(0).optional().catch(undefined),
      signal: z.int().optional().catch(undefined),
      signal_scale: z.int().optional().catch(undefined),
      snr: z.int().optional().catch(undefined),
      snr_scale: z.int().optional().catch(undefined),
      unc: z.int().min(0).optional().catch(undefined),
    }),
  ),
});
const Services = z.object({
  entries: listOf(
    z.object({
      uuid: Uuid,
      sid: wholeNumber(0, 0xffff),
      multiplex_uuid: Uuid,
      /** Some answers write 1 and 0. */
      enabled: z.union([z.boolean(), z.number().transform(Boolean)]).catch(true),
      svcname: Words,
      lcn: wholeNumber(0, 99_999).optional().catch(undefined),
    }),
  ),
});

/** Interval for polling the inputs while the server sends no stream. */
const LOOK_MS = SECOND / 2;
const LIMIT_REACHED: Refusal = {
  code: "TUNER_IN_USE",
  text: "its server allows this user no more simultaneous streams: raise the user's limit of connections there",
};
/** Tvheadend's types for the tables and the clock of a service; every other type is one of its streams. */
const Streams = z.object({ streams: listOf(z.object({ pid: wholeNumber(0, 0x1fff), type: z.string() })) });
/** Messages of conditional access, which a recording does not need. */
const CONDITIONAL_ACCESS = "CA";
const Profiles = z.object({ entries: listOf(z.object({ key: Uuid, val: z.string() })) });
const Nodes = z.object({
  entries: listOf(
    z.object({ params: listOf(z.object({ id: z.string(), value: z.unknown().optional() })).catch([]) }),
  ),
});

/** The location of a service on the server. */
interface Place {
  readonly service: string;
  readonly mux: string;
}

async function tvheadendTuners(
  config: TvheadendTunerConfig,
  parts: TunerParts,
): Promise<readonly TunerDriver[]> {
  const server = tunerServer({ ...config, userPage: "login" }, parts);
  const { profile, weight } = config;

  /** By the multiplex's name in the list of inputs. */
  let multiplexes: ReadonlyMap<string, MultiplexKey> = new Map();
  let places: ReadonlyMap<string, Place> = new Map();

  async function lineup(signal: AbortSignal): Promise<Lineup> {
    const muxes = await server.ask(`api/mpegts/mux/grid?${ALL}`, Muxes, signal);
    const services = await server.ask(`api/mpegts/service/grid?${ALL}`, Services, signal);
    if (profile !== undefined) await checkProfile(profile, signal);
    const byUuid = new Map(muxes.entries.map((mux) => [mux.uuid, mux]));
    multiplexes = new Map(
      muxes.entries.flatMap(({ name, network, onid, tsid }) =>
        onid === undefined || tsid === undefined
          ? []
          : [[`${name} in ${network}`, multiplexKey({ onid, tsid })] as const],
      ),
    );
    const found = new Map<string, Place>();
    const offers: KnownService[] = [];
    for (const { uuid, sid, multiplex_uuid: mux, enabled, svcname: name, lcn = 0 } of services.entries) {
      const { onid, tsid } = byUuid.get(mux) ?? {};
      if (!enabled || onid === undefined || tsid === undefined) continue;
      const key = tripletKey({ onid, tsid, sid });
      // A service may arrive through several networks; the first one is used.
      if (found.has(key)) continue;
      found.set(key, { service: uuid, mux });
      offers.push({ triplet: { onid, tsid, sid }, name, ...(lcn === 0 ? {} : { lcn }) });
    }
    places = found;
    const sources = new Map(Array.from(found, ([key, place]) => [key, sourceAt(place, TABLE_PIDS)]));
    return {
      ids: sources.keys(),
      services: sources,
      example: firstOf(sources),
      offers,
      sourceOf: (service) => sources.get(tripletKey(service)),
    };
  }

  function sourceAt({ service, mux }: Place, pids: Iterable<number>): Source {
    const path =
      profile === undefined
        ? `stream/mux/${mux}?pids=${[...pids].join(",")}&weight=${weight}`
        : `stream/service/${service}?profile=${profile}&weight=${weight}`;
    return { url: server.streamUrl(path), programme: "single" };
  }

  /** The stock profile gives every service the ids 1/1/1, and unknown names select that profile. */
  async function checkProfile(name: string, signal: AbortSignal): Promise<void> {
    const { entries } = await server.ask("api/profile/list", Profiles, signal);
    const uuid = entries.find(({ val }) => val === name)?.key;
    if (uuid === undefined) {
      throw server.failure("TUNER_SERVICE_UNKNOWN", `its server has no stream profile ${name} for this user`);
    }
    const [node] = (await server.ask(`api/idnode/load?uuid=${uuid}`, Nodes, signal)).entries;
    if (node?.params.find(({ id }) => id === "sid")?.value === 0) return;
    throw server.failure(
      "TUNER_SERVICE_UNKNOWN",
      `the stream profile ${name} of its server does not keep the ids as broadcast: remove profile from this tuner, or set "Rewrite Service ID" of the profile to 0 and its other rewriting off`,
    );
  }

  /** The stream is requested by multiplex and PIDs; the server knows the PIDs of the service. */
  async function completed(source: Source, service: Triplet, signal: AbortSignal): Promise<Source> {
    const place = places.get(tripletKey(service));
    if (profile !== undefined || place === undefined) return source;
    const { streams } = await server.ask(`api/service/streams?uuid=${place.service}`, Streams, signal);
    if (!streams.some(({ type }) => type === "PMT")) {
      throw server.failure(
        "TUNER_SERVICE_UNKNOWN",
        `its server does not know yet which streams ${tripletKey(service)} has: scan its multiplex there`,
      );
    }
    const own = streams.filter(({ type }) => type !== CONDITIONAL_ACCESS).map(({ pid }) => pid);
    return sourceAt(place, new Set([...TABLE_PIDS, ...own]));
  }

  async function inputs(signal: AbortSignal): Promise<readonly ServerInput[]> {
    const { entries } = await server.ask("api/status/inputs", Inputs, signal);
    return entries.map(({ input, stream = "", subs, unc, ...said }) => {
      const strength = measureOf(said.signal, said.signal_scale);
      const quality = measureOf(said.snr, said.snr_scale);
      return {
        ...withoutUndefined({
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

  /** The server sends nothing both without a free input and without reception; the state of its inputs tells the two apart. */
  async function whyNot(source: Source, signal: AbortSignal, service: Triplet): Promise<Refusal | undefined> {
    const over = new AbortController();
    using either = anyAbort([signal, over.signal]);
    const looking = hasInput(service, either.signal);
    try {
      const answer = await server.tryStream(source, signal);
      if (answer.kind === "refused" && answer.status === 405) return LIMIT_REACHED;
      if (answer.kind === "refused" && answer.status === 400) return { code: "TUNER_SERVICE_UNKNOWN" };
      if (answer.kind !== "no answer") return usualMeaning(answer);
      over.abort();
      return { code: (await looking) ? "TUNER_NO_LOCK" : "TUNER_IN_USE" };
    } finally {
      over.abort();
      await looking;
    }
  }

  /** Whether an input is on the service's multiplex, or free for it, at any time until the signal is aborted. */
  async function hasInput(service: Triplet, signal: AbortSignal): Promise<boolean> {
    try {
      for (;;) {
        const all = await inputs(signal);
        const inUse = all.filter(({ users = 0 }) => users > 0);
        if (inUse.length < config.count || all.some(({ holds }) => holds(service))) return true;
        await parts.clock.sleep(LOOK_MS, signal);
      }
    } catch (error) {
      if (signal.aborted || error instanceof RecorderdError) return false;
      throw error;
    }
  }

  return serverTuners(
    { config, server, servicesAtOnce: Number.POSITIVE_INFINITY, lineup, completed, whyNot, inputs },
    parts,
  );
}

function measureOf(
  value: number | undefined,
  scale: number | undefined,
): { readonly percent?: number; readonly decibel?: number } {
  if (value === undefined) return {};
  // The server writes a negative 32-bit number without its sign.
  if (scale === THOUSANDTHS_OF_DECIBEL) return { decibel: (value | 0) / 1000 };
  return scale === RELATIVE ? { percent: Math.round((100 * value) / RELATIVE_MAX) } : {};
}
