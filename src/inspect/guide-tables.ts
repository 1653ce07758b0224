import type { BroadcastGuide, GuideBlock, GuideService } from "../model/broadcast-guide.ts";
import type { ToldEvent } from "../model/inspection.ts";
import { type Triplet, tripletKey } from "../model/service.ts";
import { HOUR, SECOND } from "../model/time.ts";
import { u8, u16 } from "./bytes.ts";
import { type NetworkCoding, NetworkCodings } from "./networks.ts";
import { type SectionHeader, sectionHeader } from "./sections.ts";
import { type ReadEvent, readEvents, readSdt } from "./tables.ts";

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
/** EIT present/following of this and of other streams, then schedule of both, 16 tables each. */
const FOLLOWING_ACTUAL = 0x4e;
const FOLLOWING_OTHER = 0x4f;
const SCHEDULE_OTHER = 0x60;
const SCHEDULE_LAST = 0x6f;
/** Eight sections of a schedule table are a segment, which has the events that begin within three hours; a table has 32 (ETSI TS 101 211 §4.1.4). */
const SEGMENT_MS = 3 * HOUR;
const SEGMENTS = 32;
/** A week of all services of a satellite's streams. */
const EVENTS_MAX = 200_000;

interface TableSection {
  readonly segmentLast: number;
  readonly events: readonly ReadEvent[];
}

interface Table {
  readonly version: number;
  /** By section number. */
  readonly sections: Map<number, TableSection>;
}

interface Service {
  readonly triplet: Triplet;
  /** By which its tables were read. */
  readonly coding: NetworkCoding;
  /** By table id. */
  readonly tables: Map<number, Table>;
}

/** A name as an SDT told it, by a coding. */
interface Name {
  readonly text: string;
  readonly onid: number;
  readonly coding: NetworkCoding;
}

/** Puts event tables, present/following and schedule, together out of their sections, which come again and again. */
export class GuideTables {
  readonly #services = new Map<number, Service>();
  readonly #names = new Map<string, Name>();
  readonly #authorities = new Map<string, string>();
  /** The sections of SDT that were read. */
  readonly #sdts = new Map<number, { readonly version: number; readonly coding: NetworkCoding }>();
  readonly #eventsMax: number;
  readonly #codings: NetworkCodings;
  #events = 0;
  #emptySections = 0;

  /** Sections that would bring more events are not read, nor more that have none. */
  constructor({
    eventsMax = EVENTS_MAX,
    codings = new NetworkCodings(),
  }: { readonly eventsMax?: number; readonly codings?: NetworkCodings } = {}) {
    this.#eventsMax = eventsMax;
    this.#codings = codings;
  }

  /** How many were read, those of sections that were replaced included. */
  get eventsRead(): number {
    return this.#events;
  }

  /** Whether something was read by another coding than its network is known to have by now: it counts when it is read again. */
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

