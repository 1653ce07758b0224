import { isDeepStrictEqual } from "node:util";
import { u8, u16 } from "../../../mpeg-ts/bytes.ts";
import { PACKET_BYTES, PID_COUNT, pidAt } from "../../../mpeg-ts/packets.ts";
import { crc32, packetsOf, SectionAssembler, sectionHeader } from "../../../mpeg-ts/tables/sections.ts";

const PAT_PID = 0x00;
/** The PMT's value for "no PCR". */
const NO_PID = 0x1fff;
/** NIT, SDT and BAT, EIT, TDT and TOT (EN 300 468 table 1): passed unchanged, other services included. */
const SERVICE_INFORMATION = [0x10, 0x11, 0x12, 0x14] as const;
/** TDT and TOT: the only tables that name no service. */
const TIME_PID = 0x14;
const TABLE_PAT = 0x00;
const TABLE_PMT = 0x02;
const TAG_CA = 0x09;
const CRC_BYTES = 4;
/** A PMT comes every 100 to 500 ms (ETSI TR 101 290 §5.2.1), so these are 2 to 10 s. */
const FORMER_SECTIONS = 20;

/** The treatment of the packets of a PID. */
const IGNORED = 0;
const PASSED = 1;
const PASSED_AND_READ = 2;
const READ = 3;

interface WantedService {
  readonly sid: number;
  readonly soleTsid?: number;
}

/** Receives `bytes[from]` to `bytes[to - 1]`, whole packets; the bytes change after the call. */
export type TakePackets = (bytes: Uint8Array, from: number, to: number) => void;

/**
 * Extracts one service from a multiplex, starting with the first PAT that lists it: its PMT, all PIDs in that (PCR, streams, ECM)
 * and, for some seconds, in the one before it, and the tables about all services. It replaces each PAT by one that lists only this service; all other packets stay unchanged.
 *
 * With `soleTsid`, the service gets the wanted ids, and the only one of a stream is the wanted one. The tables about services are
 * then left out, for they name it otherwise.
 */
export class ServiceFilter {
  readonly #wanted: WantedService;
  /** The service_id in the stream. */
  #sid: number;
  #isRenamed = false;
  readonly #take: TakePackets;
  /** By PID. */
  readonly #plan = new Uint8Array(PID_COUNT);
  readonly #patReader = new TableReader((section) => this.#onPat(section));
  readonly #pmtReader = new TableReader((section) => this.#onPmt(section));
  /** Sections of the current PAT that do not list the service. */
  readonly #without = new Set<number>();
  #patVersion = -1;
  #pmtPid: number | undefined;
  #networkPid: number | undefined;
  #streamPids: readonly number[] = [];
  /** Those of the PMT before it, passed on for so many further sections. */
  #formerPids: readonly number[] = [];
  #formerSections = 0;
  #pmtCrc: number | undefined;
  /** The PMT with the wanted service_id. */
  #renamedPmt: Uint8Array = new Uint8Array();
  #pmtCounter = 0;
  #patCounter = 15;
  /** The last PAT written, and the data it was made from. */
  #pat: { readonly key: string; readonly packet: Uint8Array } | undefined;
  #isMissing = false;
  /** Start of the next block to pass on. */
  #from = 0;
  #to = 0;

  constructor(wanted: WantedService, take: TakePackets) {
    this.#wanted = wanted;
    this.#sid = wanted.sid;
    this.#take = take;
  }

  /** Whether a complete PAT without the service was read. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  get hasPat(): boolean {
    return this.#patVersion >= 0;
  }

  /** Handles one packet, at `bytes[at]`. Call `flush` before the bytes change. */
  packet(bytes: Uint8Array, at: number): void {
    const pid = pidAt(bytes, at);
    if (pid === PAT_PID) {
      this.flush(bytes);
      this.#patReader.packet(bytes, at);
      return;
    }
    const plan = this.#plan[pid];
    if (plan === IGNORED) return;
    if (plan === READ) {
      this.flush(bytes);
      this.#pmtReader.packet(bytes, at);
      return;
    }
    if (at !== this.#to || this.#from === this.#to) {
      this.flush(bytes);
      this.#from = at;
    }
    this.#to = at + PACKET_BYTES;
    if (plan === PASSED_AND_READ) this.#pmtReader.packet(bytes, at);
  }

