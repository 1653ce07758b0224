import type { Inspection } from "../model/inspection.ts";
import { LIMITS } from "../model/limits.ts";
import type { NetworkSettings } from "../model/network.ts";
import type { Triplet } from "../model/service.ts";
import type { DurationMs, EpochMs } from "../model/time.ts";
import { ByteRateCounter } from "./byte-rate.ts";
import { u8 } from "./bytes.ts";
import {
  hasPcr,
  NULL_PID,
  PACKET_BYTES,
  PacketReader,
  PID_COUNT,
  pcrAt,
  pidAt,
  signalsDiscontinuity,
} from "./packets.ts";
import { AFTER_LOSS, IGNORED, PidCounters } from "./pid-counters.ts";
import { StreamClock } from "./stream-clock.ts";
import { StreamTables, type TablesListener } from "./stream-tables.ts";
import { UnitStarts } from "./unit-starts.ts";

/** What a PID is to the inspector: bits, so that one look per packet decides. */
const TABLES = 1;
/** Audio or video that counts as payload. */
const PAYLOAD = 2;
/** Audio or video of the service whose clock is followed. */
const FEEDS_CLOCK = 4;

interface TimeStamp {
  /** As the network counts it. */
  readonly localMs: EpochMs;
  readonly streamMs: DurationMs;
}

interface InspectorOptions {
  /** Gets every section of NIT, SDT and EIT. */
  readonly guide?: TablesListener["guideSection"];
  readonly networks?: NetworkSettings;
}

/**
 * Reads a transport stream, in portions of any size, and says what is in it.
 *
 * A named service is found by its service_id alone: streams that went through a remultiplexer may have lost their other ids.
 * Whether it is the right one is for the reader of `Inspection.services` to say.
 */
export class Inspector {
  readonly #service: Triplet | undefined;
  readonly #reader: PacketReader;
  readonly #counters = new PidCounters();
  readonly #units = new UnitStarts();
  readonly #tables: StreamTables;
  readonly #roles = new Uint8Array(PID_COUNT);
  /** Clocks by PID, until the tables have said which of them is the service's. */
  readonly #candidates = new Map<number, StreamClock>();
  #clock = new StreamClock();
  #clockSid: number | undefined;
  #clockPid: number | undefined;
  readonly #rate = new ByteRateCounter();
  /** Packets that were put down in `#rate`. */
  #rated = 0;
  #bytes = 0;
  #firstTime: TimeStamp | undefined;
  #lastTime: TimeStamp | undefined;

