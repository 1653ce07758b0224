import { PACKET_BYTES, payloadAt, pidAt } from "../../src/mpeg-ts/packets.ts";
import { pesPayloadAt } from "../../src/mpeg-ts/streams/pes.ts";

export interface Hollowing {
  readonly pid: number;
  /** Packets at the beginning of each unit that stay as they are. */
  readonly whole: number;
  /** The fate of the others. */
  readonly rest: "removed" | "lost" | "zeros" | "noise";
  /** The share of the bytes in which it happens: all of them, if absent. */
  readonly from?: number;
  readonly to?: number;
}

/**
 * A stream whose units have lost their content: `removed` packets leave no gap in the counters, `lost` ones do. The PES headers
 * stay.
 */
export function hollowed(bytes: Uint8Array, { pid, whole, rest, from = 0, to = 1 }: Hollowing): Buffer {
  const out: Buffer[] = [];
  let inUnit = 0;
  let removed = 0;
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
    const packet = Buffer.from(bytes.subarray(at, at + PACKET_BYTES));
    const hasPayload = pidAt(packet, 0) === pid && ((packet[3] ?? 0) & 0x10) !== 0;
    const begins = ((packet[1] ?? 0) & 0x40) !== 0;
    if (hasPayload) inUnit = begins ? 0 : inUnit + 1;
    const isHit = hasPayload && inUnit >= whole && at >= from * bytes.length && at < to * bytes.length;
    const isFilled = isHit && (begins || rest === "zeros" || rest === "noise");
    if (isFilled) fill(packet, begins, rest === "noise");
    if (isHit && !isFilled) removed += rest === "removed" ? 1 : 0;
    if (isHit && !isFilled) continue;
    if (hasPayload) packet[3] = ((packet[3] ?? 0) & 0xf0) | (((packet[3] ?? 0) - removed) & 0x0f);
    out.push(packet);
  }
  return Buffer.concat(out);
}

function fill(packet: Buffer, begins: boolean, isNoise: boolean): void {
  let state = 1;
  for (let at = begins ? pesPayloadAt(packet, 0) : payloadAt(packet, 0); at < PACKET_BYTES; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345 + at) >>> 0;
    packet[at] = isNoise ? state >>> 24 : 0;
  }
}
