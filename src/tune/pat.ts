import { u16 } from "../inspect/bytes.ts";
import { PACKET_BYTES, pidAt } from "../inspect/packets.ts";
import { SectionAssembler, sectionHeader } from "../inspect/sections.ts";

const PAT_PID = 0;
const TABLE_PAT = 0x00;

/**
 * The PID of a service's PMT, by the PAT (ISO/IEC 13818-1 §2.4.4.3).
 *
 * @param packets whole packets, the first at the beginning
 * @returns `undefined` where no PAT in them names the service
 */
export function pmtPidIn(packets: Uint8Array, sid: number): number | undefined {
  let found: number | undefined;
  const assembler = new SectionAssembler((section) => {
    const header = sectionHeader(section);
    if (header?.tableId !== TABLE_PAT) return;
    for (let at = 8; at + 4 <= header.end; at += 4) {
      if (u16(section, at) === sid) found = u16(section, at + 2) & 0x1fff;
    }
  });
  for (let at = 0; at + PACKET_BYTES <= packets.length; at += PACKET_BYTES) {
    if (pidAt(packets, at) === PAT_PID) assembler.packet(packets, at);
  }
  return found;
}
