import type { ClockEnds, ClockSource, Lack, StreamFacts, Track } from "../../model/inspection.ts";
import { LIMITS } from "../../model/limits.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import type { ProgrammeMap } from "../tables/tables.ts";
import { type FoundStream, presenceOf } from "./presence.ts";
import { ServiceClock, type SourceId } from "./service-clock.ts";
import { TICKS_PER_MS, toMs } from "./spans.ts";
import { between, type Reading } from "./stream-clock.ts";
import { StreamLine } from "./stream-line.ts";

/** What happens on the PIDs of a service, in the order of the packets. */
export type TimelineEntry =
  | ({ readonly kind: "pcr"; readonly pid: number } & Reading)
  | { readonly kind: "unit"; readonly pid: number; readonly stamp?: number }
  | { readonly kind: "map"; readonly sid: number; readonly map: ProgrammeMap | undefined }
  | { readonly kind: "time"; readonly localMs: EpochMs };

export interface TimelineFacts {
  readonly clock: ClockSource;
  readonly clockEnds?: ClockEnds;
  readonly clockBreaks: readonly DurationMs[];
  readonly streamMs: DurationMs;
  readonly spans: readonly Window[];
  readonly lacks: readonly Lack[];
  readonly tracks: readonly Track[];
  readonly firstTime?: TimeStamp;
  readonly lastTime?: TimeStamp;
}

export interface TimeStamp {
  /** The broadcast's time as its network counts it. */
  readonly localMs: EpochMs;
  readonly streamMs: DurationMs;
}

interface Followed {
  readonly facts: StreamFacts;
  readonly line: StreamLine;
}

interface OpenEra {
  /** In ticks since the clock's first reading. */
  start: number;
  readonly streams: readonly Followed[];
}

const HAS_LINE: ReadonlySet<StreamFacts["kind"]> = new Set(["video", "audio", "subtitle", "teletext"]);

/** The time line of one service: its clock, and on it the presence of each of its elementary streams. */
export class ServiceTimeline {
  readonly #clock: ServiceClock;
  readonly #streams: Followed[] = [];
  readonly #byPid = new Map<number, Followed>();
  readonly #eras: OpenEra[] = [];
  #pcrPid: number;
  #firstTime: TimeStamp | undefined;
  #lastTime: TimeStamp | undefined;

  constructor(source: SourceId, map: ProgrammeMap) {
    this.#pcrPid = map.pcrPid;
    this.#clock = new ServiceClock(
      { source, pcrPid: map.pcrPid },
      {
        jumped: (end, start) => {
          for (const { line } of this.#streams) line.resume(end, start);
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

  /** Whether PCRs of a PID may be of this service. */
  readsPcr(pid: number): boolean {
    return pid === this.#pcrPid || this.#byPid.has(pid);
  }

  /** @returns whether the clock of the service was read */
  take(entry: TimelineEntry): boolean {
    switch (entry.kind) {
      case "pcr":
        return this.readsPcr(entry.pid) && this.#clock.read({ kind: "pcr", pid: entry.pid }, entry);
      case "unit":
        return this.#unit(entry.pid, entry.stamp);
      case "map":
        this.#follow(entry.map);
        return false;
      case "time":
        this.#timePassed(entry.localMs);
        return false;
    }
  }

  facts(): TimelineFacts {
    const { line, source } = this.#clock;
    const { ends, breaks, positionMs, spans: runs } = line;
    const found = new Map(this.#streams.map((stream) => [stream, this.#found(stream)]));
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
      ...presenceOf(runs, eras),
      ...(this.#firstTime === undefined ? {} : { firstTime: this.#firstTime }),
      ...(this.#lastTime === undefined ? {} : { lastTime: this.#lastTime }),
    };
  }

  #found({ facts, line }: Followed): FoundStream {
    return { facts, wasSent: line.wasSent, spans: line.windows(this.#clock.line.position) };
  }

  #unit(pid: number, stamp: number | undefined): boolean {
    const stream = this.#byPid.get(pid);
    if (stream === undefined) return false;
    const { kind } = stream.facts;
    const mayTell = stamp !== undefined && (kind === "video" || kind === "audio");
    const wasRead =
      mayTell && this.#clock.read({ kind: "timestamps", pid }, { ticks: stamp, signalled: false });
    const { position, reading } = this.#clock.line;
    const isPlaced = stamp !== undefined && reading !== undefined;
    stream.line.unit({ position, ...(isPlaced ? { lead: between(reading, stamp) } : {}) });
    return wasRead;
  }

  #follow(map: ProgrammeMap | undefined): void {
    if (this.#eras.length >= LIMITS.inspectedEras) return;
    const streams = (map?.streams ?? [])
      .filter(({ kind }) => HAS_LINE.has(kind))
      .flatMap((facts) => this.#streamOf(facts));
    this.#byPid.clear();
    for (const stream of streams) this.#byPid.set(stream.facts.pid, stream);
    if (map !== undefined) this.#pcrPid = map.pcrPid;
    this.#clock.follow(this.#pcrPid);
    this.#eras.push({ start: this.#eras.length === 0 ? 0 : this.#clock.line.position, streams });
  }

  /** A stream is the same as long as its PID and its kind are. */
  #streamOf(facts: StreamFacts): readonly Followed[] {
    const known = this.#streams.find(({ facts: { pid, kind } }) => pid === facts.pid && kind === facts.kind);
    if (known !== undefined) return [known];
    if (this.#streams.length >= LIMITS.inspectedTracks) return [];
    const made = { facts, line: new StreamLine(this.#clock.line.position, facts.mayStill) };
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
    for (const { line } of this.#streams) line.insert(at, lost);
    for (const era of this.#eras) if (era.start > at) era.start += lost;
  }
}

/** A source that has been read for so long is the clock where the one that the PMT names is not there: PCRs before timestamps. */
const CHOICE_TICKS = { pcr: 2000 * TICKS_PER_MS, timestamps: 3000 * TICKS_PER_MS };

interface FoundClock {
  readonly source: SourceId;
  readonly first: number;
  /** Packets of all PIDs up to its first reading. */
  readonly packets: number;
  /** From its first reading to its latest. */
  ticks: number;
}

/** Until the tables have said which packets are the service's, what may be its clock and its units is kept, and read then. */
export class TimelineBeginning {
  #entries: TimelineEntry[] = [];
  readonly #clocks = new Map<string, FoundClock>();

  /** @param packets of all PIDs, up to this one */
  add(entry: TimelineEntry, packets: number): void {
    // Without tables for so long nothing can be said of what came first.
    if (this.#entries.length >= LIMITS.inspectedBeginnings)
      this.#entries = this.#entries.slice(LIMITS.inspectedBeginnings / 2);
    this.#entries.push(entry);
    if (entry.kind === "pcr")
      this.#noteClock({ kind: "pcr", pid: entry.pid }, { reading: entry.ticks, packets });
    if (entry.kind === "unit" && entry.stamp !== undefined)
      this.#noteClock({ kind: "timestamps", pid: entry.pid }, { reading: entry.stamp, packets });
  }

  /**
   * The service whose time line it is, and that time line.
   *
   * @param programmes services in question, the best first
   * @param isLast there may be nothing to wait for: a clock counts though a better one may come
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
      if (entry.kind !== "map" || (entry.sid === sid && entry !== first)) timeline.take(entry);
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
