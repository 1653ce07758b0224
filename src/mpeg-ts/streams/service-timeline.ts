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
import { StampJumps } from "./stamp-jumps.ts";
import { between, type Pace, type Reading } from "./stream-clock.ts";
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
      readonly pace?: Pace;
    }
  | {
      readonly kind: "map";
      readonly sid: number;
      readonly map: ProgrammeMap | undefined;
      /** Only more is known of the streams of the map before it. */
      readonly isSame?: boolean;
    }
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

export interface ServiceQuestion {
  /** Whether packets of a PID came scrambled: such a stream was sent, too. */
  readonly wasScrambled: (pid: number) => boolean;
  readonly isRadio: boolean;
}

interface FollowedStream {
  readonly facts: StreamFacts;
  readonly line: StreamLine;
  readonly doubts: Doubts;
}

interface OpenEra {
  /** In ticks since the clock's first reading. */
  start: number;
  streams: readonly FollowedStream[];
}

/** Streams of each kind that have all their spans: the main ones are among them, unless a PMT lists others before. */
const FULL_STREAMS = 2;

const HAS_LINE: ReadonlySet<StreamFacts["kind"]> = new Set(["video", "audio", "subtitle", "teletext"]);

/** The timeline of one service: its clock, and the presence of each elementary stream. */
export class ServiceTimeline {
  readonly #clock: ServiceClock;
  readonly #streams: FollowedStream[] = [];
  readonly #byPid = new Map<number, FollowedStream>();
  readonly #eras: OpenEra[] = [];
  /** Whole seconds. */
  readonly #flawed = new Spans();
  readonly #stampJumps = new StampJumps();
  #pcrPid: number;
  #firstTime: TimeStamp | undefined;
  #lastTime: TimeStamp | undefined;

  constructor(source: SourceId, map: ProgrammeMap) {
    this.#pcrPid = map.pcrPid;
    this.#clock = new ServiceClock(
      { source, pcrPid: map.pcrPid },
      {
        jumped: (end, start) => {
          this.#stampJumps.clockJumped(end, start);
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
        this.#follow(entry.map, entry.isSame);
        return false;
      case "time":
        this.#timePassed(entry.localMs);
        return false;
      case "flaw":
        if (entry.pid === undefined || this.#byPid.has(entry.pid)) this.#flaw(this.#clock.line.position);
        return false;
    }
  }

  facts({ wasScrambled, isRadio }: ServiceQuestion): TimelineFacts {
    const { line, source } = this.#clock;
    const { ends, position, positionMs, spans: runs } = line;
    const breaks = [...line.breaks, ...this.#stampJumps.until(position)].sort((a, b) => a - b);
    const found = new Map(
      this.#streams.map((stream) => [stream, this.#found(stream, { wasScrambled, isRadio })]),
    );
    const eras = this.#eras.map(({ start, streams }, index) => ({
      start: toMs(start),
      stop: toMs(this.#eras[index + 1]?.start ?? position),
      streams: streams.flatMap((stream) => found.get(stream) ?? []),
    }));
    return {
      clock: source,
      ...(ends === undefined ? {} : { clockEnds: ends }),
      clockBreaks: breaks,
      streamMs: positionMs,
      flawed: merged([...this.#flawed.windows, ...breaks.map((at) => secondOf(at, SECOND))]),
      ...presenceOf(runs, eras, isRadio),
      ...(this.#firstTime === undefined ? {} : { firstTime: this.#firstTime }),
      ...(this.#lastTime === undefined ? {} : { lastTime: this.#lastTime }),
    };
  }

  #found({ facts, line, doubts }: FollowedStream, { wasScrambled, isRadio }: ServiceQuestion): FoundStream {
    const { position } = this.#clock.line;
    const wasSent = line.wasSent || wasScrambled(facts.pid);
    // A slide of radio stands until the next one comes.
    const isSlide = isRadio && facts.kind === "video" && line.wasSent;
    const spans = isSlide ? [{ start: 0, stop: toMs(position) }] : line.windows(position);
    const isStill = facts.kind === "video" && line.isStill;
    return { facts, wasSent, isStill, spans, doubts: doubts.spans(position) };
  }

  #unit({ pid, stamp, look, pace }: TimelineEntry & { readonly kind: "unit" }): boolean {
    const stream = this.#byPid.get(pid);
    if (stream === undefined) return false;
    const { kind } = stream.facts;
    const mayTell = stamp !== undefined && (kind === "video" || kind === "audio");
    const wasRead =
      mayTell && this.#clock.read({ kind: "timestamps", pid }, { ticks: stamp, signalled: false, pace });
    const { position, reading } = this.#clock.line;
    const isPlaced = stamp !== undefined && reading !== undefined;
    if (look !== undefined) stream.doubts.unit(position, look);
    const goesOn = stream.line.unit({ position, ...(isPlaced ? { lead: between(reading, stamp) } : {}) });
    // Subtitles may be sent long before they are shown, and a still picture stands.
    if (!goesOn && mayTell && stream.facts.mayStill !== true) this.#stampJumps.add(position);
    return wasRead;
  }

  #flaw(position: number): void {
    const { start, stop } = secondOf(position, SECOND * TICKS_PER_MS);
    this.#flawed.add(start, stop);
  }

  #follow(map: ProgrammeMap | undefined, isSame = false): void {
    const era = isSame ? this.#eras.at(-1) : undefined;
    const position = era?.start ?? this.#clock.line.position;
    const streams = (map?.streams ?? [])
      .filter(({ kind }) => HAS_LINE.has(kind))
      .flatMap((facts) => this.#streamOf(facts, position));
    if (era !== undefined) era.streams = streams;
    const isNews = !isSameList(this.#eras.at(-1)?.streams, streams);
    if (isNews && this.#eras.length >= MPEG_TS_LIMITS.eras) return;
    this.#byPid.clear();
    for (const stream of streams) this.#byPid.set(stream.facts.pid, stream);
    if (map !== undefined) this.#pcrPid = map.pcrPid;
    this.#clock.follow(this.#pcrPid);
    // Most new versions of a PMT change something else, and some encoders send nothing but new versions.
    if (isNews) this.#eras.push({ start: this.#eras.length === 0 ? 0 : position, streams });
  }

  /** PID and kind identify a stream. */
  #streamOf(facts: StreamFacts, position: number): readonly FollowedStream[] {
    const known = this.#streams.find(({ facts: { pid, kind } }) => pid === facts.pid && kind === facts.kind);
    if (known !== undefined) return [known];
    // By kind: many subtitles leave room for picture and sound.
    const alike = this.#streams.filter(({ facts: { kind } }) => kind === facts.kind);
    if (alike.length >= MPEG_TS_LIMITS.tracks) return [];
    // Each look at a growing file goes through all spans.
    const spans = alike.length < FULL_STREAMS ? MPEG_TS_LIMITS.spans : MPEG_TS_LIMITS.spansOfExtra;
    const line = new StreamLine(position, { mayStill: facts.mayStill, spans });
    const made = { facts, line, doubts: new Doubts(position) };
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
    this.#stampJumps.insert(at, lost);
    for (const era of this.#eras) if (era.start > at) era.start += lost;
    this.#flawed.insert(at, lost);
    const moved = (time: TimeStamp | undefined) =>
      time !== undefined && time.streamMs > toMs(at)
        ? { ...time, streamMs: time.streamMs + toMs(lost) }
        : time;
    this.#firstTime = moved(this.#firstTime);
    this.#lastTime = moved(this.#lastTime);
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