  /** What was told so far. */
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
        const isCurrent = name !== undefined && name.coding === this.#codings.of(name.onid);
        return { triplet, name: isCurrent ? name.text : "", isReceived, blocks: blocksOf(service, events) };
      }),
      events: told.flatMap(({ events }) => [...events.values()].sort((a, b) => a.start - b.start)),
    };
  }

  #isCurrent({ triplet, coding }: Service): boolean {
    return coding === this.#codings.of(triplet.onid);
  }

  #nit(bytes: Uint8Array): void {
    const header = sectionHeader(bytes);
    if (header !== undefined) this.#codings.noteNit({ bytes, header });
  }

  /** What was read already is not looked at again, unless its network is known to have another coding. */
  #eit(tableId: number, bytes: Uint8Array): void {
    if (bytes.length < 14) return;
    const triplet = { sid: u16(bytes, 3), tsid: u16(bytes, 8), onid: u16(bytes, 10) };
    const key = (triplet.onid * 0x1_0000 + triplet.tsid) * 0x1_0000 + triplet.sid;
    const before = this.#services.get(key);
    const service = before !== undefined && this.#isCurrent(before) ? before : undefined;
    const table = service?.tables.get(tableId);
    if (table?.version === (u8(bytes, 5) >> 1) % 32 && table.sections.has(u8(bytes, 6))) return;
    const header = sectionHeader(bytes);
    if (header === undefined) return;
    this.#codings.noteEit({ bytes, header });
    const coding = this.#codings.of(triplet.onid);
    const events = readEvents({ bytes, header }, coding);
    const isEmpty = events.length === 0;
    if ((isEmpty ? this.#emptySections + 1 : this.#events + events.length) > this.#eventsMax) return;
    this.#events += events.length;
    if (isEmpty) this.#emptySections += 1;
    const known = service?.coding === coding ? service : { triplet, coding, tables: new Map() };
    this.#services.set(key, known);
    tableOf(known, header).sections.set(header.number, { segmentLast: u8(bytes, 12), events });
  }

  /** The same ones come every two seconds. */
  #sdt(tableId: number, bytes: Uint8Array): void {
    if (bytes.length < 11) return;
    const table = tableId === SDT_ACTUAL ? 0 : 1;
    const key = ((u16(bytes, 8) * 0x1_0000 + u16(bytes, 3)) * 2 + table) * 0x100 + u8(bytes, 6);
    const coding = this.#codings.of(u16(bytes, 8));
    const before = this.#sdts.get(key);
    if (before?.version === (u8(bytes, 5) >> 1) % 32 && before.coding === coding) return;
    const header = sectionHeader(bytes);
    if (header === undefined || Math.max(this.#names.size, this.#sdts.size) >= this.#eventsMax) return;
    this.#sdts.set(key, { version: header.version, coding });
    const { onid, services } = readSdt({ bytes, header }, coding);
    for (const { sid, name, authority } of services) {
      const key = tripletKey({ onid, tsid: header.extension, sid });
      if (name !== undefined) this.#names.set(key, { text: name, onid, coding });
      if (authority !== undefined) this.#authorities.set(key, authority);
    }
  }
}

/** In its current version; of another one nothing counts any more. */
function tableOf({ tables }: Service, { tableId, version }: SectionHeader): Table {
  const known = tables.get(tableId);
  if (known?.version === version) return known;
  const table = { version, sections: new Map() };
  tables.set(tableId, table);
  return table;
}

function isActual(tableId: number): boolean {
  return tableId !== FOLLOWING_OTHER && tableId < SCHEDULE_OTHER;
}

function isFollowing(tableId: number): boolean {
  return tableId === FOLLOWING_ACTUAL || tableId === FOLLOWING_OTHER;
}

/** The least exact first: schedules, of other streams first, then what is on now. */
function byExactness(a: number, b: number): number {
  const rank = (id: number) => (isFollowing(id) ? 2 : 0) + (isActual(id) ? 1 : 0);
  return rank(a) - rank(b) || a - b;
}

/** Each event once, by id. Tables repeat what they have no texts for: what has none does not replace what has. */
function mergedEvents(
  { triplet, tables }: Service,
  authorities: ReadonlyMap<string, string>,
): ReadonlyMap<number, ToldEvent> {
  const authority = authorities.get(tripletKey(triplet));
  const events = new Map<number, ToldEvent>();
  for (const tableId of [...tables.keys()].sort(byExactness)) {
    for (const { events: some } of tables.get(tableId)?.sections.values() ?? []) {
      for (const read of some) {
        const event = withCrids(read, authority);
        const known = events.get(event.eventId);
        if (known === undefined || event.title !== "") events.set(event.eventId, fuller(event, known));
      }
    }
  }
  return events;
}

/** The schedule has long texts that present/following lacks, and the other way round. */
function fuller(event: ToldEvent, known: ToldEvent | undefined): ToldEvent {
  const keepsText =
    known !== undefined && known.title === event.title && known.text.length > event.text.length;
  return keepsText ? { ...event, text: known.text } : event;
}

function withCrids({ crids, ...event }: ReadEvent, authority: string | undefined): ToldEvent {
  const of = (wanted: "programme" | "series") => {
    const found = crids.find(({ kind }) => kind === wanted);
    return found === undefined ? undefined : wholeCrid(found.text, authority);
  };
  const [programmeCrid, seriesCrid] = [of("programme"), of("series")];
  return {
    ...event,
    ...(programmeCrid === undefined ? {} : { programmeCrid }),
    ...(seriesCrid === undefined ? {} : { seriesCrid }),
  };
}

/** With its authority, without the part that tells one broadcast from another; none where nobody says whose it is (ETSI TS 102 323 §6.3). */
function wholeCrid(text: string, authority: string | undefined): string | undefined {
  const crid = text.replace(/#.*$/, "");
  if (/^crid:\/\//i.test(crid)) return crid;
  if (!crid.startsWith("/")) return `crid://${crid}`;
  return authority === undefined ? undefined : `crid://${authority}${crid}`;
}

function blocksOf({ tables }: Service, events: ReadonlyMap<number, ToldEvent>): readonly GuideBlock[] {
  const merged = (some: readonly ReadEvent[]) =>
    [...new Set(some.map(({ eventId }) => eventId))].flatMap((id) => events.get(id) ?? []);
  return [...tables.keys()]
    .sort((a, b) => byExactness(b, a) || a - b)
    .flatMap((id) => {
      const table = tables.get(id) ?? { version: 0, sections: new Map<number, TableSection>() };
      const blocks = isFollowing(id) ? [followingBlock(table)] : scheduleBlocks(id, table);
      return blocks.map(({ span, events: some }) => ({
        ...(span === undefined ? {} : { span }),
        events: merged(some),
      }));
    })
    .filter(({ span, events: some }) => span !== undefined || some.length > 0);
}

interface ReadBlock {
  readonly span?: GuideBlock["span"];
  readonly events: readonly ReadEvent[];
}

/** Between what is on and what follows nothing begins. */
function followingBlock({ sections }: Table): ReadBlock {
  const [present] = sections.get(0)?.events ?? [];
  const [following] = sections.get(1)?.events ?? [];
  const events = [present, following].filter((event) => event !== undefined);
  return present === undefined || following === undefined || following.start <= present.start
    ? { events }
    : { span: { start: present.start, stop: following.start + SECOND }, events };
}

/** A block for each segment; with its span where all its sections are there, and all events of the table begin where its segments say. */
function scheduleBlocks(tableId: number, { sections }: Table): readonly ReadBlock[] {
  const first = (tableId & 0x0f) * SEGMENTS;
  const bases = new Set(
    [...sections].flatMap(([number, { events }]) =>
      events.map(({ start }) => Math.floor(start / SEGMENT_MS) - first - (number >> 3)),
    ),
  );
  const [base] = bases;
  const segments = new Set([...sections.keys()].map((number) => number >> 3));
  return [...segments]
    .sort((a, b) => a - b)
    .map((segment): ReadBlock => {
      const numbers = Array.from({ length: 8 }, (_, at) => segment * 8 + at);
      const there = numbers.flatMap((number) => sections.get(number) ?? []);
      const last = there[0]?.segmentLast ?? 0;
      const isWhole = numbers.every((number) => number > last || sections.has(number));
      const events = there.flatMap((each) => each.events);
      if (base === undefined || bases.size > 1 || !isWhole) return { events };
      const start = (base + first + segment) * SEGMENT_MS;
      return { span: { start, stop: start + SEGMENT_MS }, events };
    });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
