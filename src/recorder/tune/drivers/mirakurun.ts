import { z } from "zod";
import type { KnownService } from "../../../model/channel-match.ts";
import type { TunerDriver } from "../../../model/ports.ts";
import { parseTriplet, type Triplet, type TripletKey } from "../../../model/service.ts";
import { ServiceSet } from "../../../model/service-set.ts";
import { SECOND } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { listOf, OptionalId, Words, wholeNumber } from "../answer-fields.ts";
import { TunerCount, TunerId, WarmUpMs } from "../config-parts.ts";
import { addressAt, atHttpAddress, type TunerKind } from "../kind.ts";
import { ServerAddress, type TunerParts, tunerServer } from "../server.ts";
import { byPair, type Lineup, type ServerInput, serverTuners, usualMeaning } from "../server-tuners.ts";

/** A Mirakurun or mirakc. The server shares its tuners among the services of one multiplex. */
const MirakurunTunerConfig = z.strictObject({
  kind: z.literal("mirakurun"),
  id: TunerId,
  address: ServerAddress.describe("Address of the server, such as http://192.0.2.7:40772."),
  count: TunerCount,
  priority: z
    .int()
    .min(0)
    .max(1000)
    .default(2)
    .describe("X-Mirakurun-Priority of requests: a higher one takes a tuner from a lower one."),
  warmUpMs: WarmUpMs.default(5 * SECOND),
});
type MirakurunTunerConfig = z.infer<typeof MirakurunTunerConfig>;

export const mirakurun: TunerKind<MirakurunTunerConfig> = {
  kind: "mirakurun",
  name: "Mirakurun",
  schema: MirakurunTunerConfig,
  open: mirakurunTuners,
  ...atHttpAddress,
  address: addressAt("address", { label: "Address of the server", example: "http://192.0.2.7:40772" }),
  yielding: (config) => ({ ...config, priority: 0 }),
};

/** The server retries for a free tuner, and answers 503 after more than 12 s. */
const REFUSES_WITHIN_MS = 16 * SECOND;

const Id = wholeNumber(0, 0xffff);
const Service = z.object({
  id: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  serviceId: Id,
  networkId: Id,
  /** Only in newer versions. */
  transportStreamId: OptionalId,
  name: Words,
  remoteControlKeyId: wholeNumber(1, 99_999).optional().catch(undefined),
});
type Service = z.infer<typeof Service>;
const Services = listOf(Service);
const User = z.object({
  streamSetting: z.object({ networkId: OptionalId, serviceId: OptionalId }).optional().catch(undefined),
});
const Tuners = listOf(
  z.object({
    name: z.string().optional().catch(undefined),
    isAvailable: z.boolean().catch(true),
    users: listOf(User).catch([]),
  }),
);

async function mirakurunTuners(
  config: MirakurunTunerConfig,
  parts: TunerParts,
): Promise<readonly TunerDriver[]> {
  const { id, address } = config;
  const server = tunerServer({ id, address, refusesWithinMs: REFUSES_WITHIN_MS }, parts);
  const headers = { "X-Mirakurun-Priority": String(config.priority) };

  /** The server does not name transport streams, so services are matched by original network and service id. */
  async function lineup(signal: AbortSignal): Promise<Lineup> {
    const services = await server.ask("api/services", Services, signal);
    const tuners = await server.ask("api/tuners", Tuners, signal);
    const found = byPair(services, ({ networkId, serviceId }) => `${networkId}/${serviceId}`, {
      tunerId: id,
      log: parts.log,
    });
    const entryOf = (key: TripletKey) => {
      const service = parseTriplet(key);
      return service === undefined ? undefined : found.get(`${service.onid}/${service.sid}`);
    };
    return {
      tuners: Math.min(64, tuners.filter(({ isAvailable }) => isAvailable).length) || 1,
      ids: found.keys(),
      services: new ServiceSet([...found.keys()].map((pair) => pair.replace("/", "/*/"))),
      example: exampleOf([...found.values()]),
      offers: services.flatMap(offerOf),
      sourceOf: ({ onid, tsid, sid }) => {
        const entry = entryOf(`${onid}/${tsid}/${sid}`);
        if (entry === undefined) return undefined;
        return { url: server.streamUrl(`api/services/${entry.id}/stream`), programme: "single", headers };
      },
    };
  }

  /** The server reports users per tuner, but no signal. */
  async function inputs(signal: AbortSignal): Promise<readonly ServerInput[]> {
    const tuners = await server.ask("api/tuners", Tuners, signal);
    return tuners.map(({ name, users }) => ({
      ...withoutUndefined({ input: name, users: users.length }),
      holds: ({ onid, sid }: Triplet) =>
        users.some(
          ({ streamSetting }) => streamSetting?.networkId === onid && streamSetting.serviceId === sid,
        ),
    }));
  }

  const whyNot = server.whyNot(usualMeaning);
  return serverTuners(
    { config, server, servicesAtOnce: Number.POSITIVE_INFINITY, lineup, whyNot, inputs },
    parts,
  );
}

/** A service to try; 0 stands for the transport stream id, which the server does not name. */
function exampleOf([first]: readonly Service[]): Triplet | undefined {
  return first === undefined ? undefined : { onid: first.networkId, tsid: 0, sid: first.serviceId };
}

function offerOf({
  networkId: onid,
  transportStreamId: tsid,
  serviceId: sid,
  name,
  remoteControlKeyId: lcn,
}: Service): readonly KnownService[] {
  return tsid === undefined
    ? []
    : [{ triplet: { onid, tsid, sid }, name, ...(lcn === undefined ? {} : { lcn }) }];
}
