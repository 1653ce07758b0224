import { createSocket } from "node:dgram";
import { roomAt } from "../../../datagrams.ts";

const PAYLOAD_BYTES = 7 * 188;
const MP2T = 33;
const EMPTY_EVERY_MS = 200;

/**
 * RTP by RFC 3550, a transport stream in it by RFC 2250: seven packets each.
 *
 * @param from where a multiplex is read; without it packets have no payload
 * @param at the receiver's address
 */
export async function sendRtp({
  from,
  at,
  to,
  wants,
  signal,
}: {
  readonly from?: string;
  readonly at: string;
  readonly to: number;
  readonly wants: (pid: number) => boolean;
  readonly signal: AbortSignal;
}): Promise<void> {
  const socket = createSocket("udp4");
  // A receiver may be cut off.
  socket.on("error", () => {});
  let sequence = 0;
  const send = (payload: Uint8Array) => {
    const header = Buffer.alloc(12);
    header.writeUInt8(0x80, 0);
    header.writeUInt8(MP2T, 1);
    header.writeUInt16BE(sequence & 0xffff, 2);
    header.writeUInt32BE((sequence * 400) >>> 0, 4);
    header.writeUInt32BE(0x5a71b, 8);
    sequence += 1;
    socket.send(Buffer.concat([header, payload]), to, at);
  };
  try {
    if (from === undefined) {
      const timer = setInterval(() => send(Buffer.alloc(0)), EMPTY_EVERY_MS);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      clearInterval(timer);
      return;
    }
    let rest = Buffer.alloc(0);
    for await (const packets of packetsFrom(from, signal)) {
      rest = Buffer.concat([rest, ...packets.filter((packet) => wants(pidOf(packet)))]);
      await roomAt(to);
      for (; rest.length >= PAYLOAD_BYTES; rest = rest.subarray(PAYLOAD_BYTES)) {
        send(rest.subarray(0, PAYLOAD_BYTES));
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    socket.close();
  }
}

async function* packetsFrom(address: string, signal: AbortSignal): AsyncIterable<readonly Buffer[]> {
  let half = Buffer.alloc(0);
  const response = await fetch(address, { signal });
  for await (const chunk of response.body ?? []) {
    const bytes = Buffer.concat([half, chunk]);
    const count = Math.floor(bytes.length / 188);
    half = bytes.subarray(count * 188);
    yield Array.from({ length: count }, (_, index) => bytes.subarray(index * 188, (index + 1) * 188));
  }
}

function pidOf(packet: Buffer): number {
  return packet.readUInt16BE(1) & 0x1fff;
}
