import type { BroadcastGuide, GuideService } from "../../model/broadcast-guide.ts";
import type { KnownService } from "../../model/channel-match.ts";
import { parseTriplet, type TripletKey, tripletKey } from "../../model/service.ts";
import { u8, u16 } from "../bytes.ts";
import {
  blocksOf,
  FOLLOWING_ACTUAL,
  isActual,
  mergedEvents,
  SCHEDULE_LAST,
  type Service,
  type Table,
} from "./guide-blocks.ts";
import { type NetworkCoding, NetworkCodings } from "./networks.ts";
import { type SectionHeader, sectionHeader } from "./sections.ts";
import { type ReadEvent, readEvents, readNit, readSdt } from "./tables.ts";

/** EN 300 468 §5.1.3. */
export const NIT_PID = 0x10;
export const SDT_PID = 0x11;
export const EIT_PID = 0x12;
/** NIT of this network and of others (EN 300 468 table 2). */
const NIT_ACTUAL = 0x40;
const NIT_OTHER = 0x41;
/** SDT of this transport stream and of others (EN 300 468 table 2). */
const SDT_ACTUAL = 0x42;
const SDT_OTHER = 0x46;
/** Digital radio sound, and with an advanced codec (EN 300 468 table 87). */
const RADIO_TYPES: readonly (number | undefined)[] = [0x02, 0x0a];
/** A week of all services of a satellite's streams. */
const EVENTS_MAX = 200_000;
/** An event whose texts are longer counts as several. Descriptions rarely have 1,000 characters; a section holds 4,000. */
const EVENT_LENGTH = 1000;

/** A name from an SDT, with the coding used. */
interface Name {
  readonly text: string;
  readonly onid: number;
  readonly coding: NetworkCoding;
  readonly isRadio: boolean;
  /** From the SDT of the transport stream being read. */
  readonly isHere: boolean;
}

/** Assembles EIT present/following and schedule from their repeating sections. */
export class GuideTables {
  readonly #services = new Map<number, Service>();
  readonly #names = new Map<TripletKey, Name>();
  /** Channel numbers from the NIT of this network. */
  readonly #numbers = new Map<TripletKey, number>();
  readonly #authorities = new Map<string, string>();
  /** The SDT sections read. */
  readonly #sdts = new Map<number, { readonly version: number; readonly coding: NetworkCoding }>();
  readonly #eventsMax: number;
  readonly #codings: NetworkCodings;
  #events = 0;
  /** Events, each by the length of its texts. */
  #weight = 0;
  #emptySections = 0;
  /** A section with events was refused, so further ones are skipped. */
  #isFull = false;

  /** Sections beyond `eventsMax` events of usual length are skipped, as are too many empty ones. */
  constructor({
    eventsMax = EVENTS_MAX,
    codings = new NetworkCodings(),
  }: { readonly eventsMax?: number; readonly codings?: NetworkCodings } = {}) {
    this.#eventsMax = eventsMax;
    this.#codings = codings;
  }

  /** The number of events read, including those of replaced sections. */
  get eventsRead(): number {
    return this.#events;
  }

  /** The number of events, sections and names held, long events counted as several: a measure of memory. */
  get held(): number {
    return this.#weight + this.#emptySections + this.#sdts.size + this.#names.size + this.#authorities.size;
  }

