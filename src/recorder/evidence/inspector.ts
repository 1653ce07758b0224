import type { Inspection } from "../../model/inspection.ts";
import type { NetworkSettings } from "../../model/network.ts";
import type { Triplet } from "../../model/service.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { u8 } from "../../mpeg-ts/bytes.ts";
import { StreamBeginning } from "../../mpeg-ts/foreign-packets.ts";
import type { UnitLook } from "../../mpeg-ts/looks/unit-look.ts";
import { UnitLooks } from "../../mpeg-ts/looks/unit-looks.ts";
import { PacketReader } from "../../mpeg-ts/packet-reader.ts";
import { hasPcr, NULL_PID, PACKET_BYTES, pcrAt, pidAt, signalsDiscontinuity } from "../../mpeg-ts/packets.ts";
import { AFTER_LOSS, IGNORED, PidCounters } from "../../mpeg-ts/pid-counters.ts";
import { AccessPoints, type CutSearch, type FoundPoint } from "../../mpeg-ts/streams/access-points.ts";
import { ByteRateCounter } from "../../mpeg-ts/streams/byte-rate.ts";
import { unitStart } from "../../mpeg-ts/streams/pes.ts";
import {
  factsWithoutTimeline,
  type ServiceTimeline,
  type TimelineEntry,
  type TimeStamp,
} from "../../mpeg-ts/streams/service-timeline.ts";
import type { Pace } from "../../mpeg-ts/streams/stream-clock.ts";
import { type Programme, TimelineBeginning } from "../../mpeg-ts/streams/timeline-beginning.ts";
import { UnitStarts } from "../../mpeg-ts/streams/unit-starts.ts";
import { UnnamedStreams } from "../../mpeg-ts/streams/unnamed-streams.ts";
import { StreamTables, type TablesListener } from "../../mpeg-ts/tables/stream-tables.ts";
import type { ProgrammeMap } from "../../mpeg-ts/tables/tables.ts";
import { ACCESS, LOOKED_AT, LOOKING, PAYLOAD, PacketRoles, TABLES, TIMED } from "./packet-roles.ts";

export interface InspectorOptions {
  /** Receives every section of NIT, SDT and EIT. */
  readonly guide?: TablesListener["guideSection"];
  readonly networks?: NetworkSettings;
  /** Receives the access points of the service, each with the PAT and PMT in force as whole packets. */
  readonly accessPoint?: ((point: FoundPoint, tables: Uint8Array) => void) | undefined;
  /** With `accessPoint`: finds a picture before which a first segment may end. */
  readonly firstCut?: CutSearch | undefined;
}

/**
 * Inspects a transport stream, in portions of any size.
 *
 * It finds a service by its service_id alone, because a remultiplexer may drop the other ids. Readers of `Inspection.services`
 * decide whether it is the right one.
 */
export class Inspector {
  readonly #service: Triplet | undefined;
  readonly #reader: PacketReader;
  readonly #beginning = new StreamBeginning();
  readonly #counters = new PidCounters();
  readonly #units = new UnitStarts((pid) => this.#addEntry({ kind: "flaw", pid }));
  readonly #tables: StreamTables;
  readonly #roles = new PacketRoles();
  /** Until the service is known. */
  #beforeTables: TimelineBeginning | undefined = new TimelineBeginning();
  #timeline: ServiceTimeline | undefined;
  #sid: number | undefined;
  /** The PMT of the timeline. */
  #map: ProgrammeMap | undefined;
  readonly #unnamed = new UnnamedStreams();
  readonly #looks = new UnitLooks();
  /** The look of the unit that ends with the packet at hand. */
  #look: UnitLook | undefined;
  readonly #rate = new ByteRateCounter();
  /** Packets before the next span of `#rate`: those up to the last recorded PCR. */
  #rated = 0;
  /** First and last time of the broadcast, as its network counts it. */
  #times: { readonly first: EpochMs; readonly last: EpochMs } | undefined;
  #bytes = 0;
  #losses = 0;
  readonly #access: AccessPoints | undefined;
  /** PAT and PMT of the access points, as packets; absent after a change. */
  #accessTables: Uint8Array | undefined;

