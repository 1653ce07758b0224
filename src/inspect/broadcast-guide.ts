import { createReadStream } from "node:fs";
import { unreadableFile } from "../kit/unreadable-file.ts";
import { RecorderdError } from "../model/errors.ts";
import type { ToldEvent } from "../model/inspection.ts";
import { type Triplet, tripletKey } from "../model/service.ts";
import { u8 } from "./bytes.ts";
import { PacketReader, pidAt } from "./packets.ts";
import { SectionAssembler, sectionHeader } from "./sections.ts";
import { readEvents, readSdt } from "./tables.ts";

/** EN 300 468 §5.1.3. */
const SDT_PID = 0x11;
const EIT_PID = 0x12;
/** SDT of this transport stream and of others (EN 300 468 table 2). */
const SDT_TABLES = new Set([0x42, 0x46]);
/** EIT present/following of this and of other streams, then schedule of both. */
const EIT_FIRST = 0x4e;
const EIT_LAST = 0x6f;
/** A week of all services of a satellite's streams; further events are not kept. */
const EVENTS_MAX = 200_000;
const READ_BYTES = 1024 * 1024;

export interface GuideService {
  readonly triplet: Triplet;
  readonly name: string;
}

/** What the event tables of a stream tell, of its own services and of those of other streams. */
export interface BroadcastGuide {
  /** Those that have events, by triplet; without a name where no SDT names it. */
  readonly services: readonly GuideService[];
  /** By service and start; each event once, as it was told last. */
  readonly events: readonly ToldEvent[];
}

/** Reads event tables, present/following and schedule, out of packets. */
export class GuideReader {
  readonly #reader: PacketReader;
  readonly #assemblers = new Map<number, SectionAssembler>();
  readonly #names = new Map<string, string>();
  readonly #events = new Map<string, ToldEvent>();

  constructor() {
    for (const pid of [SDT_PID, EIT_PID]) {
      this.#assemblers.set(pid, new SectionAssembler((section) => this.#section(pid, section)));
    }
    this.#reader = new PacketReader({ packet: (bytes, at) => this.#packet(bytes, at), release: () => {} });
  }

  get packets(): number {
    return this.#reader.packets;
  }

  push(chunk: Uint8Array): void {
    this.#reader.push(chunk);
  }

  /** What was told so far. */
  guide(): BroadcastGuide {
    this.#reader.settle();
    const events = [...this.#events.values()].sort(
      (a, b) => compare(tripletKey(a.service), tripletKey(b.service)) || a.start - b.start,
    );
    const services = new Map(events.map(({ service }) => [tripletKey(service), service]));
    return {
      services: [...services].map(([key, triplet]) => ({ triplet, name: this.#names.get(key) ?? "" })),
      events,
    };
  }

  /** A packet that is damaged, scrambled or without payload says nothing; what lost packets spoil is found by the checksum. */
  #packet(bytes: Uint8Array, at: number): void {
    const assembler = this.#assemblers.get(pidAt(bytes, at));
    const damaged = (u8(bytes, at + 1) & 0x80) !== 0;
    const control = u8(bytes, at + 3);
    if (assembler === undefined || damaged || (control & 0xc0) !== 0 || (control & 0x10) === 0) return;
    assembler.packet(bytes, at);
  }

  #section(pid: number, bytes: Uint8Array): void {
    const tableId = u8(bytes, 0);
    const isSdt = pid === SDT_PID && SDT_TABLES.has(tableId);
    const isEit = pid === EIT_PID && tableId >= EIT_FIRST && tableId <= EIT_LAST;
    const header = isSdt || isEit ? sectionHeader(bytes) : undefined;
    if (header === undefined) return;
    if (isEit) {
      for (const event of readEvents({ bytes, header })) this.#event(event);
      return;
    }
    const { onid, services } = readSdt({ bytes, header });
    for (const { sid, name } of services) {
      const key = tripletKey({ onid, tsid: header.extension, sid });
      if (name !== undefined && this.#names.size < EVENTS_MAX) this.#names.set(key, name);
    }
  }

  /** Tables repeat what they have no texts for: what has none does not replace what has. */
  #event(event: ToldEvent): void {
    const key = `${tripletKey(event.service)} ${event.eventId}`;
    const known = this.#events.get(key);
    if (known === undefined && this.#events.size >= EVENTS_MAX) return;
    if (known === undefined || event.title !== "") this.#events.set(key, fuller(event, known));
  }
}

/** The schedule has long texts that present/following lacks, and the other way round. */
function fuller(event: ToldEvent, known: ToldEvent | undefined): ToldEvent {
  const keepsText =
    known !== undefined && known.title === event.title && known.text.length > event.text.length;
  return keepsText ? { ...event, text: known.text } : event;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * What the event tables in a file tell.
 *
 * @throws RecorderdError FILE_UNREADABLE when it cannot be read, or is no transport stream
 */
export async function readBroadcastGuide(file: string): Promise<BroadcastGuide> {
  const reader = new GuideReader();
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
      reader.push(chunk as Uint8Array);
    }
  } catch (error) {
    throw unreadableFile(file, error);
  }
  const guide = reader.guide();
  if (reader.packets > 0) return guide;
  throw new RecorderdError("FILE_UNREADABLE", `${file} is no transport stream.`, { file });
}
