import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from "../../../src/model/time.ts";
import { chanceOf } from "../../../src/simulator/weeks/chance.ts";
import { simTriplet } from "../../../src/simulator/world.ts";

/** Kinds of faults, and how many of each an evening has. */
export const FAULTS = [
  /** The daemon of the leader is killed; its captures go on. */
  "leader",
  /** A machine loses its power. */
  "power",
  /** The cable of a machine is pulled. */
  "cable",
  /** PostgreSQL starts again. */
  "restart",
  /** PostgreSQL is away without a refusal. */
  "away",
  /** The machine of PostgreSQL dies, and its replica is promoted. It can happen once. */
  "failover",
] as const;
export type Fault = (typeof FAULTS)[number];

/** An evening, as EVENING names it: `seed=3,recordings=40,leader=20,longest=300`. */
export interface EveningSize extends Readonly<Record<Fault, number>> {
  readonly seed: number;
  readonly recordings: number;
  /** Each node's own. With two, two nodes could receive everything. */
  readonly tuners: number;
  /** The longest time for which a cable is pulled, or PostgreSQL is away, in seconds. */
  readonly longest: number;
  /** From the end of a fault to the next one, in seconds. */
  readonly apart: number;
}

const SHORT: EveningSize = {
  ...{ seed: 1, recordings: 12, tuners: 2, longest: 20, apart: 18 },
  ...{ leader: 4, power: 2, cable: 3, restart: 1, away: 0, failover: 0 },
};

export function sizeOf(text: string): EveningSize {
  const size: Record<string, number> = { ...SHORT };
  for (const part of text.split(",").filter((each) => each !== "")) {
    const [, key = "", value] = /^([a-z]+)=(\d+)$/.exec(part) ?? [];
    if (!Object.hasOwn(SHORT, key)) throw new Error(`EVENING: expected ${Object.keys(SHORT)}, not ${part}`);
    size[key] = Number(value);
  }
  return { ...SHORT, ...size };
}

export interface Strike {
  readonly kind: Fault;
  /** After the begin of the evening. */
  readonly afterMs: DurationMs;
  readonly lastsMs: DurationMs;
  /** Chooses the machine. */
  readonly pick: number;
}

export interface EveningShow {
  readonly channel: number;
  readonly title: string;
  readonly start: EpochMs;
  readonly durationMs: DurationMs;
}

const MULTIPLEXES = 3;
export const SERVICES_PER_MULTIPLEX = 4;
export const CHANNELS = MULTIPLEXES * SERVICES_PER_MULTIPLEX;
export const PADDING_SECONDS = 15;
/** Strikes begin when the first recordings run, and the last ones outlive them. */
const LEAD_MS = 40 * SECOND;

export function strikesOf(size: EveningSize): readonly Strike[] {
  const chance = chanceOf(size.seed, "faults of an evening");
  const kinds = chance.shuffled(FAULTS.flatMap((kind) => Array<Fault>(size[kind]).fill(kind)));
  let afterMs = LEAD_MS;
  return kinds.map((kind) => {
    const lastsMs = lasts(kind, size, chance) * SECOND;
    const strike = { kind, afterMs, lastsMs, pick: chance.int(0, 1000) };
    afterMs += lastsMs + (size.apart + chance.int(0, 5)) * SECOND;
    return strike;
  });
}

function lasts(kind: Fault, { longest }: EveningSize, chance: ReturnType<typeof chanceOf>): number {
  switch (kind) {
    case "cable":
      return chance.int(5, Math.max(5, longest));
    case "away":
      return longest * 2;
    case "power":
      return chance.int(10, 25);
    case "leader":
      return chance.int(8, 15);
    case "restart":
    case "failover":
      return chance.int(2, 6);
  }
}

/** The shows, spread over the evening: none on a channel before the one there has ended. */
export function showsOf(size: EveningSize, begin: EpochMs): readonly EveningShow[] {
  const chance = chanceOf(size.seed, "shows of an evening");
  const last = strikesOf(size).at(-1);
  const lengthMs = Math.max(2 * MINUTE, (last?.afterMs ?? 0) + (last?.lastsMs ?? 0) - 30 * SECOND);
  const apartMs = lengthMs / size.recordings;
  const longestMs = Math.min(3 * MINUTE, apartMs * CHANNELS - 40 * SECOND);
  return Array.from({ length: size.recordings }, (_, index) => ({
    channel: channelOf(index),
    title: `Evening ${index + 1}`,
    start: begin + 20 * SECOND + Math.round((index * apartMs) / SECOND) * SECOND,
    durationMs: Math.max(40 * SECOND, Math.round((longestMs * chance.int(60, 100)) / 100 / SECOND) * SECOND),
  }));
}

/** Neighbours are in different multiplexes: they need tuners of several nodes. */
export function channelOf(index: number): number {
  const service = Math.floor(index / MULTIPLEXES) % SERVICES_PER_MULTIPLEX;
  return (index % MULTIPLEXES) * SERVICES_PER_MULTIPLEX + service + 1;
}

/** A listing of the shows for broadcasters. Without an event after it, a show would overrun. */
export function listingOf(shows: readonly EveningShow[]): string {
  const channels = Array.from({ length: CHANNELS }, (_, index) => index + 1);
  const named = channels.map(
    (each) => `<channel id="${idOf(each)}"><display-name>Sim ${each}</display-name></channel>`,
  );
  const events = channels.flatMap((channel) =>
    eventsOn(channel, shows).map((event) => programmeOf(channel, event)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<tv>${[...named, ...events].join("\n")}</tv>\n`;
}

type Listed = Pick<EveningShow, "title" | "start"> & { readonly stop: EpochMs };

function eventsOn(channel: number, shows: readonly EveningShow[]): readonly Listed[] {
  const there = shows.filter((show) => show.channel === channel);
  return there.flatMap(({ title, start, durationMs }, index) => {
    const stop = start + durationMs;
    const next = there[index + 1]?.start ?? stop + HOUR;
    return [
      { title, start, stop },
      { title: "Between the shows", start: stop, stop: next },
    ];
  });
}

function programmeOf(channel: number, { title, start, stop }: Listed): string {
  const time = (at: EpochMs) => `${new Date(at).toISOString().replace(/[-T:]/g, "").slice(0, 14)} +0000`;
  return `<programme start="${time(start)}" stop="${time(stop)}" channel="${idOf(channel)}"><title>${title}</title></programme>`;
}

function idOf(channel: number): string {
  const { onid, tsid, sid } = simTriplet(channel);
  return `tv.${[onid, tsid, sid].map((id) => id.toString(16).padStart(4, "0")).join("")}`;
}
