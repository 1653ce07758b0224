import { u16 } from "../../mpeg-ts/bytes.ts";
import { PACKET_BYTES, pidAt } from "../../mpeg-ts/packets.ts";
import { SectionAssembler, sectionHeader } from "../../mpeg-ts/tables/sections.ts";

const PAT_PID = 0;
const TABLE_PAT = 0x00;
const TABLE_PMT = 0x02;

/**
 * The PID of a service's PMT, according to the PAT (ISO/IEC 13818-1 §2.4.4.3).
 *
 * @param packets whole packets, the first at the beginning
 * @returns `undefined` if no PAT in them lists the service
 */
export function pmtPidIn(packets: Uint8Array, sid: number): number | undefined {
  let found: number | undefined;
  eachSection({ packets, pid: PAT_PID, tableId: TABLE_PAT }, (section, end) => {
    for (let at = 8; at + 4 <= end; at += 4) {
      if (u16(section, at) === sid) found = pidOf(section, at + 2);
    }
  });
  return found;
}

/**
 * The PIDs of a service's clock and streams, according to its PMT (ISO/IEC 13818-1 §2.4.4.8).
 *
 * @param packets whole packets, the first at the beginning
 * @returns `undefined` if they contain no PMT of the service
 */
export function streamPidsIn(
  packets: Uint8Array,
  { pmtPid, sid }: { readonly pmtPid: number; readonly sid: number },
): readonly number[] | undefined {
  let found: readonly number[] | undefined;
  eachSection({ packets, pid: pmtPid, tableId: TABLE_PMT }, (section, end) => {
    if (u16(section, 3) !== sid) return;
    const pids = [pidOf(section, 8)];
    for (let at = 12 + lengthAt(section, 10); at + 5 <= end; at += 5 + lengthAt(section, at + 3)) {
      pids.push(pidOf(section, at + 1));
    }
    found = pids.filter((pid) => pid !== NO_PID);
  });
  return found;
}

/** The PID of null packets stands for "no clock" in a PMT. */
const NO_PID = 0x1fff;

function eachSection(
  { packets, pid, tableId }: { readonly packets: Uint8Array; readonly pid: number; readonly tableId: number },
  take: (section: Uint8Array, end: number) => void,
): void {
  const assembler = new SectionAssembler((section) => {
    const header = sectionHeader(section);
    if (header?.tableId === tableId) take(section, header.end);
  });
  for (let at = 0; at + PACKET_BYTES <= packets.length; at += PACKET_BYTES) {
    if (pidAt(packets, at) === pid) assembler.packet(packets, at);
  }
}

function pidOf(section: Uint8Array, at: number): number {
  return u16(section, at) & 0x1fff;
}

function lengthAt(section: Uint8Array, at: number): number {
  return u16(section, at) & 0x0fff;
}
