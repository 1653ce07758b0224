import { type PesPacket, PesPackets } from "../../../../mpeg-ts/streams/pes-packets.ts";
import { WholePackets } from "../../../../mpeg-ts/whole-packets.ts";

/** The PES packets of a PID in bytes that begin with a whole transport packet. */
export async function* pesPacketsOf(bytes: AsyncIterable<Buffer>, pid: number): AsyncGenerator<PesPacket> {
  const packets = new PesPackets(pid);
  const whole = new WholePackets();
  for await (const portion of bytes) yield* packets.push(whole.push(portion));
}
