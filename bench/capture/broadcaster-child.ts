// Sends services of 8 Mbit/s each at constant rate, as a process of its own. Says its address and, when asked, how late it was.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Loop, PACKETS_PER_SECOND, tripletOf, withTables } from "./loop.ts";

export interface BroadcasterFigures {
  /** The latest that anything was handed to the system after its time, since it was asked last. */
  readonly latestMs: number;
  /** The most that waited for one reader. */
  readonly behindBytes: number;
}

const TICK_MS = 20;
/** A reader that takes nothing for a minute is not waited for. */
const BEHIND_BYTES_MAX = 64 * 2 ** 20;

interface Listener {
  readonly response: ServerResponse;
  readonly tables: ReadonlyMap<number, Buffer>;
}

const [, , file = ""] = process.argv;
const loop = await Loop.read(file);
const listeners = new Set<Listener>();
let latestMs = 0;
let behindBytes = 0;

const server = createServer((request, response) => {
  const nth = Number(/^\/(\d+)$/.exec(request.url ?? "")?.[1]);
  if (!Number.isInteger(nth)) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": "video/mp2t" }).flushHeaders();
  const listener = { response, tables: loop.tablesOf(tripletOf(nth).sid) };
  listeners.add(listener);
  response.once("close", () => listeners.delete(listener));
});

const startedAt = performance.now();
let sent = 0;
let tickDue = startedAt;

function tick(): void {
  const now = performance.now();
  latestMs = Math.max(latestMs, now - tickDue);
  const to = Math.floor(((now - startedAt) / 1000) * PACKETS_PER_SECOND);
  const stretch = loop.packets(sent, to);
  const places = loop.tablesIn(sent, to);
  sent = to;
  for (const { response, tables } of listeners) {
    response.write(withTables(stretch, places, tables));
    behindBytes = Math.max(behindBytes, response.writableLength);
    if (response.writableLength > BEHIND_BYTES_MAX) response.destroy();
  }
  // What has fallen behind is sent at once, not in many small ticks.
  tickDue = Math.max(tickDue + TICK_MS, performance.now());
  setTimeout(tick, tickDue - performance.now());
}

process.on("message", () => {
  process.send?.({ latestMs, behindBytes } satisfies BroadcasterFigures);
  latestMs = 0;
  behindBytes = 0;
});
process.once("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
  tick();
});
