import { z } from "zod";
import type { KnownService } from "../../../model/channel-match.ts";
import type { ErrorCode } from "../../../model/errors.ts";
import type { TunerDriver } from "../../../model/ports.ts";
import { parseTriplet, type Triplet, type TripletKey, tripletKey } from "../../../model/service.ts";
import { ServiceSet } from "../../../model/service-set.ts";
import { SECOND } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { listOf, OptionalId, Words, wholeNumber } from "../answer-fields.ts";
import { TunerCount, TunerId, WarmUpMs } from "../config-parts.ts";
import { HDHOMERUN_DISCOVERY } from "../hdhomerun-discovery.ts";
import { addressAt, atHttpAddress, type TunerKind } from "../kind.ts";
import { ServerAddress, type StreamAnswer, type TunerParts, tunerServer } from "../server.ts";
import {
  byPair,
  type Lineup,
  type Refusal,
  type ServerInput,
  serverTuners,
  usualMeaning,
} from "../server-tuners.ts";

/** An HDHomeRun, or a compatible server. Each stream uses one tuner of the device. */
const HdhomerunTunerConfig = z.strictObject({
  kind: z.literal("hdhomerun"),
  id: TunerId,
  address: ServerAddress.describe("Address of the device, such as http://192.0.2.5."),
  originalNetworkId: z
    .int()
    .min(0)
    .max(0xffff)
    .optional()
    .describe(
      "The network that the device receives, as it does not report it. Without it, services of any network match.",
    ),
  count: TunerCount,
  warmUpMs: WarmUpMs.default(3 * SECOND),
});
type HdhomerunTunerConfig = z.infer<typeof HdhomerunTunerConfig>;

export const hdhomerun: TunerKind<HdhomerunTunerConfig> = {
  kind: "hdhomerun",
  name: "HDHomeRun",
  schema: HdhomerunTunerConfig,
  open: hdhomerunTuners,
  ...atHttpAddress,
  address: addressAt("address", { label: "Address of the device", example: "http://192.0.2.5" }),
  discovery: HDHOMERUN_DISCOVERY,
  advice: { TUNER_FORBIDDEN: "Record the show from another channel: the device has no setting for this." },
};

const Device = z.object({ TunerCount: wholeNumber(1, 64).optional().catch(undefined) });
const Channel = z.object({
  GuideNumber: Words,
  GuideName: Words,
  URL: z.string(),
  /** Both ids are missing until the device tunes the channel after a scan. */
  TransportStreamID: OptionalId,
  ProgramNumber: OptionalId,
  /** Protected against copying: only the maker's programs get it. */
  DRM: z.coerce.number().catch(0),
});
type Channel = z.infer<typeof Channel>;
const Channels = listOf(Channel);
const Percent = z.number().min(0).max(100).optional().catch(undefined);
/** One entry per tuner; an idle tuner has only a name. */
const Status = listOf(
  z.object({
    Resource: z.string(),
    VctNumber: z.coerce.string().optional(),
    SignalStrengthPercent: Percent,
    SignalQualityPercent: Percent,
    SymbolQualityPercent: Percent,
  }),
);

