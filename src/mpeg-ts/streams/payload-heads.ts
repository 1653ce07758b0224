import { u8, u16 } from "../bytes.ts";
import { PACKET_BYTES, payloadAt, pidAt } from "../packets.ts";

/** A PES packet up to PES_header_data_length. ISO/IEC 13818-1 §2.4.3.6. */
const PES_HEADER_BYTES = 9;

/**
 * The beginnings of the first whole units (PES packets) of some streams, without their headers. Parameters of a stream are there.
 *
 * @param bytes whole packets in order
 * @returns by PID, at most `bytesMax` of each
 */
export function payloadHeads(
  bytes: Uint8Array,
  { pids, bytesMax }: { readonly pids: ReadonlySet<number>; readonly bytesMax: number },
): ReadonlyMap<number, Uint8Array> {
  const parts = new Map<number, Uint8Array[]>();
  const sizes = new Map<number, number>();
  for (let at = 0; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    const pid = pidAt(bytes, at);
    if (!pids.has(pid) || (u8(bytes, at + 3) & 0x10) === 0) continue;
    const payload = bytes.subarray(payloadAt(bytes, at), at + PACKET_BYTES);
    const begins = (u8(bytes, at + 1) & 0x40) !== 0;
    const size = sizes.get(pid) ?? 0;
    const known = parts.get(pid);
    if ((known === undefined && !begins) || size >= bytesMax) continue;
    const part = begins ? withoutHeader(payload) : payload;
    parts.set(pid, [...(known ?? []), part]);
    sizes.set(pid, size + part.length);
  }
  return new Map([...parts].map(([pid, some]) => [pid, Buffer.concat(some).subarray(0, bytesMax)]));
}

/** Empty if the packet does not hold the whole header. */
function withoutHeader(payload: Uint8Array): Uint8Array {
  const isPes = u16(payload, 0) === 0 && u8(payload, 2) === 1;
  return isPes ? payload.subarray(PES_HEADER_BYTES + u8(payload, 8)) : payload;
}
