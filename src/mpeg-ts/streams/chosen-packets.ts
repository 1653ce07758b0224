import { u8 } from "../bytes.ts";
import { hasPcr, PACKET_BYTES, pidAt } from "../packets.ts";

/** The header of a packet, and an adaptation field with a PCR alone. ISO/IEC 13818-1 §2.4.3.5. */
const HEADER_BYTES = 4;
const PCR_FIELD_BYTES = 8;

interface Choice {
  readonly pids: ReadonlySet<number>;
  /** The PID of the clock: a player needs its PCRs even if the stream is not chosen. */
  readonly pcrPid: number;
}

/**
 * The packets of some streams, without all others.
 *
 * @param bytes whole packets; unchanged
 * @returns the packets in order; a PCR of a stream that is not chosen comes in a packet without payload
 */
export function chosenPackets(bytes: Uint8Array, { pids, pcrPid }: Choice): Uint8Array {
  const chosen = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    const pid = pidAt(bytes, at);
    if (pids.has(pid)) chosen.set(bytes.subarray(at, at + PACKET_BYTES), length);
    else if (pid === pcrPid && hasPcr(bytes, at)) setClock(chosen.subarray(length), bytes, at);
    else continue;
    length += PACKET_BYTES;
  }
  return chosen.subarray(0, length);
}

/** A packet without payload repeats the continuity counter. */
function setClock(target: Uint8Array, bytes: Uint8Array, at: number): void {
  const field = HEADER_BYTES + PCR_FIELD_BYTES;
  target.fill(0xff, 0, PACKET_BYTES);
  target.set(bytes.subarray(at, at + field));
  // No payload_unit_start_indicator; of the flags, PCR and discontinuity alone.
  target.set([u8(bytes, at + 1) & 0x1f], 1);
  target.set([0x20 | (u8(bytes, at + 3) & 0x0f), PACKET_BYTES - HEADER_BYTES - 1], 3);
  target.set([u8(bytes, at + 5) & 0x90], 5);
}
