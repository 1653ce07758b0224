import type { AnnouncedEvent, BroadcastEvent, ChannelNumber, StreamFacts } from "../../model/inspection.ts";
import type { EpochMs } from "../../model/time.ts";
import { type ByteSpan, u8, u16 } from "../bytes.ts";
import { NULL_PID } from "../packets.ts";
import { describeStream } from "../streams/codecs.ts";
import { decodeText } from "../text/text.ts";
import { counted, type Descriptor, descriptors } from "./descriptors.ts";
import { readDuration, readUtc } from "./dvb-time.ts";
import { readEventTexts } from "./event-texts.ts";
import type { NetworkCoding } from "./networks.ts";
import { crc32, type Section } from "./sections.ts";

export const TABLE_PAT = 0x00;
export const TABLE_PMT = 0x02;
export const TABLE_NIT_ACTUAL = 0x40;
export const TABLE_SDT_ACTUAL = 0x42;
export const TABLE_EIT_PRESENT_FOLLOWING_ACTUAL = 0x4e;
const TABLE_TDT = 0x70;
const TABLE_TOT = 0x73;

const TAG_LOGICAL_CHANNEL = 0x83;
const TAG_SERVICE = 0x48;
const TAG_DEFAULT_AUTHORITY = 0x73;
const TAG_CONTENT_IDENTIFIER = 0x76;

export interface Programme {
  readonly sid: number;
  readonly pmtPid: number;
}

/** One section of the PAT (ISO/IEC 13818-1 §2.4.4.3), without the network PID (program_number 0). */
export function readPat({ bytes, header }: Section): readonly Programme[] {
  const programmes: Programme[] = [];
  for (let at = 8; at + 4 <= header.end; at += 4) {
    const sid = u16(bytes, at);
    if (sid !== 0) programmes.push({ sid, pmtPid: u16(bytes, at + 2) & 0x1fff });
  }
  return programmes;
}

export interface ProgrammeMap {
  /** CRC_32 of its section. */
  readonly crc: number;
  readonly pcrPid: number;
  readonly streams: readonly StreamFacts[];
}

/** The entry of one stream in a PMT. */
export interface MapEntry {
  readonly pid: number;
  readonly streamType: number;
  readonly descriptors: readonly Descriptor[];
  /** The whole entry, as in the section. */
  readonly bytes: Uint8Array;
}

/**
 * The entries of a PMT, in their order (ISO/IEC 13818-1 §2.4.4.8). Some encoders name the null PID where there is no stream. A PID
 * carries one stream: its first entry counts.
 */
export function* mapEntries({ bytes, header }: Section): Generator<MapEntry> {
  const before = new Set<number>();
  for (let at = 12 + (u16(bytes, 10) & 0x0fff); at + 5 <= header.end; ) {
    const firstAt = at + 5;
    const endAt = Math.min(header.end, firstAt + (u16(bytes, at + 3) & 0x0fff));
    const pid = u16(bytes, at + 1) & 0x1fff;
    if (pid !== NULL_PID && !before.has(pid)) {
      const own = [...descriptors(bytes, { firstAt, endAt })];
      yield { pid, streamType: u8(bytes, at), descriptors: own, bytes: bytes.subarray(at, endAt) };
    }
    before.add(pid);
    at = endAt;
  }
}

/** The PMT of one programme (ISO/IEC 13818-1 §2.4.4.8). */
export function readPmt(section: Section): ProgrammeMap {
  const { bytes, header } = section;
  const first = 12 + (u16(bytes, 10) & 0x0fff);
  const programme = [...descriptors(bytes, { firstAt: 12, endAt: Math.min(first, header.end) })];
  const streams = [...mapEntries(section)].map((entry) => describeStream({ ...entry, programme }));
  return { crc: header.crc, pcrPid: u16(bytes, 8) & 0x1fff, streams };
}

export interface ServiceDescription {
  readonly sid: number;
  readonly serviceType?: number;
  readonly provider?: string;
  readonly name?: string;
  /** The default authority of its events' content reference ids. */
  readonly authority?: string;
}

/** One section of the SDT (EN 300 468 §5.2.3). */
export function readSdt(
  { bytes, header }: Section,
  coding: NetworkCoding,
): {
  readonly onid: number;
  readonly services: readonly ServiceDescription[];
} {
  const services: ServiceDescription[] = [];
  for (let at = 11; at + 5 <= header.end; ) {
    const firstAt = at + 5;
    const endAt = Math.min(header.end, firstAt + (u16(bytes, at + 3) & 0x0fff));
    services.push({ sid: u16(bytes, at), ...readServiceDescriptor(bytes, { firstAt, endAt }, coding) });
    at = endAt;
  }
  return { onid: u16(bytes, 8), services };
}

function readServiceDescriptor(
  bytes: Uint8Array,
  span: ByteSpan,
  coding: NetworkCoding,
): Omit<ServiceDescription, "sid"> {
  let described: Omit<ServiceDescription, "sid"> = {};
  for (const { tag, body } of descriptors(bytes, span)) {
    if (tag === TAG_DEFAULT_AUTHORITY) described = { ...described, authority: ascii(body) };
    if (tag !== TAG_SERVICE || described.name !== undefined) continue;
    const provider = counted(body, 1);
    described = {
      ...described,
      serviceType: u8(body, 0),
      provider: decodeText(provider, coding.text),
      name: decodeText(counted(body, 2 + provider.length), coding.text),
    };
  }
  return described;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.filter((byte) => byte > 0x20 && byte < 0x7f));
}