  constructor(
    service: Triplet | undefined,
    { guide, networks, accessPoint, firstCut }: InspectorOptions = {},
  ) {
    this.#service = service;
    if (accessPoint !== undefined) this.#access = this.#accessPoints(accessPoint, firstCut);
    this.#tables = new StreamTables(
      {
        ...(guide === undefined ? {} : { guideSection: guide }),
        programmesChanged: () => this.#assignRoles(),
        timePassed: (localMs) => {
          this.#times = { first: this.#times?.first ?? localMs, last: localMs };
          this.#addEntry({ kind: "time", localMs });
        },
      },
      networks,
    );
    this.#reader = new PacketReader({
      packet: (bytes, at, header) => this.#packet(bytes, at, header),
      damage: () => this.#addEntry({ kind: "flaw" }),
      release: (bytes) => this.#counters.release(bytes),
    });
    this.#assignRoles();
  }

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#beginning.push(chunk);
    this.#reader.push(chunk);
  }

  /** All bytes so far were pushed: the last whole packet counts too. More may follow. */
  settle(): void {
    this.#reader.settle();
  }

  /** How many packets were found. */
  get packets(): number {
    return this.#reader.packets;
  }

  inspection(): Inspection {
    const pids = this.#counters.facts((pid) => this.#units.unreadable(pid));
    const sum = (key: "continuityErrors" | "transportErrors" | "scrambledPackets") =>
      pids.reduce((total, pid) => total + pid[key], 0);
    const nulls = pids.find(({ pid }) => pid === NULL_PID);
    const tsid = this.#tables.transportStreamId;
    const onid = this.#tables.originalNetworkId;
    const { sid, timeline } = this.#timelineNow();
    const wasScrambled = (pid: number) => this.#counters.wasScrambled(pid) || this.#units.unreadable(pid) > 0;
    const isRadio = this.#tables.isRadio(sid);
    const { firstTime, lastTime, doubts, ...timed } =
      timeline?.facts({ wasScrambled, isRadio }) ?? factsWithoutTimeline(this.#times);
    const hasPackets = this.#reader.packets > 0;
    const foreign = hasPackets ? undefined : this.#beginning.packetBytes;
    const content = hasPackets ? undefined : this.#beginning.content;
    return {
      bytes: this.#bytes,
      packets: this.#reader.packets,
      nullPackets: nulls?.packets ?? 0,
      ...(foreign === undefined ? {} : { foreignPacketBytes: foreign }),
      ...(content === undefined ? {} : { foreignContent: content }),
      ...this.#reader.remainder,
      continuityErrors: sum("continuityErrors"),
      transportErrors: sum("transportErrors") - (nulls?.transportErrors ?? 0),
      scrambledPackets: sum("scrambledPackets"),
      pids,
      ...(tsid === undefined ? {} : { transportStreamId: tsid }),
      ...(onid === undefined ? {} : { originalNetworkId: onid }),
      multiplexes: this.#tables.multiplexes,
      services: this.#tables.services.map((service) => ({
        ...service,
        streams: this.#unnamed.namedStreams(service.streams),
      })),
      channelNumbers: this.#tables.channelNumbers,
      payloadPackets: this.#units.clear,
      undecidedPackets: this.#units.undecided,
      ...(sid === undefined ? {} : { clockSid: sid }),
      ...timed,
      ...(doubts.length === 0 ? {} : { doubts }),
      rate: this.#rate.rate,
      ...(firstTime === undefined ? {} : { firstTime: this.#utcOf(firstTime) }),
      ...(lastTime === undefined ? {} : { lastTime: this.#utcOf(lastTime) }),
      events: this.#tables.events,
    };
  }

  /** Called for every packet: it allocates nothing, and most packets take the short path. */
  #packet(bytes: Uint8Array, at: number, header: number): void {
    if (this.#counters.countPlain(header, at)) this.#clearPayload((header >> 8) & NULL_PID, bytes, at);
    else this.#otherPacket(bytes, at);
  }

  #endUnit(pid: number, bytes: Uint8Array, at: number): void {
    const last = this.#counters.lastOf(pid, bytes);
    const packets = this.#counters.packetsOf(pid);
    const endAt = this.#reader.offsetOf(at);
    this.#look = last === undefined ? undefined : this.#looks.end(pid, { last, packets, endAt });
  }

  #otherPacket(bytes: Uint8Array, at: number): void {
    const pid = pidAt(bytes, at);
    const begins = ((bytes[at + 1] ?? 0) & 0x40) !== 0;
    if (begins && this.#roles.has(pid, LOOKED_AT)) this.#endUnit(pid, bytes, at);
    const { flaws } = this.#counters;
    const verdict = this.#counters.count(bytes, at);
    if (this.#counters.flaws > flaws) this.#addEntry({ kind: "flaw", pid });
    if (verdict === IGNORED) return;
    const control = u8(bytes, at + 3);
    if (verdict === AFTER_LOSS) this.#losses += 1;
    if ((control & 0x20) !== 0 && hasPcr(bytes, at)) this.#pcr(bytes, at);
    if (verdict === AFTER_LOSS && this.#roles.has(pid, TABLES)) this.#tables.packetsLost(pid);
    if (verdict === AFTER_LOSS && this.#roles.has(pid, ACCESS)) this.#accessLost(pid);
    if (verdict === AFTER_LOSS && this.#roles.has(pid, LOOKED_AT)) this.#looks.lost(pid);
    const isClearPayload = (control & 0xd0) === 0x10;
    if (isClearPayload) this.#clearPayload(pid, bytes, at);
  }

  #clearPayload(pid: number, bytes: Uint8Array, at: number): void {
    const role = this.#roles.flags[pid] ?? 0;
    if (role === 0) return;
    if ((role & PAYLOAD) !== 0) this.#units.packet(pid, bytes, at);
    if ((role & TIMED) !== 0 && ((bytes[at + 1] ?? 0) & 0x40) !== 0) this.#unit(pid, bytes, at);
    if ((role & (TABLES | ACCESS | LOOKING)) !== 0) this.#rarePacket(pid, bytes, at);
  }

  #rarePacket(pid: number, bytes: Uint8Array, at: number): void {
    const role = u8(this.#roles.flags, pid);
    const starts = (u8(bytes, at + 1) & 0x40) !== 0;
    if ((role & ACCESS) !== 0 && !starts) this.#continueSearch(pid, bytes, at);
    if ((role & LOOKING) !== 0 && !starts) this.#goOnLooking(pid, bytes, at);
    if ((role & TABLES) !== 0) this.#tables.packet(pid, bytes, at);
  }

  #unit(pid: number, bytes: Uint8Array, at: number): void {
    if (this.#unnamed.recognises(pid, bytes, at)) this.#assignRoles(true);
    const start = unitStart(bytes, at);
    const isLookedAt = this.#roles.has(pid, LOOKED_AT);
    const look = isLookedAt ? this.#look : undefined;
    if (start !== undefined) this.#addEntry({ kind: "unit", pid, look, pace: this.#pace(), ...start });
    if (isLookedAt) this.#beginLooking(pid, bytes, at);
    if (this.#access === undefined || this.#access.pid !== pid) return;
    const wasOpen = this.#access.isOpen;
    this.#access.begin(bytes, at);
    if (wasOpen || this.#access.isOpen) this.#followSearch(pid);
  }

  #beginLooking(pid: number, bytes: Uint8Array, at: number): void {
    const isOpen = this.#looks.begin(pid, this.#counters.packetsOf(pid), { bytes, at });
    this.#roles.turn(pid, LOOKING, isOpen);
  }

  #goOnLooking(pid: number, bytes: Uint8Array, at: number): void {
    if (!this.#looks.goOn(pid, bytes, at)) this.#roles.turn(pid, LOOKING, false);
  }

  #continueSearch(pid: number, bytes: Uint8Array, at: number): void {
    this.#access?.goOn(bytes, at);
    if (this.#access?.isOpen === false) this.#followSearch(pid);
  }

  #followSearch(pid: number): void {
    this.#roles.turn(pid, ACCESS, this.#access?.isOpen === true);
  }

  #pcr(bytes: Uint8Array, at: number): void {
    const pid = pidAt(bytes, at);
    // A multiplex has one clock per service.
    if (this.#timeline?.readsPcr(pid) === false) return;
    const pace = { packets: this.#reader.packets, ...this.#pace() };
    const signalled = signalsDiscontinuity(bytes, at);
    this.#addEntry({ kind: "pcr", pid, ticks: pcrAt(bytes, at), signalled, pace });
  }

  #pace(): Omit<Pace, "packets"> {
    return { losses: this.#losses, isByFfmpeg: this.#tables.areByFfmpeg };
  }

  #addEntry(entry: TimelineEntry): void {
    if (this.#timeline?.apply(entry) === true) this.#putDownRate();
    if (this.#beforeTables === undefined) return;
    this.#beforeTables.add(entry, this.#reader.packets);
    if ((entry.kind === "pcr" || entry.kind === "unit") && this.#map !== undefined) this.#choose();
  }

  /**
   * Assigns the bytes since the last reading to the time since then. A reading that does not advance the clock leaves them to the
   * next one.
   */
  #putDownRate(): void {
    const { packets } = this.#reader;
    const positionMs = this.#timeline?.positionMs ?? 0;
    if (positionMs <= this.#rate.untilMs) return;
    this.#rate.add(positionMs, (packets - this.#rated) * PACKET_BYTES);
    this.#rated = packets;
  }

  /** @param isSame only more is known of the streams of the same PMTs */
  #assignRoles(isSame = false): void {
    const programmes = this.#programmes();
    if (this.#timeline === undefined) {
      for (const { sid, map } of programmes)
        this.#beforeTables?.add({ kind: "map", sid, map, isSame }, this.#reader.packets);
      this.#map = programmes[0]?.map;
      this.#choose();
    } else {
      this.#followTables(programmes, isSame);
    }
    this.#roles.assign({
      programmes,
      tablePids: this.#tables.pids,
      sid: this.#sid,
      isAnyTimed: this.#beforeTables !== undefined,
    });
    this.#looks.follow(programmes.find(({ sid }) => sid === this.#sid)?.map.streams ?? []);
    for (const pid of this.#looks.pids) {
      this.#roles.turn(pid, LOOKED_AT, true);
      this.#roles.turn(pid, LOOKING, this.#looks.isOpen(pid));
    }
    this.#followAccess(programmes);
  }

  #accessPoints(
    listener: NonNullable<InspectorOptions["accessPoint"]>,
    firstCut: CutSearch | undefined,
  ): AccessPoints {
    return new AccessPoints({
      firstCut,
      offsetOf: (at) => this.#reader.offsetOf(at),
      positionMs: () => this.#timeline?.positionMs,
      found: (point) => {
        this.#accessTables ??= this.#tables.packetsOf(this.#accessSid(this.#programmes()) ?? 0);
        if (this.#accessTables !== undefined) listener(point, this.#accessTables);
      },
    });
  }

  #followAccess(programmes: readonly Programme[]): void {
    if (this.#access === undefined) return;
    const sid = this.#accessSid(programmes);
    this.#access.follow(programmes.find((programme) => programme.sid === sid)?.map.streams ?? []);
    this.#accessTables = undefined;
    const { pid } = this.#access;
    if (pid !== undefined) this.#followSearch(pid);
  }

  #accessLost(pid: number): void {
    this.#access?.lost();
    this.#followSearch(pid);
  }

  #accessSid(programmes: readonly Programme[]): number | undefined {
    return this.#sid ?? programmes[0]?.sid;
  }

  #programmes(): readonly Programme[] {
    return this.#tables.programmes
      .filter(({ sid }) => this.#service === undefined || sid === this.#service.sid)
      .map(({ sid, map }) => ({ sid, map: this.#unnamed.named(map) }));
  }

  #choose(): void {
    const chosen = this.#beforeTables?.timeline(this.#programmes(), { isLast: false });
    if (chosen === undefined) return;
    this.#beforeTables = undefined;
    this.#sid = chosen.sid;
    this.#timeline = chosen.timeline;
    this.#rated = chosen.packetsBefore;
    this.#assignRoles();
  }

  /** A file may end before the best clock is known. */
  #timelineNow(): { readonly sid?: number | undefined; readonly timeline?: ServiceTimeline | undefined } {
    const { sid, timeline } = { sid: this.#sid, timeline: this.#timeline };
    if (timeline !== undefined) return { sid, timeline };
    return this.#beforeTables?.timeline(this.#programmes(), { isLast: true }) ?? {};
  }

  /** Follows the service that the stream has now, unless one was requested. */
  #followTables(programmes: readonly Programme[], isSame: boolean): void {
    const followed = programmes.find(({ sid }) => sid === this.#sid) ?? programmes[0];
    const map = followed?.map;
    if (map === this.#map) return;
    const listed = new Set(this.#map?.streams.map(({ pid }) => pid));
    for (const { pid } of map?.streams ?? []) if (!listed.has(pid)) this.#counters.restart(pid);
    this.#map = map;
    this.#sid = followed?.sid ?? this.#sid;
    this.#timeline?.apply({ kind: "map", sid: this.#sid ?? 0, map, isSame });
  }

  #utcOf({ localMs, streamMs }: TimeStamp): { readonly utc: EpochMs; readonly streamMs: DurationMs } {
    return { utc: localMs - this.#tables.utcOffsetMs, streamMs };
  }
}
