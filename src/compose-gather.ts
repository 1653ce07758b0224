import type { Readable } from "node:stream";
import { openView, type ViewParts } from "./capture/view.ts";
import { networkSettings } from "./config/networks.ts";
import type { Config } from "./config/schema.ts";
import type { LeaseDesk } from "./engine/lease-desk.ts";
import { Gatherer } from "./gather/gatherer.ts";
import { Tour, type TourLimits, type TourParts } from "./gather/tour.ts";
import { broadcastDesk } from "./guide/broadcast.ts";
import type { GuideClient } from "./guide/client.ts";
import { GuideSections } from "./inspect/broadcast-guide.ts";
import { type GuideTap, inspecting } from "./inspect/file-inspection.ts";
import { GuideTables } from "./inspect/guide-tables.ts";
import { NetworkCodings } from "./inspect/networks.ts";
import { type Clock, systemChance } from "./kit/clock.ts";
import type { Log } from "./kit/log.ts";
import type { GatherStatus } from "./model/gathering.ts";
import { LIMITS } from "./model/limits.ts";
import { type Triplet, type TripletKey, tripletKey } from "./model/service.ts";
import type { OpenInspection, WorkRegister } from "./ports.ts";

export type IdleLimits = TourLimits &
  Pick<Readonly<Record<keyof typeof LIMITS, number>>, "idleListenMs" | "idleQuietMs">;

interface GatheringParts {
  readonly client: GuideClient;
  readonly view: ViewParts;
  /** Nothing is gathered while that is set aside. */
  readonly register: WorkRegister;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: IdleLimits;
}

/** What idle tuners are asked with, and for. */
interface Idle extends Pick<TourParts, "channels" | "tuners"> {
  readonly desk: LeaseDesk;
}

/** What the broadcast's own tables tell of the guide, taken out of what is recorded, and of what idle tuners receive. */
interface Gathering {
  /** Inspection that lets the tables be gathered on the way. */
  readonly openInspection: OpenInspection;
  readonly status: () => GatherStatus | undefined;
  run(idle: Idle, signal: AbortSignal): Promise<void>;
}

export function openGathering(
  { guide, networks: entries }: Config,
  { client, view, register, clock, log, limits }: GatheringParts,
): Gathering {
  const networks = networkSettings(entries);
  if (!guide.broadcast)
    return { openInspection: inspecting({ networks }), status: () => undefined, run: async () => {} };
  const codings = new NetworkCodings(networks);
  const newTables = () => new GuideTables({ eventsMax: LIMITS.gatherEvents, codings });
  const gatherer = new Gatherer({
    desk: broadcastDesk(client),
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

  async function tour({ desk, ...world }: Idle, signal: AbortSignal): Promise<void> {
    const isWanted = () => gatherer.isWanted && !register.isSetAside(work);
    const listen = async (service: Triplet, until: AbortSignal) => {
      const told = await listenWithIdle({ desk, service, gatherer: tap, newTables, view, limits }, until);
      if (told.size > 0) gatherer.idleListened();
      return told;
    };
    await new Tour({ ...world, isWanted, listen, clock, chance: systemChance, log, limits }).run(signal);
  }

  return {
    openInspection: inspecting({ tap, networks }),
    status: () => gatherer.status,
    run: async (idle, signal) => {
      await Promise.all([gatherer.run(signal), guide.idleTuners ? tour(idle, signal) : undefined]);
    },
  };
}

interface Listening extends Pick<Idle, "desk"> {
  readonly service: Triplet;
  readonly gatherer: Pick<Gatherer, "section">;
  readonly newTables: () => GuideTables;
  readonly view: ViewParts;
  readonly limits: IdleLimits;
}

/** Of these ffmpeg hands on the bytes as they come; of others it makes a stream anew, without event tables. */
const AS_IT_COMES = /^(https?|udp|satip):/i;

/** @see TourParts.listen */
async function listenWithIdle(
  { desk, service, gatherer, newTables, view, limits }: Listening,
  signal: AbortSignal,
): Promise<ReadonlySet<TripletKey>> {
  const forMs = LIMITS.tuneMs + LIMITS.firstPayloadMs + limits.idleListenMs;
  await using lease = await desk.take({ use: "gathering", service, forMs }, signal);
  if (!AS_IT_COMES.test(lease.source.url)) return new Set();
  const until = AbortSignal.any([signal, lease.ended]);
  // As if the service was alone on it: then the bytes come as they are, with what is told of all others.
  const source = { ...lease.source, programme: "single" as const };
  try {
    const { stream, ended } = await openView({ source, service }, view, until);
    const told = await heardIn(stream, { service, gatherer, newTables, clock: view.clock, limits }, until);
    await ended;
    until.throwIfAborted();
    return told;
  } catch (error) {
    throw lease.ended.aborted ? lease.ended.reason : error;
  }
}

/**
 * Reads until nothing new is told, it has been long enough, or the stream ends; destroys the stream.
 *
 * @returns the services of which anything was told
 */
async function heardIn(
  stream: Readable,
  {
    service,
    gatherer,
    newTables,
    clock,
    limits,
  }: Pick<Listening, "service" | "gatherer" | "newTables" | "limits"> & { readonly clock: Clock },
  signal: AbortSignal,
): Promise<ReadonlySet<TripletKey>> {
  // Of its own: what was gathered is brought meanwhile, and then all is news to the gatherer.
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
  await clock.sleep(limits.idleListenMs, AbortSignal.any([signal, enough.signal])).catch(() => {});
  stream.destroy();
  return new Set(heard.guide().services.map(({ triplet }) => tripletKey(triplet)));
}
