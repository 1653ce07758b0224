import { z } from "zod";
import type { KnownService } from "../../../model/channel-match.ts";
import type { Source, TunerDriver } from "../../../model/ports.ts";
import { tripletKey } from "../../../model/service.ts";
import { SECOND } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { listOf, Words } from "../answer-fields.ts";
import { readChannelList } from "../channel-lists/read.ts";
import { ChannelListFile, TunerCount, TunerId, WarmUpMs } from "../config-parts.ts";
import { addressAt, atHttpAddress, type TunerKind } from "../kind.ts";
import { completeTriplet } from "../match.ts";
import { ServerAddress, type StreamAnswer, type TunerParts, tunerServer } from "../server.ts";
import {
  firstOf,
  type Lineup,
  type Refusal,
  type ServerInput,
  serverTuners,
  usualMeaning,
} from "../server-tuners.ts";

/** An enigma2 box. Its services come from its bouquets (OpenWebif), or from its lamedb. */
const Enigma2TunerConfig = z.strictObject({
  kind: z.literal("enigma2"),
  id: TunerId,
  address: ServerAddress.describe("Address of the box's OpenWebif, such as http://192.0.2.8."),
  streamPort: z.int().min(1).max(65_535).default(8001),
  channelList: ChannelListFile.optional().describe(
    "The box's lamedb; it replaces OpenWebif's list of services.",
  ),
  count: TunerCount,
  warmUpMs: WarmUpMs.default(5 * SECOND),
});
type Enigma2TunerConfig = z.infer<typeof Enigma2TunerConfig>;

export const enigma2: TunerKind<Enigma2TunerConfig> = {
  kind: "enigma2",
  name: "Enigma2 receiver",
  schema: Enigma2TunerConfig,
  open: enigma2Tuners,
  ...atHttpAddress,
  address: addressAt("address", {
    label: "Address of the receiver",
    example: "http://192.0.2.8",
    channelList: "optional",
  }),
  check: async ({ channelList }) => {
    if (channelList !== undefined) await readChannelList(channelList);
  },
  hasUsers: true,
};

const Entry = z.object({ servicereference: z.string(), servicename: Words });
const Bouquets = z.object({ services: listOf(z.object({ subservices: listOf(Entry) })) });
const About = z.object({ info: z.object({ tuners: z.array(z.unknown()).catch([]) }) });

/** Values are empty texts while nothing is on screen. Decibels are a text, or a bare number if the tuner reports none. */
const Percent = z.number().min(0).max(100).optional().catch(undefined);
const Current = z.object({
  info: z.object({
    ref: z.string().default(""),
    tunernumber: z.int().min(0).max(25).optional().catch(undefined),
    snr: Percent,
    agc: Percent,
    snr_db: z.string().optional().catch(undefined),
  }),
});

/** The box names its tuners by letters. */
const LETTER_A = 65;

/**
 * type:0:service type:SID:TSID:ONID:namespace, hexadecimal, then an address and a name. Type 1 is DVB; a reference with an address is
 * another stream.
 */
const REFERENCE = /^(1:0:([0-9A-F]+):([0-9A-F]+):([0-9A-F]+):([0-9A-F]+):([0-9A-F]+):0:0:0)(?::(?::.*)?)?$/i;

async function enigma2Tuners(config: Enigma2TunerConfig, parts: TunerParts): Promise<readonly TunerDriver[]> {
  const server = tunerServer(config, parts);
  const { streamPort, channelList } = config;
  const listed = channelList === undefined ? undefined : await referencesOf(channelList);

  async function lineup(signal: AbortSignal): Promise<Lineup> {
    const { info } = await server.ask("api/about", About, signal);
    const references = listed ?? (await referencesAsked(signal));
    const sources = new Map<string, Source>();
    const offers: KnownService[] = [];
    for (const { reference, name } of references) {
      const [sid, tsid, onid] = idsOf(reference);
      const triplet = { onid, tsid, sid };
      const key = tripletKey(triplet);
      if (sources.has(key)) continue;
      sources.set(key, { url: streamOf(reference), programme: "single" });
      offers.push({ triplet, name });
    }
    return {
      ...(info.tuners.length === 0 ? {} : { tuners: Math.min(64, info.tuners.length) }),
      ids: sources.keys(),
      services: sources,
      example: firstOf(sources),
      offers,
      sourceOf: (service) => sources.get(tripletKey(service)),
    };
  }

  async function referencesAsked(signal: AbortSignal): Promise<readonly Referred[]> {
    const { services } = await server.ask("api/getallservices", Bouquets, signal);
    return services.flatMap(({ subservices }) =>
      subservices.flatMap(({ servicereference, servicename: name }) => {
        const [, reference] = REFERENCE.exec(unescaped(servicereference)) ?? [];
        return reference === undefined ? [] : [{ reference: `${reference}:`, name }];
      }),
    );
  }

  /** The box reports only the tuner of the service on its screen. */
  async function inputs(signal: AbortSignal): Promise<readonly ServerInput[]> {
    const { info } = await server.ask("api/getcurrent", Current, signal);
    const { tunernumber, snr, agc, snr_db } = info;
    const reference = unescaped(info.ref);
    if (tunernumber === undefined || !REFERENCE.test(reference)) return [];
    const [, tsid, onid] = idsOf(reference);
    const decibel = Number.parseFloat(snr_db ?? "");
    return [
      {
        input: `Tuner ${String.fromCodePoint(LETTER_A + tunernumber)}`,
        ...withoutUndefined({
          strengthPercent: agc,
          qualityPercent: snr,
          snrDb: Number.isNaN(decibel) ? undefined : decibel,
        }),
        holds: (service) => service.onid === onid && service.tsid === tsid,
      },
    ];
  }

  function streamOf(reference: string): string {
    const base = new URL(config.address);
    base.protocol = "http:";
    base.port = String(streamPort);
    return server.streamUrl(`/${reference}`, base);
  }

  const whyNot = server.whyNot(meaningOf);
  return serverTuners(
    { config, server, servicesAtOnce: Number.POSITIVE_INFINITY, lineup, whyNot, inputs },
    parts,
  );
}

/** A service reference of the box. */
interface Referred {
  readonly reference: string;
  readonly name: string;
}

/** Text with invalid escapes is used unchanged. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function idsOf(reference: string): readonly [sid: number, tsid: number, onid: number] {
  const [sid = 0, tsid = 0, onid = 0] = (REFERENCE.exec(reference)?.slice(3, 6) ?? []).map((part) =>
    Number.parseInt(part, 16),
  );
  return [sid, tsid, onid];
}

/** @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN */
async function referencesOf(file: string): Promise<readonly Referred[]> {
  const { services } = await readChannelList(file);
  return services.flatMap(({ ids, name, namespace, serviceType = 1 }) => {
    const triplet = completeTriplet(ids);
    if (triplet === undefined || namespace === undefined) return [];
    const parts = [serviceType, triplet.sid, triplet.tsid, triplet.onid, namespace];
    const reference = `1:0:${parts.map((part) => part.toString(16).toUpperCase()).join(":")}:0:0:0:`;
    return [{ reference, name }];
  });
}

/** The box answers 200 before it tunes. Without a free tuner, the body is another status line, or empty. */
function meaningOf(answer: StreamAnswer): Refusal | undefined {
  if (answer.kind !== "flows") return usualMeaning(answer);
  const begin = Buffer.from(answer.begin).toString("latin1");
  return begin.startsWith("HTTP/1.") ? { code: "TUNER_IN_USE" } : usualMeaning(answer);
}