  constructor(service: Triplet | undefined, { guide, networks }: InspectorOptions = {}) {
    this.#service = service;
    this.#tables = new StreamTables(
      {
        ...(guide === undefined ? {} : { guideSection: guide }),
        programmesChanged: () => this.#assignRoles(),
        timePassed: (localMs) => this.#timePassed(localMs),
      },
      networks,
    );
    this.#reader = new PacketReader({
      packet: (bytes, at, header) => this.#packet(bytes, at, header),
      release: (bytes) => this.#counters.release(bytes),
    });
    this.#assignRoles();
  }

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#reader.push(chunk);
  }

  /** All bytes that are there for now were pushed: the last whole packet counts too. More may follow later. */
  settle(): void {
    this.#reader.settle();
  }

  inspection(): Inspection {
    const pids = this.#counters.facts((pid) => this.#units.unreadable(pid));
    const sum = (key: "continuityErrors" | "transportErrors" | "scrambledPackets") =>
      pids.reduce((total, pid) => total + pid[key], 0);
    const tsid = this.#tables.transportStreamId;
    const onid = this.#tables.originalNetworkId;
    const clockEnds = this.#clock.ends;
    return {
      bytes: this.#bytes,
      packets: this.#reader.packets,
      nullPackets: pids.find(({ pid }) => pid === NULL_PID)?.packets ?? 0,
      junkBytes: this.#reader.junkBytes,
      continuityErrors: sum("continuityErrors"),
      transportErrors: sum("transportErrors"),
      scrambledPackets: sum("scrambledPackets"),
      pids,
      ...(tsid === undefined ? {} : { transportStreamId: tsid }),
      ...(onid === undefined ? {} : { originalNetworkId: onid }),
      multiplexes: this.#tables.multiplexes,
      services: this.#tables.services,
      channelNumbers: this.#tables.channelNumbers,
      payloadPackets: this.#units.clear,
      undecidedPackets: this.#units.undecided,
      ...(this.#clockSid === undefined ? {} : { clockSid: this.#clockSid }),
      spans: this.#clock.spans,
      streamMs: this.#clock.positionMs,
      ...(clockEnds === undefined ? {} : { clockEnds }),
      clockBreaks: this.#clock.breaks,
      rate: this.#rate.rate,
      ...(this.#firstTime === undefined ? {} : { firstTime: this.#utcOf(this.#firstTime) }),
      ...(this.#lastTime === undefined ? {} : { lastTime: this.#utcOf(this.#lastTime) }),
      events: this.#tables.events,
    };
  }

  /** Runs for every packet: nothing is allocated here, and nearly all of them take the short way. */
  #packet(bytes: Uint8Array, at: number, header: number): void {
    if (this.#counters.goesOn(header, at)) this.#clearPayload((header >> 8) & NULL_PID, bytes, at);
    else this.#otherPacket(bytes, at);
  }

  #otherPacket(bytes: Uint8Array, at: number): void {
    const verdict = this.#counters.count(bytes, at);
    if (verdict === IGNORED) return;
    const pid = pidAt(bytes, at);
    const control = u8(bytes, at + 3);
    if ((control & 0x20) !== 0 && hasPcr(bytes, at)) this.#pcr(bytes, at);
    if (verdict === AFTER_LOSS && (u8(this.#roles, pid) & TABLES) !== 0) this.#tables.lost(pid);
    const isClearPayload = (control & 0xd0) === 0x10;
    if (isClearPayload) this.#clearPayload(pid, bytes, at);
  }

  #clearPayload(pid: number, bytes: Uint8Array, at: number): void {
    const role = this.#roles[pid] ?? 0;
    if (role === 0) return;
    const isReadable = (role & PAYLOAD) !== 0 && this.#units.packet(pid, bytes, at);
    if (isReadable && (role & FEEDS_CLOCK) !== 0) this.#clock.feed();
    if ((role & TABLES) !== 0) this.#tables.packet(pid, bytes, at);
  }

  #pcr(bytes: Uint8Array, at: number): void {
    const pid = pidAt(bytes, at);
    if (this.#clockSid !== undefined) {
      if (pid !== this.#clockPid) return;
      this.#clock.pcr(pcrAt(bytes, at), signalsDiscontinuity(bytes, at));
      this.#putDownRate();
      return;
    }
    const known = this.#candidates.get(pid);
    if (known === undefined && this.#candidates.size >= LIMITS.inspectedClocks) return;
    const clock = known ?? new StreamClock();
    // Until its PMT is there nobody can say which packets are the service's, so what passes is taken to be.
    clock.feed();
    clock.pcr(pcrAt(bytes, at), signalsDiscontinuity(bytes, at));
    this.#candidates.set(pid, clock);
    if (known === undefined) this.#assignRoles();
  }

  /** What came since the last PCR belongs to the time until this one. */
  #putDownRate(): void {
    const { packets } = this.#reader;
    this.#rate.add(this.#clock.positionMs, (packets - this.#rated) * PACKET_BYTES);
    this.#rated = packets;
  }

  #assignRoles(): void {
    const programmes = this.#tables.programmes.filter(
      ({ sid }) => this.#service === undefined || sid === this.#service.sid,
    );
    this.#chooseClock(programmes.map(({ sid, map }) => ({ sid, pcrPid: map.pcrPid })));
    this.#roles.fill(0);
    for (const { sid, map } of programmes) {
      const role = sid === this.#clockSid ? PAYLOAD | FEEDS_CLOCK : PAYLOAD;
      if (sid === this.#clockSid) this.#clockPid = map.pcrPid;
      for (const { pid, kind } of map.streams) {
        if (kind === "audio" || kind === "video") this.#roles[pid] = u8(this.#roles, pid) | role;
      }
    }
    for (const pid of this.#tables.pids) this.#roles[pid] = u8(this.#roles, pid) | TABLES;
  }

  /** Once chosen, a service keeps the time line to the end, also when its PCR moves to another PID. */
  #chooseClock(programmes: readonly { readonly sid: number; readonly pcrPid: number }[]): void {
    if (this.#clockSid !== undefined) return;
    const chosen = programmes.find(({ pcrPid }) => this.#candidates.has(pcrPid));
    if (chosen === undefined) return;
    this.#clockSid = chosen.sid;
    this.#clock = this.#candidates.get(chosen.pcrPid) ?? this.#clock;
    this.#candidates.clear();
  }

  #timePassed(localMs: EpochMs): void {
    const before = this.#lastTime;
    if (before !== undefined) this.#clock.elapsed(localMs - before.localMs, before.streamMs);
    this.#lastTime = { localMs, streamMs: this.#clock.positionMs };
    this.#firstTime ??= this.#lastTime;
  }

  #utcOf({ localMs, streamMs }: TimeStamp): { readonly utc: EpochMs; readonly streamMs: DurationMs } {
    return { utc: localMs - this.#tables.utcOffsetMs, streamMs };
  }
}
