import type { BroadcastEvent, ChannelNumber, ServiceFacts } from "../../model/inspection.ts";
import type { NetworkSettings } from "../../model/network.ts";
import { type MultiplexKey, multiplexKey, type Triplet } from "../../model/service.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { u8, u16 } from "../bytes.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { PacketPace } from "../packet-pace.ts";
import { ChannelNumbers } from "./channel-numbers.ts";
import { DVB_CODING, type NetworkCoding, NetworkCodings } from "./networks.ts";
import {
  crcField,
  isOnlyNewVersion,
  packetsOf,
  type Section,
  SectionAssembler,
  sectionHeader,
} from "./sections.ts";
import { TableVersion } from "./table-version.ts";
import {
  type ProgrammeMap,
  readPat,
  readPmt,
  readPresentFollowing,
  readSdt,
  readTime,
  type ServiceDescription,
  TABLE_EIT_PRESENT_FOLLOWING_ACTUAL,
  TABLE_NIT_ACTUAL,
  TABLE_PAT,
  TABLE_PMT,
  TABLE_SDT_ACTUAL,
} from "./tables.ts";

const PAT_PID = 0x00;
/** EN 300 468 §5.1.3. */
const NIT_PID = 0x10;
const SDT_PID = 0x11;
const EIT_PID = 0x12;
const TDT_PID = 0x14;

export interface TablesListener {
  /** PAT or a PMT changed, and with it perhaps the relevant PIDs. */
  programmesChanged(): void;
  /** @param localMs as the network counts it, ahead of UTC by `utcOffsetMs` */
  timePassed(localMs: EpochMs): void;
  /** Any section of NIT, SDT or EIT, unchecked. */
  guideSection?(pid: number, section: Uint8Array): void;
}

