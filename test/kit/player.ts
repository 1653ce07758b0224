import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isIPv4 } from "node:net";
import type { Clock } from "../../src/kit/time/clock.ts";
import { type EndlessStream, sendTo } from "../../src/simulator/broadcaster/listener.ts";
import { sendAll } from "../datagrams.ts";

/** The number that fits into an Ethernet frame, as senders on real networks choose it. */
const PACKETS_PER_DATAGRAM = 7;
const TICK_MS = 5;
const LOOPBACK = "127.0.0.1";

/** Plays in real time until it is disposed; twice is harmless. */
export interface Player extends AsyncDisposable {
  readonly url: string;
}

/**
 * Sends a stream as UDP datagrams of 7 packets to a loopback or multicast address. A multicast group (224.0.0.0/4) is reached
 * on the loopback interface only: readers name it (`localaddr=127.0.0.1` in ffmpeg) and share the port (`reuse=1`).
 *
 * @param port of the reader, who must be there already or be told later: nobody notices datagrams without a reader
 */
export async function playUdp(
  stream: EndlessStream,
  { host, port, clock }: { readonly host: string; readonly port: number; readonly clock: Clock },
): Promise<Player> {
  const socket = createSocket("udp4");
  // A reader that is gone answers with "port unreachable": the next one may come at any time.
  socket.on("error", () => {});
  socket.bind(0, LOOPBACK);
  await once(socket, "listening");
  const multicast = isMulticast(host);
  if (multicast) {
    socket.setMulticastInterface(LOOPBACK);
    socket.setMulticastTTL(0);
  }
  const ended = new AbortController();
  const playing = sendDatagrams(stream, { socket, host, port, clock, signal: ended.signal });
  return {
    url: multicast ? `udp://@${host}:${port}?localaddr=${LOOPBACK}&reuse=1` : `udp://${host}:${port}`,
    async [Symbol.asyncDispose]() {
      if (ended.signal.aborted) return;
      ended.abort();
      await playing;
      socket.close();
    },
  };
}

function isMulticast(host: string): boolean {
  const first = Number(host.split(".", 1)[0]);
  return isIPv4(host) && first >= 224 && first <= 239;
}

interface Datagrams {
  readonly socket: Socket;
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function sendDatagrams(
  stream: EndlessStream,
  { socket, host, port, clock, signal }: Datagrams,
): Promise<void> {
  let next = stream.indexAt(clock.now());
  while (!signal.aborted) {
    const due = stream.indexAt(clock.now());
    const datagrams: Uint8Array[] = [];
    for (; next + PACKETS_PER_DATAGRAM <= due; next += PACKETS_PER_DATAGRAM)
      datagrams.push(stream.packets(next, next + PACKETS_PER_DATAGRAM));
    await sendAll(datagrams, { socket, host, port });
    await clock.sleep(TICK_MS, signal).catch(() => {});
  }
}

/** Serves a stream over HTTP to any number of readers. Each begins with the packet of now. */
export async function playHttp(stream: EndlessStream, clock: Clock): Promise<Player> {
  const ended = new AbortController();
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "video/mp2t" });
    response.flushHeaders();
    sendTo(response, { stream, from: stream.indexAt(clock.now()), clock, signal: ended.signal })
      .catch(() => {})
      .finally(() => response.destroy());
  });
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}/`,
    async [Symbol.asyncDispose]() {
      if (ended.signal.aborted) return;
      ended.abort();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