async function hdhomerunTuners(
  config: HdhomerunTunerConfig,
  parts: TunerParts,
): Promise<readonly TunerDriver[]> {
  const server = tunerServer(config, parts);
  const { originalNetworkId } = config;

  let channelOf: (key: TripletKey) => Channel | undefined = () => undefined;

  async function lineup(signal: AbortSignal): Promise<Lineup> {
    const { TunerCount: tuners } = await server.ask("discover.json", Device, signal);
    const channels = await server.ask("lineup.json?tuning", Channels, signal);
    // Channels without a usable address, and those that it never streams, are skipped.
    const known = channels.filter(
      ({ TransportStreamID: tsid, ProgramNumber: sid, URL: url, DRM }) =>
        DRM !== 1 && tsid !== undefined && sid !== undefined && URL.canParse(url, config.address),
    );
    const found = byPair(
      known,
      ({ TransportStreamID, ProgramNumber }) => `${TransportStreamID}/${ProgramNumber}`,
      { tunerId: config.id, log: parts.log },
    );
    channelOf = (key) => {
      const service = parseTriplet(key);
      if (service === undefined || (originalNetworkId ?? service.onid) !== service.onid) return undefined;
      return found.get(`${service.tsid}/${service.sid}`);
    };
    return {
      ...withoutUndefined({ tuners }),
      ids: found.keys(),
      services: new ServiceSet([...found.keys()].map((pair) => `${originalNetworkId ?? "*"}/${pair}`)),
      example: parseTriplet(`${originalNetworkId ?? 0}/${[...found.keys()][0]}`),
      // Without its network a service has no triplet.
      offers: originalNetworkId === undefined ? [] : known.flatMap((one) => offerOf(one, originalNetworkId)),
      sourceOf: ({ onid, tsid, sid }) => {
        const channel = channelOf(`${onid}/${tsid}/${sid}`);
        return channel === undefined ? undefined : { url: streamOf(channel.URL), programme: "single" };
      },
    };
  }

  /** The device chooses path and port; the host stays the configured one. */
  function streamOf(url: string): string {
    const reported = new URL(url, config.address);
    const base = new URL(config.address);
    base.port = reported.port;
    return server.streamUrl(`${reported.pathname}${reported.search}`, base);
  }

  async function inputs(signal: AbortSignal): Promise<readonly ServerInput[]> {
    const tuners = await server.ask("status.json", Status, signal);
    return tuners.flatMap(({ Resource: input, VctNumber: number, ...said }) => {
      if (number === undefined) return [];
      return [
        {
          input,
          ...withoutUndefined({
            strengthPercent: said.SignalStrengthPercent,
            qualityPercent: said.SignalQualityPercent,
            errorFreePercent: said.SymbolQualityPercent,
          }),
          holds: (service: Triplet) => channelOf(tripletKey(service))?.GuideNumber === number,
        },
      ];
    });
  }

  const whyNot = server.whyNot(meaningOf);
  return serverTuners({ config, server, servicesAtOnce: 1, lineup, whyNot, inputs }, parts);
}

function offerOf(
  { TransportStreamID: tsid, ProgramNumber: sid, GuideName: name, GuideNumber: number }: Channel,
  onid: number,
): readonly KnownService[] {
  if (tsid === undefined || sid === undefined) return [];
  // ATSC numbers such as 5.1 are not DVB channel numbers.
  const lcn = /^\d{1,5}$/.test(number) ? Number(number) : undefined;
  return [{ triplet: { onid, tsid, sid }, name, ...(lcn === undefined ? {} : { lcn }) }];
}

/** By the code in X-HDHomeRun-Error ("805 All Tuners In Use"): most of them have status 503. */
const MEANINGS: Readonly<Record<string, ErrorCode>> = {
  801: "TUNER_SERVICE_UNKNOWN",
  803: "TUNER_IN_USE",
  804: "TUNER_IN_USE",
  805: "TUNER_IN_USE",
  806: "TUNER_NO_LOCK",
  807: "TUNER_NO_LOCK",
  811: "TUNER_FORBIDDEN",
};

/** The device has no users. */
const PROTECTED: Refusal = {
  code: "TUNER_FORBIDDEN",
  text: "its device does not give this channel to other programs: it is protected against copying",
};

function meaningOf(answer: StreamAnswer): Refusal | undefined {
  if (answer.kind !== "refused") return usualMeaning(answer);
  const error = /^\d+/.exec(answer.headers["x-hdhomerun-error"] ?? "")?.[0] ?? "";
  const code = MEANINGS[error];
  if (code === "TUNER_FORBIDDEN") return PROTECTED;
  return code === undefined ? usualMeaning(answer) : { code };
}
