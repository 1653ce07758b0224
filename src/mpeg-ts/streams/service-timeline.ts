import type { ClockEnds, ClockSource, Doubt, Lack, StreamFacts, Track } from "../../model/inspection.ts";
import { type DurationMs, type EpochMs, SECOND } from "../../model/time.ts";
import { merged, type Window } from "../../model/window.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { Doubts } from "../looks/doubts.ts";
import type { UnitLook } from "../looks/unit-look.ts";
import type { ProgrammeMap } from "../tables/tables.ts";
import { type FoundStream, presenceOf } from "./presence.ts";
import { ServiceClock, type SourceId } from "./service-clock.ts";
import { Spans, TICKS_PER_MS, toMs } from "./spans.ts";
import { between, type Reading } from "./stream-clock.ts";
import { StreamLine } from "./stream-line.ts";

/** An event on the PIDs of a service, in packet order. */
export type TimelineEntry =
  | ({ readonly kind: "pcr"; readonly pid: number } & Reading)
  /** With the look of the unit before it. */
  | {
      readonly kind: "unit";
      readonly pid: number;
      readonly stamp?: number;
      readonly look?: UnitLook | undefined;
    }
  | { readonly kind: "map"; readonly sid: number; readonly map: ProgrammeMap | undefined }
  | { readonly kind: "time"; readonly localMs: EpochMs }
  /** Something is wrong with a packet; without a PID, nobody knows whose. */
  | { readonly kind: "flaw"; readonly pid?: number };

export interface TimelineFacts {
  readonly clock: ClockSource;
  readonly clockEnds?: ClockEnds;
  readonly clockBreaks: readonly DurationMs[];
  readonly streamMs: DurationMs;
  readonly spans: readonly Window[];
  readonly flawed: readonly Window[];
  readonly lacks: readonly Lack[];
  readonly doubts: readonly Doubt[];
  readonly tracks: readonly Track[];
  readonly firstTime?: TimeStamp;
  readonly lastTime?: TimeStamp;
}

export interface TimeStamp {
  /** The broadcast's time as its network counts it. */
  readonly localMs: EpochMs;
  readonly streamMs: DurationMs;
}

/** The facts of a stream whose clock was not found. @param times first and last time of the broadcast, as its network counts it */
export function factsWithoutTimeline(
  times: { readonly first: EpochMs; readonly last: EpochMs } | undefined,
): TimelineFacts {
  const nothing = {
    clock: "none",
    spans: [],
    flawed: [],
    lacks: [],
    doubts: [],
    tracks: [],
    streamMs: 0,
    clockBreaks: [],
  } as const;
  if (times === undefined) return nothing;
  const at = (localMs: EpochMs) => ({ localMs, streamMs: 0 });
  return { ...nothing, firstTime: at(times.first), lastTime: at(times.last) };
}

interface FollowedStream {
  readonly facts: StreamFacts;
  readonly line: StreamLine;
  readonly doubts: Doubts;
}

interface OpenEra {
  /** In ticks since the clock's first reading. */
  start: number;
  readonly streams: readonly FollowedStream[];
}

const HAS_LINE: ReadonlySet<StreamFacts["kind"]> = new Set(["video", "audio", "subtitle", "teletext"]);

/** The timeline of one service: its clock, and the presence of each elementary stream. */
export class ServiceTimeline {
  readonly #clock: ServiceClock;
  readonly #streams: FollowedStream[] = [];
  readonly #byPid = new Map<number, FollowedStream>();
  readonly #eras: OpenEra[] = [];
  /** Whole seconds. */
  readonly #flawed = new Spans();
  #pcrPid: number;
  #firstTime: TimeStamp | undefined;
  #lastTime: TimeStamp | undefined;

  constructor(source: SourceId, map: ProgrammeMap) {
    this.#pcrPid = map.pcrPid;
    this.#clock = new ServiceClock(
      { source, pcrPid: map.pcrPid },
      {
        jumped: (end, start) => {
          for (const { line, doubts } of this.#streams) {
            line.resume(end, start);
            doubts.resume(end, start);
          }
        },
        inserted: (at, lost) => this.#inserted(at, lost),
        readingsShifted: (by) => {
          for (const { line } of this.#streams) line.shiftLead(by);
        },
      },
    );
    this.#follow(map);
  }

  get positionMs(): DurationMs {
    return this.#clock.line.positionMs;
  }

  /** Whether the PCRs of a PID may belong to this service. */
  readsPcr(pid: number): boolean {
    return pid === this.#pcrPid || this.#byPid.has(pid);
  }

