import { createReadStream } from "node:fs";
import { unreadableFile } from "../kit/unreadable-file.ts";
import type { BroadcastGuide } from "../model/broadcast-guide.ts";
import { RecorderdError } from "../model/errors.ts";
import { u8 } from "./bytes.ts";
import { EIT_PID, GuideTables, SDT_PID } from "./guide-tables.ts";
import { PacketReader, pidAt } from "./packets.ts";
import { SectionAssembler } from "./sections.ts";

const READ_BYTES = 1024 * 1024;

/** Reads event tables, present/following and schedule, out of packets. */
export class GuideReader {
  readonly #reader: PacketReader;
  readonly #assemblers = new Map<number, SectionAssembler>();
  readonly #tables: GuideTables;

  constructor(tables = new GuideTables()) {
    this.#tables = tables;
    for (const pid of [SDT_PID, EIT_PID]) {
      this.#assemblers.set(pid, new SectionAssembler((section) => tables.section(pid, section)));
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
    return this.#tables.guide();
  }

  /** A packet that is damaged, scrambled or without payload says nothing; what lost packets spoil is found by the checksum. */
  #packet(bytes: Uint8Array, at: number): void {
    const assembler = this.#assemblers.get(pidAt(bytes, at));
    const damaged = (u8(bytes, at + 1) & 0x80) !== 0;
    const control = u8(bytes, at + 3);
    if (assembler === undefined || damaged || (control & 0xc0) !== 0 || (control & 0x10) === 0) return;
    assembler.packet(bytes, at);
  }
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
