import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Portion } from "../kit/generated-service.ts";

const TICK_MS = 20;
const DATAGRAM_BYTES = 7 * 188;

/** A stream sent from `startAt` on: over HTTP by its name to any reader, and to a port of loopback if it has one. */
export interface Programme {
  readonly name: string;
  readonly portions: readonly Portion[];
  readonly port?: number;
  /** No reader is served from then to then. */
  readonly awayMs?: readonly [number, number];
}

export interface OnAir extends AsyncDisposable {
  url(name: string): string;
}

/** Sends programmes in real time; a late reader gets the rest, as with any broadcast. */
export async function onAir(programmes: readonly Programme[], startAt: number): Promise<OnAir> {
  const readers = new Map<string, Set<ServerResponse>>(programmes.map(({ name }) => [name, new Set()]));
  const isAway = (programme: Programme | undefined) => {
    const [from, to] = programme?.awayMs ?? [0, 0];
    const nowMs = Date.now() - startAt;
    return nowMs >= from && nowMs < to;
  };
  const server = createServer((request, response) => {
    const name = (request.url ?? "").slice(1);
    const all = readers.get(name);
    if (all === undefined || isAway(programmes.find((each) => each.name === name))) {
      response.writeHead(all === undefined ? 404 : 503).end();
      return;
    }
    response.writeHead(200, { "content-type": "video/mp2t" }).flushHeaders();
    all.add(response);
    response.on("close", () => all.delete(response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sender = createSocket("udp4").bind(0, "127.0.0.1");
  await once(sender, "listening");
  const next = programmes.map(() => 0);
  const send = (programme: Programme, bytes: Uint8Array) => {
    const { name, port } = programme;
    if (isAway(programme)) for (const reader of readers.get(name) ?? []) reader.destroy();
    for (const reader of readers.get(name) ?? []) reader.write(bytes);
    if (port === undefined) return;
    for (let at = 0; at < bytes.length; at += DATAGRAM_BYTES) {
      sender.send(bytes.subarray(at, at + DATAGRAM_BYTES), port, "127.0.0.1");
    }
  };
  const timer = setInterval(() => {
    const nowMs = Date.now() - startAt;
    for (const [index, programme] of programmes.entries()) {
      for (let at = next[index] ?? 0; ; at += 1) {
        const portion = programme.portions[at];
        if (portion === undefined || portion.atMs > nowMs) {
          next[index] = at;
          break;
        }
        send(programme, portion.bytes);
      }
    }
  }, TICK_MS);
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      sender.close();
      await once(server, "close");
    },
  };
}
