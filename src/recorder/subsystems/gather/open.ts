import type { Readable } from "node:stream";
import { broadcastDesk } from "../../../guide-wire/broadcast.ts";
import type { GuideClient } from "../../../guide-wire/client.ts";
import type { Log } from "../../../kit/log.ts";
import { anyAbort, type Clock, systemChance } from "../../../kit/time/clock.ts";
import type { KnownService } from "../../../model/channel-match.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { GatherStatus } from "../../../model/gathering.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { BroadcastDesk, OpenInspection, Source, WorkRegister } from "../../../model/ports.ts";
import { type Triplet, type TripletKey, tripletKey } from "../../../model/service.ts";
import { schemeOf } from "../../../model/source.ts";
import type { TunerId } from "../../../model/tuner.ts";
import { GuideSections } from "../../../mpeg-ts/tables/broadcast-guide.ts";
import { GuideTables } from "../../../mpeg-ts/tables/guide-tables.ts";
import { NetworkCodings } from "../../../mpeg-ts/tables/networks.ts";
import { copiesBytes } from "../../capture/ffmpeg-arguments.ts";
import { indexFailureLog } from "../../capture/index-file.ts";
import { CAPTURE_LIMITS } from "../../capture/limits.ts";
import { openView, type ViewParts } from "../../capture/view.ts";
import { networkSettings } from "../../config/networks.ts";
import type { Config } from "../../config/schema.ts";
import type { HeldLease, LeaseDesk } from "../../engine/runtime/lease-desk.ts";
import type { Subsystem } from "../../engine/runtime/subsystem.ts";
import { type GuideTap, inspecting } from "../../evidence/file-inspection.ts";
import { Gatherer } from "./gatherer.ts";
import { GATHER_LIMITS } from "./limits.ts";
import { Tour, type TourLimits, type TourParts } from "./tour.ts";

export type IdleLimits = TourLimits &
  Pick<Readonly<Record<keyof typeof GATHER_LIMITS, number>>, "idleListenMs" | "idleQuietMs">;

interface GatheringParts {
  readonly client: GuideClient;
  /** The guide's name of the channel that was matched to a service: the guide recognises the service by it. */
  readonly nameFor: (service: Triplet) => string | undefined;
  readonly view: ViewParts;
  /** Gathering stops while it is set aside. */
  readonly register: WorkRegister;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: IdleLimits;
}

/** The services that a multiplex named while a tuner was open for `asked`. */
export interface FoundServices {
  readonly asked: Triplet;
  readonly tunerId: TunerId;
  /** Services named by SDTs. */
  readonly named: readonly KnownService[];
  /** Those of them on this multiplex. */
  readonly here: readonly KnownService[];
}

/** The inputs of listening on idle tuners, and the receiver of its results. */
export interface Idle extends Pick<TourParts, "services" | "tuners"> {
  readonly desk: LeaseDesk;
  /** Whether more services are needed, even if the guide takes no data. */
  readonly isInDoubt: () => boolean;
  readonly onHeard: (heard: FoundServices) => Promise<void>;
}

/** Gathers EIT data (EIT) from recorded streams and from idle tuners. */
export interface Gathering {
  /** An inspection of a recording that passes the tables on, and writes the index of access points. */
  readonly openInspection: OpenInspection;
  readonly status: () => GatherStatus | undefined;
  /** Sends gathered data to the guide service, and listens on idle tuners. */
  subsystem(idle: Idle): Subsystem;
}

export function openGathering(
  { guide, networks: entries }: Config,
  { client, nameFor, view, register, clock, log, limits }: GatheringParts,
): Gathering {
  const networks = networkSettings(entries);
  const index = indexFailureLog(log);
  if (!guide.broadcast)
    return {
      openInspection: inspecting({ networks, index }),
      status: () => undefined,
      subsystem: () => ({ name: "gathering" }),
    };
  const codings = new NetworkCodings(networks);
  const newTables = () => new GuideTables({ eventsMax: GATHER_LIMITS.events, codings });
  const gatherer = new Gatherer({
    desk: withGuideNames(broadcastDesk(client), nameFor),
    newTables,
    clock,
    chance: systemChance,
    log,
  });

  const work = { kind: "broadcast-guide", subject: "" } as const;
  const tap: GuideTap = {
    isLive: (mtimeMs) => gatherer.isLive(mtimeMs) && !register.isSetAside(work),
    section: (pid, section, source) => {
      register.begin(work);
      gatherer.section(pid, section, source);
    },
  };

  async function tour({ desk, isInDoubt, onHeard, ...world }: Idle, signal: AbortSignal): Promise<void> {
    const isWanted = () => (gatherer.isWanted || isInDoubt()) && !register.isSetAside(work);
    const wanted: Pick<Gatherer, "section"> = {
      section: (pid, section, source) => {
        if (gatherer.isWanted) tap.section(pid, section, source);
      },
    };
    const listen = async (service: Triplet, until: AbortSignal) => {
      const order = { desk, service, gatherer: wanted, newTables, view, limits };
      const { told, ...services } = await listenWithIdle(order, until);
      if (told.size > 0 && gatherer.isWanted) gatherer.idleTunerRead();
      await onHeard({ asked: service, ...services });
      return told;
    };
    await new Tour({ ...world, isWanted, listen, clock, chance: systemChance, log, limits }).run(signal);
  }

  return {
    openInspection: inspecting({ tap, networks, index }),
    status: () => gatherer.status,
    subsystem: (idle) => ({
      name: "gathering",
      run: async (signal) => {
        await Promise.all([gatherer.run(signal), guide.idleTuners ? tour(idle, signal) : undefined]);
      },
    }),
  };
}

