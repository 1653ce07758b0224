import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

/** Seven packets, which fit an Ethernet frame. */
const DATAGRAM_BYTES = 7 * 188;

/**
 * Sends a transport stream as datagrams until the stream ends or the peer refuses them. @returns when the stream is closed
 */
export async function sendAsDatagrams(
  stream: Readable,
  { address, port }: { readonly address: string; readonly port: number },
): Promise<void> {
  const socket = createSocket("udp4");
  // The refusal of a closed port (ICMP): the receiver is gone.
  socket.on("error", () => stream.destroy());
  try {
    socket.connect(port, address);
    await once(socket, "connect");
    const send = promisify((bytes: Uint8Array, done: (error: Error | null) => void) =>
      socket.send(bytes, done),
    );
    let rest = Buffer.alloc(0);
    for await (const chunk of stream) {
      const bytes = Buffer.concat([rest, chunk as Buffer]);
      const whole = bytes.length - (bytes.length % DATAGRAM_BYTES);
      for (let at = 0; at < whole; at += DATAGRAM_BYTES) await send(bytes.subarray(at, at + DATAGRAM_BYTES));
      rest = bytes.subarray(whole);
    }
  } catch {
    // The stream ended early, or the receiver is gone.
  } finally {
    stream.destroy();
    socket.close();
  }
}