  /** Whether a table was read with a coding that its network no longer has: it counts when it is read again. */
  get isOutdated(): boolean {
    return [...this.#services.values()].some((service) => !this.#isCurrent(service));
  }

  /** A section of NIT_PID, SDT_PID or EIT_PID, unchecked; valid during the call only. */
  section(pid: number, bytes: Uint8Array): void {
    const tableId = u8(bytes, 0);
    if (pid === NIT_PID && (tableId === NIT_ACTUAL || tableId === NIT_OTHER)) this.#nit(bytes);
    if (pid === EIT_PID && tableId >= FOLLOWING_ACTUAL && tableId <= SCHEDULE_LAST) this.#eit(tableId, bytes);
    if (pid === SDT_PID && (tableId === SDT_ACTUAL || tableId === SDT_OTHER)) this.#sdt(tableId, bytes);
  }

  /** The content read so far. */
  guide(): BroadcastGuide {
    const told = [...this.#services.values()]
      .filter((service) => this.#isCurrent(service))
      .map((service) => ({ service, events: mergedEvents(service, this.#authorities) }))
      .filter(({ events }) => events.size > 0)
      .sort((a, b) => compare(tripletKey(a.service.triplet), tripletKey(b.service.triplet)));
    return {
      services: told.map(({ service, events }): GuideService => {
        const { triplet, tables } = service;
        const isReceived = [...tables.keys()].some(isActual);
        const name = this.#names.get(tripletKey(triplet));
        const isCurrent = name !== undefined && name.coding === this.#codings.codingOf(name.onid);
        return { triplet, name: isCurrent ? name.text : "", isReceived, blocks: blocksOf(service, events) };
      }),
      events: told.flatMap(({ events }) => [...events.values()].sort((a, b) => a.start - b.start)),
    };
  }

  /** Services named by SDTs, including other streams, with their channel numbers. */
  namedServices(): readonly KnownService[] {
    return this.#knownServices(() => true);
  }

  /** Services of the transport stream itself. */
  ownServices(): readonly KnownService[] {
    return this.#knownServices(({ isHere }) => isHere);
  }

  #knownServices(counts: (name: Name) => boolean): readonly KnownService[] {
    return [...this.#names].flatMap(([key, named]) => {
      const triplet = parseTriplet(key);
      const { text: name, onid, coding } = named;
      if (triplet === undefined || coding !== this.#codings.codingOf(onid) || !counts(named)) return [];
      const lcn = this.#numbers.get(key);
      const radio = named.isRadio ? ({ isRadio: true } as const) : {};
      return [{ triplet, name, ...(lcn === undefined ? {} : { lcn }), ...radio }];
    });
  }

  #isCurrent({ triplet, coding }: Service): boolean {
    return coding === this.#codings.codingOf(triplet.onid);
  }

  #nit(bytes: Uint8Array): void {
    const header = sectionHeader(bytes);
    if (header === undefined) return;
    this.#codings.noteNit({ bytes, header });
    if (header.tableId !== NIT_ACTUAL) return;
    for (const { onid, tsid, numbers } of readNit({ bytes, header })) {
      for (const { sid, number } of numbers) {
        if (this.#numbers.size < this.#eventsMax) this.#numbers.set(tripletKey({ onid, tsid, sid }), number);
      }
    }
  }

  /** A section is read once, unless its network's coding has changed. */
  #eit(tableId: number, bytes: Uint8Array): void {
    if (bytes.length < 14) return;
    const triplet = { sid: u16(bytes, 3), tsid: u16(bytes, 8), onid: u16(bytes, 10) };
    const key = (triplet.onid * 0x1_0000 + triplet.tsid) * 0x1_0000 + triplet.sid;
    const before = this.#services.get(key);
    const service = before !== undefined && this.#isCurrent(before) ? before : undefined;
    const table = service?.tables.get(tableId);
    if (this.#isFull) return;
    if (table?.version === (u8(bytes, 5) >> 1) % 32 && table.sections.has(u8(bytes, 6))) return;
    const header = sectionHeader(bytes);
    if (header === undefined) return;
    this.#codings.noteEit({ bytes, header });
    const coding = this.#codings.codingOf(triplet.onid);
    const events = readEvents({ bytes, header }, coding);
    const isEmpty = events.length === 0;
    if (isEmpty && this.#emptySections >= this.#eventsMax) return;
    const weight = events.reduce((sum, event) => sum + weightOf(event), 0);
    this.#isFull = this.#weight + weight > this.#eventsMax;
    if (this.#isFull) return;
    this.#events += events.length;
    this.#weight += weight;
    if (isEmpty) this.#emptySections += 1;
    const known = service?.coding === coding ? service : { triplet, coding, tables: new Map() };
    this.#services.set(key, known);
    tableOf(known, header).sections.set(header.number, { segmentLast: u8(bytes, 12), events });
  }

  /** SDT sections repeat every two seconds. */
  #sdt(tableId: number, bytes: Uint8Array): void {
    if (bytes.length < 11) return;
    const table = tableId === SDT_ACTUAL ? 0 : 1;
    const key = ((u16(bytes, 8) * 0x1_0000 + u16(bytes, 3)) * 2 + table) * 0x100 + u8(bytes, 6);
    const coding = this.#codings.codingOf(u16(bytes, 8));
    const before = this.#sdts.get(key);
    if (before?.version === (u8(bytes, 5) >> 1) % 32 && before.coding === coding) return;
    const header = sectionHeader(bytes);
    const most = Math.max(this.#names.size, this.#authorities.size, this.#sdts.size);
    if (header === undefined || most >= this.#eventsMax) return;
    this.#sdts.set(key, { version: header.version, coding });
    const { onid, services } = readSdt({ bytes, header }, coding);
    for (const { sid, name, authority, serviceType } of services) {
      const key = tripletKey({ onid, tsid: header.extension, sid });
      const isHere = tableId === SDT_ACTUAL || this.#names.get(key)?.isHere === true;
      const isRadio = RADIO_TYPES.includes(serviceType);
      if (name !== undefined) this.#names.set(key, { text: name, onid, coding, isHere, isRadio });
      if (authority !== undefined) this.#authorities.set(key, authority);
    }
  }
}

function weightOf({ title, text }: ReadEvent): number {
  return Math.max(1, Math.ceil((title.length + text.length) / EVENT_LENGTH));
}

/** The table in its current version; a new version discards the old one. */
function tableOf({ tables }: Service, { tableId, version }: SectionHeader): Table {
  const known = tables.get(tableId);
  if (known?.version === version) return known;
  const table = { version, sections: new Map() };
  tables.set(tableId, table);
  return table;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
