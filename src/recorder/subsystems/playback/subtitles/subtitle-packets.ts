import { PACKET_BYTES } from "../../../../mpeg-ts/packets.ts";
import { type PesPacket, PesPackets } from "../../../../mpeg-ts/streams/pes-packets.ts";

/** The PES packets of a PID in bytes that begin with a whole transport packet. */
export async function* pesPacketsOf(bytes: AsyncIterable<Buffer>, pid: number): AsyncGenerator<PesPacket> {
  const packets = new PesPackets(pid);
  let rest: Buffer = Buffer.alloc(0);
  for await (const portion of bytes) {
    const joined = rest.length === 0 ? portion : Buffer.concat([rest, portion]);
    const end = joined.length - (joined.length % PACKET_BYTES);
    yield* packets.push(joined.subarray(0, end));
    rest = joined.subarray(end);
  }
}