/** The channel numbers of each transport stream in one section of the NIT (EN 300 468 §5.2.1). */
export function readNit({ bytes, header }: Section): readonly {
  readonly tsid: number;
  readonly onid: number;
  readonly numbers: readonly ChannelNumber[];
}[] {
  const streams = [];
  for (let at = 12 + (u16(bytes, 8) & 0x0fff); at + 6 <= header.end; ) {
    const firstAt = at + 6;
    const endAt = Math.min(header.end, firstAt + (u16(bytes, at + 4) & 0x0fff));
    const lists = [...descriptors(bytes, { firstAt, endAt })].filter(
      ({ tag }) => tag === TAG_LOGICAL_CHANNEL,
    );
    const numbers = lists.flatMap(({ body }) => readChannelNumbers(body));
    streams.push({ tsid: u16(bytes, at), onid: u16(bytes, at + 2), numbers });
    at = endAt;
  }
  return streams;
}

/** The number always has ten bits; the bits before it are reserved, or the visibility flag. */
function readChannelNumbers(body: Uint8Array): readonly ChannelNumber[] {
  const count = Math.floor(body.length / 4);
  return Array.from({ length: count }, (_, index) => ({
    sid: u16(body, index * 4),
    number: u16(body, index * 4 + 2) & 0x03ff,
  }));
}

/**
 * The event of one section of EIT present/following (EN 300 468 §5.2.4): section 0 is the present event, 1 the following.
 *
 * @returns `undefined` if the section has no event, or one without start or duration
 */
export function readPresentFollowing(section: Section, coding: NetworkCoding): BroadcastEvent | undefined {
  const at = FIRST_EVENT;
  const { bytes, header } = section;
  const told = header.number > 1 ? undefined : readEvent(section, { eventAt: at, coding });
  return (
    told && {
      ...told,
      which: header.number === 0 ? "present" : "following",
      runningStatus: u8(bytes, at + 10) >> 5,
    }
  );
}

/**
 * All events of one section of EIT, schedule or present/following (EN 300 468 §5.2.4), except those without start or duration.
 */
export function readEvents(section: Section, coding: NetworkCoding): readonly ReadEvent[] {
  const { bytes, header } = section;
  const events: ReadEvent[] = [];
  for (let at = FIRST_EVENT; at + 12 <= header.end; at += 12 + (u16(bytes, at + 10) & 0x0fff)) {
    const event = readEvent(section, { eventAt: at, coding });
    const endAt = Math.min(header.end, at + 12 + (u16(bytes, at + 10) & 0x0fff));
    if (event !== undefined) events.push({ ...event, crids: readCrids(bytes, { firstAt: at + 12, endAt }) });
  }
  return events;
}

/** An event with its content reference ids as sent: an id without an authority uses the service's. */
export interface ReadEvent extends AnnouncedEvent {
  readonly crids: readonly { readonly kind: "programme" | "series"; readonly text: string }[];
}

/** By crid_type; the second of each pair is from DTG D-Book and some broadcasters after it. */
const CRID_KINDS: ReadonlyMap<number, ReadEvent["crids"][number]["kind"]> = new Map([
  [0x01, "programme"],
  [0x31, "programme"],
  [0x02, "series"],
  [0x32, "series"],
]);

/** The first of each kind among the ids sent in full (crid_location 0). @see ETSI TS 102 323 §12.1 */
function readCrids(bytes: Uint8Array, span: ByteSpan): ReadEvent["crids"] {
  const crids: ReadEvent["crids"][number][] = [];
  for (const { tag, body } of descriptors(bytes, span)) {
    if (tag !== TAG_CONTENT_IDENTIFIER) continue;
    for (let at = 0; at + 2 <= body.length; ) {
      const head = u8(body, at);
      const isWritten = (head & 0x03) === 0;
      const text = isWritten ? ascii(counted(body, at + 1)) : "";
      const kind = CRID_KINDS.get(head >> 2);
      const isFirst = crids.every((known) => known.kind !== kind);
      if (kind !== undefined && text !== "" && isFirst) crids.push({ kind, text });
      at += isWritten ? 2 + u8(body, at + 1) : 3;
    }
  }
  return crids;
}

/** Offset of the events in a section of EIT. */
const FIRST_EVENT = 14;

function readEvent(
  { bytes, header }: Section,
  { eventAt, coding }: { readonly eventAt: number; readonly coding: NetworkCoding },
): AnnouncedEvent | undefined {
  if (eventAt + 12 > header.end) return undefined;
  const start = readUtc(bytes, eventAt + 2);
  const durationMs = readDuration(bytes, eventAt + 7);
  if (start === undefined || durationMs === undefined) return undefined;
  const firstAt = eventAt + 12;
  const endAt = Math.min(header.end, firstAt + (u16(bytes, eventAt + 10) & 0x0fff));
  return {
    service: { onid: u16(bytes, 10), tsid: u16(bytes, 8), sid: header.extension },
    eventId: u16(bytes, eventAt),
    start: start - coding.utcOffsetMs,
    durationMs,
    ...readEventTexts(descriptors(bytes, { firstAt, endAt }), coding.text),
  };
}

/**
 * The time of a TDT or TOT (EN 300 468 §5.2.5, §5.2.6), as the network counts it; `undefined` for anything else, and for a
 * damaged TOT.
 */
export function readTime(section: Uint8Array): EpochMs | undefined {
  const tableId = u8(section, 0);
  const isTdt = tableId === TABLE_TDT && section.length === 8;
  const isTot = tableId === TABLE_TOT && section.length >= 14 && crc32(section) === 0;
  return isTdt || isTot ? readUtc(section, 3) : undefined;
}