/** The content of a stream's tables, in their latest versions. */
export class StreamTables {
  readonly #listener: TablesListener;
  readonly #assemblers = new Map<number, SectionAssembler>();
  /** CRC_32 of sections that would change nothing: each repeats about every second. */
  readonly #seenCrcs = new Set<number>();
  /** Each change is expensive; too frequent changes wait for the next repetition. */
  readonly #changePace = new PacketPace({
    most: MPEG_TS_LIMITS.tableChanges,
    packetsEach: MPEG_TS_LIMITS.packetsPerTableChange,
  });
  /** Packets with tables. */
  #packets = 0;
  readonly #patVersion = new TableVersion();
  #sdtVersion = new TableVersion();
  readonly #numbers = new ChannelNumbers();
  /** By sid. */
  readonly #pmtPids = new Map<number, number>();
  readonly #pmts = new Map<number, ProgrammeMap>();
  /** The sections of the PAT, and of the PMTs by sid. */
  readonly #pats: Section[] = [];
  readonly #pmtSections = new Map<number, Section>();
  readonly #descriptions = new Map<number, ServiceDescription>();
  /** The SDT sections of the descriptions. */
  readonly #sdts: Section[] = [];
  /** By sid and section number: the section, and its event if it has one. */
  readonly #events = new Map<number, { readonly section: Section; readonly event?: BroadcastEvent }[]>();
  readonly #codings: NetworkCodings;
  /** The coding used for names and events. */
  #coding: NetworkCoding = DVB_CODING;
  readonly #multiplexes = new Set<MultiplexKey>();
  #areByFfmpeg = false;
  #tsidOfPat: number | undefined;
  #tsidOfSdt: number | undefined;
  #onidOfSdt: number | undefined;

  constructor(listener: TablesListener, networks?: NetworkSettings) {
    this.#listener = listener;
    this.#codings = new NetworkCodings(networks);
  }

  /** PIDs of the tables read here. Changes only with `programmesChanged`. */
  get pids(): readonly number[] {
    return [PAT_PID, NIT_PID, SDT_PID, EIT_PID, TDT_PID, ...this.#pmtPids.values()];
  }

  /** PMTs of the programmes of the PAT, by ascending sid. */
  get programmes(): readonly { readonly sid: number; readonly map: ProgrammeMap }[] {
    return [...this.#pmts].map(([sid, map]) => ({ sid, map })).sort((a, b) => a.sid - b.sid);
  }

  /** The PAT and the PMT of a programme as whole packets; `undefined` before both are known. */
  packetsOf(sid: number): Uint8Array | undefined {
    const lists = (section: Section) => readPat(section).some((programme) => programme.sid === sid);
    const pat = this.#pats.find(lists);
    const pmt = this.#pmtSections.get(sid);
    const pmtPid = this.#pmtPids.get(sid);
    if (pat === undefined || pmt === undefined || pmtPid === undefined) return undefined;
    const [first, second] = [packetsOf(pat.bytes, PAT_PID), packetsOf(pmt.bytes, pmtPid)];
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
  }

  get transportStreamId(): number | undefined {
    return this.#tsidOfPat ?? this.#tsidOfSdt;
  }

  get originalNetworkId(): number | undefined {
    return this.#onidOfSdt ?? this.events[0]?.service.onid;
  }

  /** Whether the SDT calls a service radio. */
  isRadio(sid: number | undefined): boolean {
    return RADIO.has(this.#descriptions.get(sid ?? 0)?.serviceType ?? 0);
  }

  /** The provider that ffmpeg puts into an SDT: it counts its packets itself, and hides what was lost before. */
  get areByFfmpeg(): boolean {
    return this.#areByFfmpeg;
  }

  /** Offset from UTC of the times passed to the listener. */
  get utcOffsetMs(): DurationMs {
    return this.#coding.utcOffsetMs;
  }

  get channelNumbers(): readonly ChannelNumber[] {
    return this.#numbers.of(this.#tsidOfSdt ?? this.transportStreamId, this.originalNetworkId);
  }

  get events(): readonly BroadcastEvent[] {
    return [...this.#events.entries()]
      .sort(([a], [b]) => a - b)
      .flatMap(([, sections]) => sections.map((section) => section?.event))
      .filter((event) => event !== undefined);
  }

  get multiplexes(): readonly MultiplexKey[] {
    return [...this.#multiplexes];
  }

  get services(): readonly ServiceFacts[] {
    const sids = new Set([...this.#pmtPids.keys(), ...this.#descriptions.keys()]);
    return [...sids].sort((a, b) => a - b).map((sid) => this.#service(sid));
  }

  /** A packet with clear payload of one of `pids`. */
  packet(pid: number, bytes: Uint8Array, at: number): void {
    this.#packets += 1;
    this.#assembler(pid).packet(bytes, at);
  }

  /** Packets of this PID were lost. */
  packetsLost(pid: number): void {
    this.#assemblers.get(pid)?.drop();
  }

  #assembler(pid: number): SectionAssembler {
    const known = this.#assemblers.get(pid);
    if (known !== undefined) return known;
    const made = new SectionAssembler((section) => this.#section(pid, section));
    this.#assemblers.set(pid, made);
    return made;
  }

  #section(pid: number, bytes: Uint8Array): void {
    const tableId = u8(bytes, 0);
    if (pid === TDT_PID) {
      const localMs = readTime(bytes);
      if (localMs !== undefined) this.#listener.timePassed(localMs);
      return;
    }
    if (pid === NIT_PID || pid === EIT_PID || pid === SDT_PID) this.#listener.guideSection?.(pid, bytes);
    const isWanted =
      (pid === PAT_PID && tableId === TABLE_PAT) ||
      (pid === NIT_PID && tableId === TABLE_NIT_ACTUAL) ||
      (pid === SDT_PID && tableId === TABLE_SDT_ACTUAL) ||
      (pid === EIT_PID && tableId === TABLE_EIT_PRESENT_FOLLOWING_ACTUAL) ||
      tableId === TABLE_PMT;
    if (!isWanted || this.#seenCrcs.has(crcField(bytes))) return;
    const header = sectionHeader(bytes);
    if (header === undefined || !this.#changePace.isOpen(this.#packets)) return;
    const isNews = this.#read(pid, { bytes, header });
    if (isNews) this.#changePace.spend();
    // Seen sections may now be another version.
    if (isNews || this.#seenCrcs.size >= SEEN_CRCS_MAX) this.#seenCrcs.clear();
    this.#seenCrcs.add(header.crc);
  }

  /** @returns whether it changed anything */
  #read(pid: number, section: Section): boolean {
    const tableId = u8(section.bytes, 0);
    if (tableId === TABLE_PAT) return this.#pat(section);
    if (tableId === TABLE_PMT) return this.#pmt(pid, section);
    const isNew = this.#readNames(tableId, section);
    if (isNew) this.#readAgain();
    return isNew;
  }

  #readNames(tableId: number, section: Section): boolean {
    if (tableId === TABLE_NIT_ACTUAL) return this.#nit(section);
    return tableId === TABLE_SDT_ACTUAL ? this.#sdt(section) : this.#eit(section);
  }

  /** Rereads what was read with another coding than the network turns out to have. */
  #readAgain(): void {
    const coding = this.#codings.codingOf(this.originalNetworkId);
    if (coding === this.#coding) return;
    this.#coding = coding;
    this.#descriptions.clear();
    for (const section of this.#sdts) this.#describe(section);
    for (const [sid, sections] of this.#events) {
      this.#events.set(
        sid,
        sections.map(({ section }) => withEvent(section, coding)),
      );
    }
  }

  #pat(section: Section): boolean {
    const news = this.#patVersion.addSection(section);
    if (news === "known") return false;
    if (news === "new version") {
      this.#pmtPids.clear();
      this.#pats.length = 0;
    }
    if (this.#pats.length < SECTIONS_MAX) this.#pats.push(copyOf(section));
    if ((this.#tsidOfPat ?? section.header.extension) !== section.header.extension) this.#forgetSdt();
    this.#tsidOfPat = section.header.extension;
    for (const { sid, pmtPid } of readPat(section)) {
      if (this.#pmtPids.size < MPEG_TS_LIMITS.services) this.#pmtPids.set(sid, pmtPid);
    }
    for (const sid of this.#pmts.keys()) {
      if (this.#pmtPids.has(sid)) continue;
      this.#pmts.delete(sid);
      this.#pmtSections.delete(sid);
    }
    const pids = new Set(this.pids);
    for (const pid of this.#assemblers.keys()) if (!pids.has(pid)) this.#assemblers.delete(pid);
    this.#listener.programmesChanged();
    return true;
  }

  /** Another transport stream follows: its SDT is still to come. */
  #forgetSdt(): void {
    this.#tsidOfSdt = undefined;
    this.#onidOfSdt = undefined;
    this.#sdtVersion = new TableVersion();
  }

  #pmt(pid: number, section: Section): boolean {
    const { extension: sid, crc } = section.header;
    if (this.#pmtPids.get(sid) !== pid || this.#pmts.get(sid)?.crc === crc) return false;
    const known = this.#pmtSections.get(sid);
    if (known !== undefined && isOnlyNewVersion(known.bytes, section.bytes)) return false;
    this.#pmts.set(sid, readPmt(section));
    this.#pmtSections.set(sid, copyOf(section));
    this.#listener.programmesChanged();
    return true;
  }

  #sdt(section: Section): boolean {
    const news = this.#sdtVersion.addSection(section);
    if (news === "known") return false;
    if (news === "new version") {
      this.#descriptions.clear();
      this.#sdts.length = 0;
    }
    const onid = u16(section.bytes, 8);
    this.#tsidOfSdt = section.header.extension;
    this.#onidOfSdt = onid;
    if (this.#sdts.length < SECTIONS_MAX) this.#sdts.push(copyOf(section));
    this.#describe(section);
    if (this.#multiplexes.size < MPEG_TS_LIMITS.services) {
      this.#multiplexes.add(multiplexKey({ onid, tsid: section.header.extension }));
    }
    return true;
  }

  #describe(section: Section): void {
    for (const service of readSdt(section, this.#coding).services) {
      if (this.#descriptions.size < MPEG_TS_LIMITS.services) this.#descriptions.set(service.sid, service);
      if (service.provider === "FFmpeg") this.#areByFfmpeg = true;
    }
  }

  #nit(section: Section): boolean {
    const isNews = this.#numbers.addSection(section);
    if (isNews) this.#codings.noteNit(section);
    return isNews;
  }

  #eit(section: Section): boolean {
    const { extension: sid, crc, number } = section.header;
    const sections = this.#events.get(sid) ?? [];
    if (number > 1 || sections[number]?.section.header.crc === crc) return false;
    if (sections.length === 0 && this.#events.size >= MPEG_TS_LIMITS.services) return false;
    this.#codings.noteEit(section);
    sections[number] = withEvent(copyOf(section), this.#coding);
    this.#events.set(sid, sections);
    return true;
  }

  /**
   * SDT and EIT identify a service by its three ids (EN 300 468 §5.2.3, §5.2.4). The transport_stream_id of a PAT is a label that the
   * sender of the stream chose (ISO/IEC 13818-1 §2.4.4.5): multiplexers leave it at 1.
   */
  #idsOf(sid: number): Omit<Triplet, "sid"> | undefined {
    const [onid, tsid] = [this.#onidOfSdt, this.#tsidOfSdt];
    if (onid !== undefined && tsid !== undefined) return { onid, tsid };
    const told = this.events.find(({ service }) => service.sid === sid) ?? this.events[0];
    return told?.service;
  }

  #service(sid: number): ServiceFacts {
    const { sid: _, ...description } = this.#descriptions.get(sid) ?? { sid };
    const pmtPid = this.#pmtPids.get(sid);
    const pmt = this.#pmts.get(sid);
    const ids = this.#idsOf(sid);
    return {
      sid,
      ...(ids === undefined ? {} : { triplet: { ...ids, sid } }),
      ...description,
      ...(pmtPid === undefined ? {} : { pmtPid }),
      ...(pmt === undefined ? {} : { pcrPid: pmt.pcrPid }),
      streams: pmt?.streams ?? [],
    };
  }
}

/** service_type: digital radio, FM radio, radio with an advanced codec. EN 300 468 table 89. */
const RADIO: ReadonlySet<number> = new Set([0x02, 0x07, 0x0a]);

/** A multiplex sends some hundreds of sections. */
const SEEN_CRCS_MAX = 4096;

/** A table has at most this many sections. */
const SECTIONS_MAX = 256;

function copyOf({ bytes, header }: Section): Section {
  return { bytes: bytes.slice(), header };
}

function withEvent(
  section: Section,
  coding: NetworkCoding,
): { readonly section: Section; readonly event?: BroadcastEvent } {
  const event = readPresentFollowing(section, coding);
  return event === undefined ? { section } : { section, event };
}
