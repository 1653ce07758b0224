import { join } from "node:path";
import type { ShowData } from "../guide-server/domain/catalogue.ts";
import type { MisbehaviourName } from "../guide-server/misbehave.ts";
import { type GuideServer, openGuideServer } from "../guide-server/server.ts";
import type { Channel } from "../guide-wire/records.ts";
import { NO_COST } from "../kit/http/password.ts";
import type { Log } from "../kit/log.ts";
import type { Clock } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import { type Triplet, type TripletKey, tripletKey } from "../model/service.ts";
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from "../model/time.ts";
import { type Broadcaster, startBroadcaster } from "./broadcaster/broadcaster.ts";
import { loadClip } from "./broadcaster/clip.ts";
import type { Schedule } from "./broadcaster/present-following.ts";

export interface WorldOptions {
  /** Keeps the guide's data between runs. */
  readonly folder: string;
  /** Keeps the clip; other worlds may use it as well. */
  readonly clipFolder: string;
  readonly channels: number;
  /** The address of the guide service; 127.0.0.1 when absent. */
  readonly host?: string;
  /** Bad habits of the guide service. */
  readonly habits?: readonly MisbehaviourName[];
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** A show that the world will broadcast and its guide announces. */
export interface ComingShow {
  /** From 1. */
  readonly channel: number;
  readonly title: string;
  readonly start: EpochMs;
  readonly durationMs: DurationMs;
  /** Overrun beyond the times in guide and event table. */
  readonly overrunMs?: DurationMs;
  /** Further programme data in the guide. */
  readonly about?: Partial<ShowData>;
}

interface BookedShow extends ComingShow {
  /** Its id in the event tables. */
  readonly eventId: number;
}

/** A guide service and a broadcaster on loopback, with the same programme. */
export interface World extends AsyncDisposable {
  readonly guide: GuideServer;
  readonly guideUrl: string;
  readonly broadcaster: Broadcaster;
  readonly account: { readonly email: string; readonly password: string };
  /** Announces a show and books it on a device of the account. @returns the timer's id */
  book(show: ComingShow, deviceId: number): Promise<string>;
}

export const SIM_API_KEY = "simulator";
export const SIM_REGION = 1;
export const SIM_DEVICE_TYPE = 1;
const EMAIL = "viewer@sim.example";
const PASSWORD = "simulated, not secret";
const SERVICES_PER_MULTIPLEX = 4;

/** ONID and first TSID and SID like an Australian broadcaster's. */
export function simTriplet(channel: number): Triplet {
  const index = channel - 1;
  return { onid: 0x1010, tsid: 0x0221 + Math.floor(index / SERVICES_PER_MULTIPLEX), sid: 0x0220 + index };
}

export function simMultiplexes(channels: number): number {
  return Math.ceil(channels / SERVICES_PER_MULTIPLEX);
}

function simName(channel: number): string {
  return `Sim ${channel}`;
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const { folder, clipFolder, channels, host = "127.0.0.1", habits = [], clock, log, signal } = options;
  const numbers = Array.from({ length: channels }, (_, index) => index + 1);
  const coming = new Map<TripletKey, BookedShow[]>();
  let bookings = 0;
  const clip = await loadClip({ folder: clipFolder, signal });
  const guide = await openGuideServer({
    dataFolder: join(folder, "guide"),
    clock,
    log,
    apiKey: SIM_API_KEY,
    passwordCost: NO_COST,
    misbehave: { kinds: habits, seed: 1 },
  });
  await seed(guide, numbers);
  const { baseUrl } = await guide.listen({ host, port: 0 });
  const services = numbers.map((channel) => ({ triplet: simTriplet(channel), name: simName(channel) }));
  const broadcaster = await startBroadcaster({ services, clip, schedule: scheduleOf(coming), clock, log });
  return {
    guide,
    guideUrl: baseUrl,
    broadcaster,
    account: { email: EMAIL, password: PASSWORD },
    book: async (show, deviceId) => {
      const key = tripletKey(simTriplet(show.channel));
      coming.set(key, [...(coming.get(key) ?? []), { ...show, eventId: 0x8000 + bookings }]);
      bookings += 1;
      const { channel: channelId, title, start, durationMs, about } = show;
      const durationMinutes = durationMs / MINUTE;
      const showId = await guide.addShow({ ...about, channelId, title, start, durationMinutes });
      return guide.addTimer(EMAIL, { device_id: deviceId, show_id: showId });
    },
    [Symbol.asyncDispose]: async () => {
      await broadcaster.close();
      await guide[Symbol.asyncDispose]();
    },
  };
}

async function seed(guide: GuideServer, numbers: readonly number[]): Promise<void> {
  await guide.seed({
    regions: [{ id: SIM_REGION, name: "Simulated region", country: "Nowhere", timezone: "UTC" }],
    channels: numbers.map(channelOf),
    manufacturers: [{ id: "1", name: "recorderd" }],
    types: [{ id: SIM_DEVICE_TYPE, manufacturer_id: 1, manufacturer_name: "recorderd", model: "Simulator" }],
    series: [],
    shows: [],
  });
  try {
    await guide.addAccount({ email: EMAIL, password: PASSWORD, regionId: SIM_REGION });
  } catch (error) {
    // A reused folder already has the account.
    if (!(error instanceof RecorderdError) || error.facts["field"] === undefined) throw error;
  }
}

function channelOf(number: number): Channel {
  const { onid, tsid, sid } = simTriplet(number);
  const dvb = [{ original_network_id: onid, transport_stream_id: tsid, service_id: sid }];
  return { id: number, name: simName(number), region_id: SIM_REGION, lcns: String(number), dvb };
}

/** The content of the event tables: the booked shows while they run, and an hourly event in between. */
function scheduleOf(coming: ReadonlyMap<TripletKey, readonly BookedShow[]>): Schedule {
  const from = (service: Triplet, at: EpochMs) => {
    const shows = coming.get(tripletKey(service)) ?? [];
    const booked = shows.find((show) => show.start <= at && at < endOf(show));
    if (booked === undefined) {
      const hour = Math.floor(at / HOUR) * HOUR;
      const start = Math.max(hour, ...shows.map(endOf).filter((over) => over <= at));
      const end = Math.min(hour + HOUR, ...shows.map((show) => show.start).filter((next) => next > at));
      const eventId = Math.floor(start / SECOND) % 0x8000;
      return {
        event: { eventId, start, durationMs: end - start, title: "Between the shows", text: "" },
        end,
      };
    }
    const { eventId, title, start, durationMs } = booked;
    const event = { eventId, start, durationMs };
    return { event: { ...event, title, text: "Booked in the simulator." }, end: endOf(booked) };
  };
  return (service, at) => {
    const { event: present, end } = from(service, at);
    return { present, following: from(service, Math.max(at + SECOND, end)).event };
  };
}

function endOf({ start, durationMs, overrunMs = 0 }: ComingShow): EpochMs {
  return start + durationMs + overrunMs;
}