/** Uses the guide's names for services that were matched to its channels. */
function withGuideNames(desk: BroadcastDesk, nameFor: GatheringParts["nameFor"]): BroadcastDesk {
  return {
    ...desk,
    bring: (services, signal) =>
      desk.bring(
        services.map((service) => ({ ...service, name: nameFor(service.triplet) ?? service.name })),
        signal,
      ),
  };
}

interface Listening extends Pick<Idle, "desk"> {
  readonly service: Triplet;
  readonly gatherer: Pick<Gatherer, "section">;
  readonly newTables: () => GuideTables;
  readonly view: ViewParts;
  readonly limits: IdleLimits;
}

/** Whether ffmpeg passes the stream on unchanged; otherwise it remuxes it, without event tables. */
function isPassedThrough({ url, programme }: Source): boolean {
  const scheme = schemeOf(url);
  // The tables of a sole service name it by ids that no channel has.
  return scheme !== undefined && programme !== "sole" && copiesBytes({ scheme, programme: "single" });
}

interface ReceivedTables extends Pick<FoundServices, "named" | "here"> {
  /** Services with events. */
  readonly told: ReadonlySet<TripletKey>;
}

/** @see TourParts.listen */
async function listenWithIdle(
  { desk, service, gatherer, newTables, view, limits }: Listening,
  signal: AbortSignal,
): Promise<ReceivedTables & Pick<FoundServices, "tunerId">> {
  const forMs = MODEL_LIMITS.tuneMs + CAPTURE_LIMITS.firstPayloadMs + limits.idleListenMs;
  await using lease = await desk.take({ use: "gathering", service, forMs }, signal);
  const { tunerId } = lease;
  if (!isPassedThrough(lease.source)) return { told: new Set(), tunerId, named: [], here: [] };
  using over = anyAbort([signal, lease.ended]);
  const until = over.signal;
  // Claim a single service: then the bytes come unchanged, with the tables of all others.
  const source = { ...lease.source, programme: "single" as const };
  try {
    const { stream, ended } = await openView({ source, service }, view, until);
    const heard = await readTables(
      stream,
      { service, gatherer, newTables, clock: view.clock, limits },
      until,
    );
    await ended;
    until.throwIfAborted();
    return { ...heard, tunerId };
  } catch (error) {
    if (lease.ended.aborted) throw lease.ended.reason;
    throw (await explainSilence(lease, error, until)) ?? error;
  }
}

/** Asks the tuner or its server why nothing came: busy is different from nothing there. */
async function explainSilence(
  { explain }: HeldLease,
  error: unknown,
  signal: AbortSignal,
): Promise<RecorderdError | undefined> {
  if (!(error instanceof RecorderdError) || error.code !== "STREAM_NO_DATA") return undefined;
  return explain?.(signal);
}

/** Reads until there is no new data, the time is over, or the stream ends; destroys the stream. */
async function readTables(
  stream: Readable,
  {
    service,
    gatherer,
    newTables,
    clock,
    limits,
  }: Pick<Listening, "service" | "gatherer" | "newTables" | "limits"> & { readonly clock: Clock },
  signal: AbortSignal,
): Promise<ReceivedTables> {
  // Separate tables: the gatherer's are sent and cleared meanwhile, and then everything would be new to it.
  const heard = newTables();
  const key = tripletKey(service);
  const sections = new GuideSections((pid, section) => {
    heard.section(pid, section);
    gatherer.section(pid, section, key);
  });
  const enough = new AbortController();
  let newsMs = clock.monotonicMs();
  stream.on("data", (bytes: Uint8Array) => {
    const before = heard.eventsRead;
    sections.push(bytes);
    const nowMs = clock.monotonicMs();
    if (heard.eventsRead > before) newsMs = nowMs;
    else if (nowMs - newsMs >= limits.idleQuietMs) enough.abort();
  });
  stream.once("close", () => enough.abort());
  stream.on("error", () => enough.abort());
  using over = anyAbort([signal, enough.signal]);
  await clock.sleep(limits.idleListenMs, over.signal).catch(() => {});
  stream.destroy();
  const told = new Set(heard.guide().services.map(({ triplet }) => tripletKey(triplet)));
  return { told, named: heard.namedServices(), here: heard.ownServices() };
}
