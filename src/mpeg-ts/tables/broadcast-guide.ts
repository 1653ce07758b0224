import { unreadableFile } from "../../kit/files/unreadable-file.ts";
import { readWholeFile } from "../../kit/files/whole-read.ts";
import type { BroadcastGuide } from "../../model/broadcast-guide.ts";
import { RecorderdError } from "../../model/errors.ts";
import { foreignPacketText } from "../../model/foreign-packets.ts";
import type { NetworkSettings } from "../../model/network.ts";
import { u8 } from "../bytes.ts";
import { HOPELESS_BYTES, StreamBeginning } from "../foreign-packets.ts";
import { PacketReader } from "../packet-reader.ts";
import { pidAt } from "../packets.ts";
import { EIT_PID, GuideTables, NIT_PID, SDT_PID } from "./guide-tables.ts";
import { NetworkCodings } from "./networks.ts";
import { SectionAssembler } from "./sections.ts";

/** Extracts the sections of NIT, SDT and EIT from packets. */
export class GuideSections {
  readonly #reader: PacketReader;
  readonly #assemblers: ReadonlyMap<number, SectionAssembler>;

  /** The sections are unchecked, and valid during the call only. */
  constructor(section: (pid: number, section: Uint8Array) => void) {
    this.#assemblers = new Map(
      [NIT_PID, SDT_PID, EIT_PID].map((pid) => [pid, new SectionAssembler((bytes) => section(pid, bytes))]),
    );
    this.#reader = new PacketReader({ packet: (bytes, at) => this.#packet(bytes, at), release: () => {} });
  }

  get packets(): number {
    return this.#reader.packets;
  }

  push(chunk: Uint8Array): void {
    this.#reader.push(chunk);
  }

  /** All available bytes were pushed. */
  settle(): void {
    this.#reader.settle();
  }

  /** Damaged, scrambled and payload-less packets are skipped; the checksum detects sections with lost packets. */
  #packet(bytes: Uint8Array, at: number): void {
    const assembler = this.#assemblers.get(pidAt(bytes, at));
    const damaged = (u8(bytes, at + 1) & 0x80) !== 0;
    const control = u8(bytes, at + 3);
    if (assembler === undefined || damaged || (control & 0xc0) !== 0 || (control & 0x10) === 0) return;
    assembler.packet(bytes, at);
  }
}

/**
 * The events of a file's EIT. A file that shows its network's coding only midway is read twice.
 *
 * @throws RecorderdError FILE_UNREADABLE when it cannot be read, or is no transport stream
 */
export async function readBroadcastGuide(file: string, networks?: NetworkSettings): Promise<BroadcastGuide> {
  const codings = new NetworkCodings(networks);
  const tables = await readTables(file, codings);
  return (tables.isOutdated ? await readTables(file, codings) : tables).guide();
}

async function readTables(file: string, codings: NetworkCodings): Promise<GuideTables> {
  const tables = new GuideTables({ codings });
  const beginning = new StreamBeginning();
  const sections = new GuideSections((pid, section) => tables.section(pid, section));
  let bytes = 0;
  const take = (portion: Buffer) => {
    beginning.push(portion);
    sections.push(portion);
    bytes += portion.length;
    return sections.packets > 0 || bytes < HOPELESS_BYTES;
  };
  try {
    await readWholeFile(file, { take }, new AbortController().signal);
  } catch (error) {
    throw unreadableFile(file, error);
  }
  sections.settle();
  if (sections.packets > 0) return tables;
  const { packetBytes } = beginning;
  const what = packetBytes === undefined ? "not a transport stream" : foreignPacketText(packetBytes);
  throw new RecorderdError("FILE_UNREADABLE", `${file} is ${what}.`, { file });
}
