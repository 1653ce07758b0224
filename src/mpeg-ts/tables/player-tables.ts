import { u16 } from "../bytes.ts";
import { PACKET_BYTES, pidAt, SYNC } from "../packets.ts";
import { crc32 } from "./sections.ts";

/** Header of a packet with payload, and pointer_field. */
const SECTION_AT = 5;
/** A PAT of one programme: header of 8 bytes, entry of 4, CRC_32. ISO/IEC 13818-1 §2.4.4.4. */
const PAT_BYTES = 16;

/**
 * Tables for a player, from those of a broadcast: the PAT names the one service alone. Some players take the first entry of a PAT
 * for the service, which may be another one, or the NIT.
 *
 * @param tables a packet of the PAT, then those of the PMT
 */
export function playerTables(tables: Uint8Array): Uint8Array {
  const map = PACKET_BYTES;
  const pat = new Uint8Array(PACKET_BYTES).fill(0xff);
  pat.set([SYNC, 0x40, 0, 0x10, 0]);
  const section = pat.subarray(SECTION_AT, SECTION_AT + PAT_BYTES);
  const [tsid, sid, mapPid] = [
    u16(tables, SECTION_AT + 3),
    u16(tables, map + SECTION_AT + 3),
    pidAt(tables, map),
  ];
  section.set([0, 0xb0, PAT_BYTES - 3, tsid >> 8, tsid & 0xff, 0xc1, 0, 0]);
  section.set([sid >> 8, sid & 0xff, 0xe0 | (mapPid >> 8), mapPid & 0xff], 8);
  new DataView(pat.buffer).setUint32(SECTION_AT + PAT_BYTES - 4, crc32(section.subarray(0, PAT_BYTES - 4)));
  return Uint8Array.from([...pat, ...tables.subarray(map)]);
}
