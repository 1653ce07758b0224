import { createSocket } from "node:dgram";
import { PACKET_BYTES } from "./loop.ts";
import type { Reader } from "./reader.ts";

/** Payload of one datagram (RFC 2250 §2). */
const DATAGRAM_BYTES = 7 * PACKET_BYTES;
const LOOPBACK = "127.0.0.1";

/** Address of the nth service, from the site-local range (RFC 2365 §6.1). */
export function addressOf(nth: number, port: number): string {
  return `udp://239.255.42.${nth + 1}:${port}?localaddr=${LOOPBACK}`;
}

/** Sends packets to a group of this machine alone. */
export function multicastTo(nth: number, port: number): Reader & { readonly close: () => void } {
  const socket = createSocket("udp4");
  let rest: Buffer = Buffer.alloc(0);
  let isReady = false;
  socket.bind(0, LOOPBACK, () => {
    socket.setMulticastInterface(LOOPBACK);
    socket.setMulticastTTL(0);
    socket.connect(port, `239.255.42.${nth + 1}`, () => {
      isReady = true;
    });
  });
  return {
    send(packets) {
      if (!isReady) return;
      const all = rest.length === 0 ? packets : Buffer.concat([rest, packets]);
      let at = 0;
      for (; at + DATAGRAM_BYTES <= all.length; at += DATAGRAM_BYTES) socket.send(all, at, DATAGRAM_BYTES);
      rest = all.subarray(at);
    },
    close: () => socket.close(),
  };
}
