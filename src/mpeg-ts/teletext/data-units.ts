import { u8 } from "../bytes.ts";
import { DAMAGED, hamming84, REVERSED } from "./codes.ts";

/** EN 300 472 table 3. */
const TELETEXT = 0x02;
const TELETEXT_SUBTITLE = 0x03;
/** data_identifier of EBU data, EN 300 472 table 2. */
const DATA_IDENTIFIERS = { first: 0x10, last: 0x1f } as const;
const UNIT_BYTES = 44;
/** Bytes of a unit before the address: field_parity and line_offset, and framing_code. */
const HEAD_BYTES = 2;
const DATA_BYTES = 40;

/** One row of a teletext transmission. EN 300 706 §7.1. */
export interface TeletextPacket {
  /** 1 to 8. */
  readonly magazine: number;
  /** X, 0 to 31. */
  readonly row: number;
  /** 40 bytes as a transport stream has them, for `teletextByte`. */
  readonly data: Uint8Array;
}

/** A byte of a packet, the first transmitted bit lowest. */
export function teletextByte(data: Uint8Array, at: number): number {
  return REVERSED[u8(data, at)] ?? 0;
}

/** The teletext packets of a PES packet. EN 300 472 §4.3. */
export function* teletextPackets(data: Uint8Array): Generator<TeletextPacket> {
  const identifier = u8(data, 0);
  if (identifier < DATA_IDENTIFIERS.first || identifier > DATA_IDENTIFIERS.last) return;
  for (let at = 1; at + 2 <= data.length; at += 2 + u8(data, at + 1)) {
    const id = u8(data, at);
    const isTeletext = id === TELETEXT || id === TELETEXT_SUBTITLE;
    const end = at + 2 + UNIT_BYTES;
    if (!isTeletext || u8(data, at + 1) < UNIT_BYTES || end > data.length) continue;
    const from = at + 2 + HEAD_BYTES;
    const low = hamming84(teletextByte(data, from));
    const high = hamming84(teletextByte(data, from + 1));
    if (low === DAMAGED || high === DAMAGED) continue;
    yield {
      magazine: (low & 7) === 0 ? 8 : low & 7,
      row: (high << 1) | (low >> 3),
      data: data.subarray(from + 2, from + 2 + DATA_BYTES),
    };
  }
}