  flush(bytes: Uint8Array): void {
    if (this.#to > this.#from) this.#take(bytes, this.#from, this.#to);
    this.#from = 0;
    this.#to = 0;
  }

  #onPat(section: Uint8Array): void {
    const header = sectionHeader(section);
    if (header === undefined || header.tableId !== TABLE_PAT) return;
    if (header.version !== this.#patVersion) this.#without.clear();
    this.#patVersion = header.version;
    const programmes = new Map<number, number>();
    for (let at = 8; at + 4 <= header.end; at += 4) {
      const pid = u16(section, at + 2) & 0x1fff;
      if (u16(section, at) === 0) this.#networkPid = pid;
      else programmes.set(u16(section, at), pid);
    }
    const { sid: own, soleTsid = header.extension } = this.#wanted;
    const isSole = this.#wanted.soleTsid !== undefined && programmes.size === 1;
    const [sid = own] = isSole ? programmes.keys() : [];
    const isRenamed = sid !== own || soleTsid !== header.extension;
    const pmtPid = programmes.get(sid);
    if (pmtPid === undefined) {
      this.#without.add(header.number);
      // last_section_number
      this.#isMissing = this.#without.size > u8(section, 7);
      return;
    }
    this.#isMissing = false;
    this.#without.delete(header.number);
    if (pmtPid !== this.#pmtPid || sid !== this.#sid || isRenamed !== this.#isRenamed) {
      this.#expectPmt(pmtPid, { sid, isRenamed });
    }
    this.#sendPat(soleTsid, pmtPid);
  }

  #expectPmt(pid: number, { sid, isRenamed }: { readonly sid: number; readonly isRenamed: boolean }): void {
    this.#replan(() => {
      this.#sid = sid;
      this.#isRenamed = isRenamed;
      this.#pmtPid = pid;
    });
    this.#pmtReader.restart();
    this.#pmtCrc = undefined;
  }

  #onPmt(section: Uint8Array): void {
    const header = sectionHeader(section);
    if (header?.tableId !== TABLE_PMT || header.extension !== this.#sid) return;
    const crc = u16(section, header.end) * 0x10000 + u16(section, header.end + 2);
    this.#formerSections -= 1;
    if (this.#formerSections === 0) this.#follow(this.#streamPids, []);
    if (crc !== this.#pmtCrc) {
      this.#pmtCrc = crc;
      const pids = pidsOfPmt(section, header.end);
      if (!isDeepStrictEqual(pids, this.#streamPids)) this.#follow(pids, this.#streamPids);
      if (this.#isRenamed)
        this.#renamedPmt = packetsOf(renamed(section, this.#wanted.sid), this.#pmtPid ?? 0);
    }
    if (this.#isRenamed) this.#sendPmt();
  }

  #sendPmt(): void {
    const packets = this.#renamedPmt;
    for (let at = 0; at < packets.length; at += PACKET_BYTES) {
      packets[at + 3] = 0x10 | this.#pmtCounter;
      this.#pmtCounter = (this.#pmtCounter + 1) & 0x0f;
    }
    this.#take(packets, 0, packets.length);
  }

  /** A PMT comes before the streams that it names: those of the PMT before it are sent until then. */
  #follow(pids: readonly number[], former: readonly number[]): void {
    this.#replan(() => {
      this.#streamPids = pids;
      this.#formerPids = former;
    });
    this.#formerSections = FORMER_SECTIONS;
  }

  /** Some encoders change their tables all the time, so a change touches no more than the PIDs in question. */
  #replan(change: () => void): void {
    const plan = this.#plan;
    for (const pid of this.#planned()) plan[pid] = IGNORED;
    change();
    for (const pid of this.#planned()) plan[pid] = PASSED;
    if (this.#pmtPid !== undefined) plan[this.#pmtPid] = this.#isRenamed ? READ : PASSED_AND_READ;
  }

  #planned(): readonly number[] {
    const tables = this.#isRenamed ? [TIME_PID] : SERVICE_INFORMATION;
    const map = this.#pmtPid === undefined ? [] : [this.#pmtPid];
    return [...tables, ...this.#streamPids, ...this.#formerPids, ...map];
  }

  #sendPat(transportStreamId: number, pmtPid: number): void {
    const key = [transportStreamId, this.#patVersion, this.#networkPid, pmtPid].join(" ");
    if (key !== this.#pat?.key) {
      const packet = patPacket(transportStreamId, {
        version: this.#patVersion,
        networkPid: this.#isRenamed ? undefined : this.#networkPid,
        programme: [this.#wanted.sid, pmtPid],
      });
      this.#pat = { key, packet };
    }
    this.#patCounter = (this.#patCounter + 1) & 0x0f;
    const { packet } = this.#pat;
    packet[3] = 0x10 | this.#patCounter;
    this.#take(packet, 0, PACKET_BYTES);
  }
}

/** Bytes of a PAT before its programmes, and of each programme (ISO/IEC 13818-1 §2.4.4.3). */
const PAT_HEAD_BYTES = 8;
const PROGRAMME_BYTES = 4;
/** Packet header and pointer_field. */
const SECTION_AT = 5;

/** A PAT with one programme (ISO/IEC 13818-1 §2.4.4.3), in one packet. */
function patPacket(
  transportStreamId: number,
  {
    version,
    networkPid,
    programme: [sid, pmtPid],
  }: {
    readonly version: number;
    readonly networkPid: number | undefined;
    readonly programme: readonly [sid: number, pmtPid: number];
  },
): Uint8Array {
  const packet = new Uint8Array(PACKET_BYTES).fill(0xff);
  const section = packet.subarray(SECTION_AT);
  const programmes = networkPid === undefined ? 1 : 2;
  const end = PAT_HEAD_BYTES + programmes * PROGRAMME_BYTES;
  packet.set([0x47, 0x40, 0x00, 0x10, 0]);
  section.set([TABLE_PAT, 0xb0, end - 3 + CRC_BYTES, 0, 0, 0xc1 | (version << 1), 0, 0]);
  put16(section, 3, transportStreamId);
  if (networkPid !== undefined) putProgramme(section, PAT_HEAD_BYTES, [0, networkPid]);
  putProgramme(section, end - PROGRAMME_BYTES, [sid, pmtPid]);
  putCrc(section, end);
  return packet;
}

function putProgramme(section: Uint8Array, at: number, [sid, pid]: readonly [number, number]): void {
  put16(section, at, sid);
  put16(section, at + 2, 0xe000 | pid);
}

function putCrc(section: Uint8Array, end: number): void {
  const crc = crc32(section.subarray(0, end));
  put16(section, end, crc >>> 16);
  put16(section, end + 2, crc);
}

/** A PMT section with another program_number (ISO/IEC 13818-1 §2.4.4.8). */
function renamed(section: Uint8Array, sid: number): Uint8Array {
  const copy = section.slice();
  put16(copy, 3, sid);
  putCrc(copy, copy.length - CRC_BYTES);
  return copy;
}

/** The PIDs of the PCR, of the streams, and of the ECM in CA descriptors (ISO/IEC 13818-1 §2.4.4.8, §2.6.16). */
function pidsOfPmt(section: Uint8Array, end: number): readonly number[] {
  const programmeInfo = Math.min(end, 12 + (u16(section, 10) & 0x0fff));
  const pids = [u16(section, 8) & 0x1fff, ...ecmPids(section, { from: 12, to: programmeInfo })];
  for (let at = programmeInfo; at + 5 <= end; ) {
    const to = Math.min(end, at + 5 + (u16(section, at + 3) & 0x0fff));
    pids.push(u16(section, at + 1) & 0x1fff, ...ecmPids(section, { from: at + 5, to }));
    at = to;
  }
  return pids.filter((pid) => pid !== NO_PID);
}

function ecmPids(
  section: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): readonly number[] {
  const pids: number[] = [];
  for (let at = from; at + 2 <= to; at += 2 + u8(section, at + 1)) {
    if (u8(section, at) === TAG_CA && at + 6 <= to) pids.push(u16(section, at + 4) & 0x1fff);
  }
  return pids;
}

function put16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

/** Reads the sections of one PID from undamaged packets. */
class TableReader {
  readonly #assembler: SectionAssembler;
  #counter: number | undefined;

  constructor(onSection: (section: Uint8Array) => void) {
    this.#assembler = new SectionAssembler(onSection);
  }

  /** Forgets what it has of a table. */
  restart(): void {
    this.#assembler.drop();
    this.#counter = undefined;
  }

  packet(bytes: Uint8Array, at: number): void {
    const control = u8(bytes, at + 3);
    const hasError = (u8(bytes, at + 1) & 0x80) !== 0;
    const hasPayload = (control & 0x10) !== 0;
    const isClear = (control & 0xc0) === 0;
    if (!hasPayload) return;
    const counter = control & 0x0f;
    const before = this.#counter;
    this.#counter = counter;
    const startsSection = (u8(bytes, at + 1) & 0x40) !== 0;
    // A duplicate, which the standard allows (ISO/IEC 13818-1 §2.4.3.3). A section may be read twice: some encoders never count.
    if (counter === before && !startsSection) return;
    if (before !== undefined && counter !== before && counter !== ((before + 1) & 0x0f))
      this.#assembler.drop();
    if (hasError || !isClear) this.#assembler.drop();
    else this.#assembler.packet(bytes, at);
  }
}
