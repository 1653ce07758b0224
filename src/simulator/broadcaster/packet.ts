/** ISO/IEC 13818-1 §2.4.3.2. */
export const PACKET_BYTES = 188;
export const PAYLOAD_BYTES = 184;
const NULL_PID = 0x1fff;

/** PTS and PCR base count 90 kHz in 33 bits. */
export const CLOCK_WRAP = 2 ** 33;

const SYNC = 0x47;
const STARTS = 0x40;
const HAS_ADAPTATION = 0x20;
const HAS_PAYLOAD = 0x10;
const RANDOM_ACCESS = 0x40;
const HAS_PCR = 0x10;

/** A packet of the null PID. ISO/IEC 13818-1 §2.4.1. */
export function nullPacket(): Buffer {
  const packet = Buffer.alloc(PACKET_BYTES, 0xff);
  packet[0] = SYNC;
  packet[1] = 0;
  packet[3] = HAS_PAYLOAD;
  stamp(packet, 0, NULL_PID, 0);
  return packet;
}

/** An adaptation field with room for a PCR and nothing else: does not count for the continuity counter. */
export function pcrPacket(): Buffer {
  const packet = Buffer.alloc(PACKET_BYTES, 0xff);
  packet[0] = SYNC;
  packet[1] = 0;
  packet[2] = 0;
  packet[3] = HAS_ADAPTATION;
  packet[4] = PAYLOAD_BYTES - 1;
  packet[5] = HAS_PCR;
  return packet;
}

/**
 * Cuts a PES packet or the sections of a table into packets with PID and counter 0. The last one is filled by its adaptation field.
 *
 * @param randomAccess decoding can start here
 */
export function packetise(payload: Buffer, randomAccess: boolean): readonly Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < payload.length; ) {
    const flags = at === 0 && randomAccess ? RANDOM_ACCESS : 0;
    const room = PAYLOAD_BYTES - (flags === 0 ? 0 : 2);
    const part = payload.subarray(at, at + room);
    packets.push(payloadPacket(part, { starts: at === 0, flags }));
    at += part.length;
  }
  return packets;
}

function payloadPacket(
  payload: Buffer,
  { starts, flags }: { readonly starts: boolean; readonly flags: number },
): Buffer {
  const packet = Buffer.alloc(PACKET_BYTES, 0xff);
  const fill = PAYLOAD_BYTES - payload.length;
  packet[0] = SYNC;
  packet[1] = starts ? STARTS : 0;
  packet[2] = 0;
  packet[3] = HAS_PAYLOAD | (fill > 0 ? HAS_ADAPTATION : 0);
  if (fill > 0) packet[4] = fill - 1;
  if (fill > 1) packet[5] = flags;
  payload.copy(packet, PACKET_BYTES - payload.length);
  return packet;
}

/** Writes PID and continuity counter into the packet at `at`. Runs for every packet sent: no options object here. */
export function stamp(bytes: Buffer, at: number, pid: number, counter: number): void {
  bytes[at + 1] = ((bytes[at + 1] ?? 0) & 0xe0) | (pid >> 8);
  bytes[at + 2] = pid & 0xff;
  bytes[at + 3] = ((bytes[at + 3] ?? 0) & 0xf0) | (counter & 0x0f);
}

/** @param ticks of 27 MHz, below 2^33 · 300. ISO/IEC 13818-1 §2.4.3.5 */
export function writePcr(bytes: Buffer, at: number, ticks: number): void {
  const base = Math.floor(ticks / 300);
  const extension = ticks % 300;
  bytes.writeUInt32BE(Math.floor(base / 2), at);
  bytes.writeUInt16BE(((base & 1) << 15) | 0x7e00 | extension, at + 4);
}

/** @param pts in 90 kHz, taken modulo 2^33. ISO/IEC 13818-1 §2.4.3.7 */
export function writePts(bytes: Buffer, at: number, pts: number): void {
  const high = Math.floor(pts / 2 ** 30) & 0x07;
  bytes[at] = 0x21 | (high << 1);
  bytes.writeUInt16BE((Math.floor(pts / 2 ** 14) & 0xfffe) | 1, at + 1);
  bytes.writeUInt16BE(((pts * 2) & 0xfffe) | 1, at + 3);
}