  /** @returns whether the service's clock was read */
  apply(entry: TimelineEntry): boolean {
    switch (entry.kind) {
      case "pcr":
        return this.readsPcr(entry.pid) && this.#clock.read({ kind: "pcr", pid: entry.pid }, entry);
      case "unit":
        return this.#unit(entry);
      case "map":
        this.#follow(entry.map);
        return false;
      case "time":
        this.#timePassed(entry.localMs);
        return false;
      case "flaw":
        if (entry.pid === undefined || this.#byPid.has(entry.pid)) this.#flaw(this.#clock.line.position);
        return false;
    }
  }

  /** @param wasScrambled whether packets of a PID came scrambled: such a stream was sent, too */
  facts(wasScrambled: (pid: number) => boolean): TimelineFacts {
    const { line, source } = this.#clock;
    const { ends, breaks, positionMs, spans: runs } = line;
    const found = new Map(this.#streams.map((stream) => [stream, this.#found(stream, wasScrambled)]));
    const eras = this.#eras.map(({ start, streams }, index) => ({
      start: toMs(start),
      stop: toMs(this.#eras[index + 1]?.start ?? line.position),
      streams: streams.flatMap((stream) => found.get(stream) ?? []),
    }));
    return {
      clock: source,
      ...(ends === undefined ? {} : { clockEnds: ends }),
      clockBreaks: breaks,
      streamMs: positionMs,
      flawed: merged([...this.#flawed.windows, ...breaks.map((at) => secondOf(at, SECOND))]),
      ...presenceOf(runs, eras),
      ...(this.#firstTime === undefined ? {} : { firstTime: this.#firstTime }),
      ...(this.#lastTime === undefined ? {} : { lastTime: this.#lastTime }),
    };
  }

  #found({ facts, line, doubts }: FollowedStream, wasScrambled: (pid: number) => boolean): FoundStream {
    const { position } = this.#clock.line;
    const wasSent = line.wasSent || wasScrambled(facts.pid);
    return { facts, wasSent, spans: line.windows(position), doubts: doubts.spans(position) };
  }

  #unit({ pid, stamp, look }: TimelineEntry & { readonly kind: "unit" }): boolean {
    const stream = this.#byPid.get(pid);
    if (stream === undefined) return false;
    const { kind } = stream.facts;
    const mayTell = stamp !== undefined && (kind === "video" || kind === "audio");
    const wasRead =
      mayTell && this.#clock.read({ kind: "timestamps", pid }, { ticks: stamp, signalled: false });
    const { position, reading } = this.#clock.line;
    const isPlaced = stamp !== undefined && reading !== undefined;
    if (look !== undefined) stream.doubts.unit(position, look);
    stream.line.unit({ position, ...(isPlaced ? { lead: between(reading, stamp) } : {}) });
    return wasRead;
  }

  #flaw(position: number): void {
    const { start, stop } = secondOf(position, SECOND * TICKS_PER_MS);
    this.#flawed.add(start, stop);
  }

  #follow(map: ProgrammeMap | undefined): void {
    const streams = (map?.streams ?? [])
      .filter(({ kind }) => HAS_LINE.has(kind))
      .flatMap((facts) => this.#streamOf(facts));
    const isNews = !isSameList(this.#eras.at(-1)?.streams, streams);
    if (isNews && this.#eras.length >= MPEG_TS_LIMITS.eras) return;
    this.#byPid.clear();
    for (const stream of streams) this.#byPid.set(stream.facts.pid, stream);
    if (map !== undefined) this.#pcrPid = map.pcrPid;
    this.#clock.follow(this.#pcrPid);
    // Most new versions of a PMT change something else, and some encoders send nothing but new versions.
    if (isNews) this.#eras.push({ start: this.#eras.length === 0 ? 0 : this.#clock.line.position, streams });
  }

  /** PID and kind identify a stream. */
  #streamOf(facts: StreamFacts): readonly FollowedStream[] {
    const known = this.#streams.find(({ facts: { pid, kind } }) => pid === facts.pid && kind === facts.kind);
    if (known !== undefined) return [known];
    if (this.#streams.length >= MPEG_TS_LIMITS.tracks) return [];
    const { position } = this.#clock.line;
    const made = { facts, line: new StreamLine(position, facts.mayStill), doubts: new Doubts(position) };
    this.#streams.push(made);
    return [made];
  }

  #timePassed(localMs: EpochMs): void {
    const { line } = this.#clock;
    if (this.#lastTime !== undefined) line.elapsed(localMs - this.#lastTime.localMs, this.#lastTime.streamMs);
    this.#lastTime = { localMs, streamMs: line.positionMs };
    this.#firstTime ??= this.#lastTime;
  }

  #inserted(at: number, lost: number): void {
    for (const { line, doubts } of this.#streams) {
      line.insert(at, lost);
      doubts.insert(at, lost);
    }
    for (const era of this.#eras) if (era.start > at) era.start += lost;
    this.#flawed.insert(at, lost);
  }
}

function isSameList<T>(before: readonly T[] | undefined, after: readonly T[]): boolean {
  return before?.length === after.length && before.every((each, index) => each === after[index]);
}

/** The second of the timeline in which an instant lies. @param second its length, in the unit of `at` */
function secondOf(at: number, second: number): Window {
  const start = Math.floor(at / second) * second;
  return { start, stop: start + second };
}

/** After this much reading, a source becomes the clock if the one named by the PMT is missing: PCRs before timestamps. */
const CHOICE_TICKS = { pcr: 2000 * TICKS_PER_MS, timestamps: 3000 * TICKS_PER_MS };

interface FoundClock {
  readonly source: SourceId;
  readonly first: number;
  /** Packets of all PIDs up to its first reading. */
  readonly packets: number;
  /** From its first reading to its latest. */
  ticks: number;
}

/** Keeps possible clock readings and units until the tables show which packets belong to the service, then replays them. */
export class TimelineBeginning {
  #entries: TimelineEntry[] = [];
  readonly #clocks = new Map<string, FoundClock>();

  /** @param packets of all PIDs, up to this one */
  add(entry: TimelineEntry, packets: number): void {
    // After this long without tables, nothing is known of the beginning.
    if (this.#entries.length >= MPEG_TS_LIMITS.beginnings)
      this.#entries = this.#entries.slice(MPEG_TS_LIMITS.beginnings / 2);
    if (entry.kind === "flaw" && isSameFlaw(entry, this.#entries.at(-1))) return;
    this.#entries.push(entry);
    if (entry.kind === "pcr")
      this.#noteClock({ kind: "pcr", pid: entry.pid }, { reading: entry.ticks, packets });
    if (entry.kind === "unit" && entry.stamp !== undefined)
      this.#noteClock({ kind: "timestamps", pid: entry.pid }, { reading: entry.stamp, packets });
  }

  /**
   * The chosen service and its timeline.
   *
   * @param programmes candidate services, the best first
   * @param isLast nothing more will come: any clock counts, although a better one could appear
   */
  timeline(
    programmes: readonly Programme[],
    { isLast }: { readonly isLast: boolean },
  ): ChosenTimeline | undefined {
    if (this.#clocks.size === 0) return undefined;
    for (const programme of programmes) {
      const named = this.#clocks.get(`pcr ${programme.map.pcrPid}`);
      if (named !== undefined) return this.#read(programme, named);
    }
    for (const programme of programmes) {
      const streams = programme.map.streams.filter(({ kind }) => kind === "video" || kind === "audio");
      const sources = (["pcr", "timestamps"] as const).flatMap((kind) =>
        streams.flatMap(({ pid }) => this.#clocks.get(`${kind} ${pid}`) ?? []),
      );
      const best = sources.find(({ source, ticks }) => isLast || ticks >= CHOICE_TICKS[source.kind]);
      if (best !== undefined) return this.#read(programme, best);
    }
    return undefined;
  }

  #read({ sid, map }: Programme, { source, packets }: FoundClock): ChosenTimeline {
    const first = this.#entries.find((entry) => entry.kind === "map" && entry.sid === sid);
    const timeline = new ServiceTimeline(source, (first?.kind === "map" ? first.map : undefined) ?? map);
    for (const entry of this.#entries) {
      if (entry.kind !== "map" || (entry.sid === sid && entry !== first)) timeline.apply(entry);
    }
    return { sid, timeline, packetsBefore: packets };
  }

  #noteClock(
    source: SourceId,
    { reading, packets }: { readonly reading: number; readonly packets: number },
  ): void {
    const key = `${source.kind} ${source.pid}`;
    const known = this.#clocks.get(key);
    if (known === undefined) this.#clocks.set(key, { source, first: reading, packets, ticks: 0 });
    else known.ticks = Math.max(known.ticks, between(known.first, reading));
  }
}

/** Many flaws at one instant must not displace the readings of clocks. */
function isSameFlaw({ pid }: { readonly pid?: number }, before: TimelineEntry | undefined): boolean {
  return before?.kind === "flaw" && before.pid === pid;
}

export interface ChosenTimeline {
  readonly sid: number;
  readonly timeline: ServiceTimeline;
  /** Packets of all PIDs up to the first reading of its clock. */
  readonly packetsBefore: number;
}

export interface Programme {
  readonly sid: number;
  readonly map: ProgrammeMap;
}
