import { u16 } from "../bytes.ts";
import { PACKET_BYTES, pidAt, SYNC } from "../packets.ts";
import { crc32, packetsOf, type Section, SectionAssembler, sectionHeader } from "./sections.ts";
import { mapEntries } from "./tables.ts";

/** Header of a packet with payload, and pointer_field. */
const SECTION_AT = 5;
/** A PAT of one programme: header of 8 bytes, entry of 4, CRC_32. ISO/IEC 13818-1 §2.4.4.4. */
const PAT_BYTES = 16;
/** A PMT up to its descriptors, and its CRC_32. ISO/IEC 13818-1 §2.4.4.8. */
const MAP_HEADER_BYTES = 12;
const CRC_BYTES = 4;

/**
 * Tables for a player, from those of a broadcast: the PAT names the one service alone. Some players take the first entry of a PAT
 * for the service, which may be another one, or the NIT.
 *
 * @param tables the packets of the PAT, then those of the PMT
 * @param pids absent: the PMT as broadcast; otherwise it lists these streams alone
 */
export function playerTables(tables: Uint8Array, pids?: ReadonlySet<number>): Uint8Array {
  const map = mapPackets(tables);
  const section = pids === undefined ? undefined : mapSection(tables);
  const pmt = pids === undefined || section === undefined ? map : filteredMap(section, pids, pidAt(map, 0));
  const pat = new Uint8Array(PACKET_BYTES).fill(0xff);
  pat.set([SYNC, 0x40, 0, 0x10, 0]);
  const [tsid, sid, mapPid] = [u16(tables, SECTION_AT + 3), u16(map, SECTION_AT + 3), pidAt(map, 0)];
  const own = pat.subarray(SECTION_AT, SECTION_AT + PAT_BYTES);
  own.set([0, 0xb0, PAT_BYTES - 3, tsid >> 8, tsid & 0xff, 0xc1, 0, 0]);
  own.set([sid >> 8, sid & 0xff, 0xe0 | (mapPid >> 8), mapPid & 0xff], 8);
  setCrc(own);
  return Uint8Array.from([...pat, ...pmt]);
}

/** The PMT of such tables; `undefined` if it is damaged. */
export function mapSection(tables: Uint8Array): Section | undefined {
  const packets = mapPackets(tables);
  const sections: Section[] = [];
  const assembler = new SectionAssembler((bytes) => {
    const header = sectionHeader(bytes);
    if (header !== undefined) sections.push({ bytes: bytes.slice(), header });
  });
  for (let at = 0; at < packets.length; at += PACKET_BYTES) assembler.packet(packets, at);
  return sections[0];
}

/** Those after the PAT, which has several packets on a multiplex with many services. */
function mapPackets(tables: Uint8Array): Uint8Array {
  let at = 0;
  while (at < tables.length && pidAt(tables, at) === 0) at += PACKET_BYTES;
  return tables.subarray(at);
}

function filteredMap(section: Section, pids: ReadonlySet<number>, mapPid: number): Uint8Array {
  const head = section.bytes.subarray(0, MAP_HEADER_BYTES + (u16(section.bytes, 10) & 0x0fff));
  const entries = [...mapEntries(section)].filter(({ pid }) => pids.has(pid)).map(({ bytes }) => bytes);
  const own = Uint8Array.from(Buffer.concat([head, ...entries, new Uint8Array(CRC_BYTES)]));
  // section_length counts what follows it.
  own.set([0xb0 | ((own.length - 3) >> 8), (own.length - 3) & 0xff], 1);
  setCrc(own);
  return packetsOf(own, mapPid);
}

function setCrc(section: Uint8Array): void {
  const end = section.length - CRC_BYTES;
  new DataView(section.buffer, section.byteOffset).setUint32(end, crc32(section.subarray(0, end)));
}
