// Sends services of 8 Mbit/s each at constant rate, over HTTP and as a SAT>IP server, as a process of its own. Says its addresses and, when asked, how late it was.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../src/kit/clock.ts";
import type { OnAir } from "./kept.ts";
import { Loop, PACKETS_PER_SECOND, tripletOf, withTables } from "./loop.ts";
import { type SatipReader, serveSatip } from "./satip.ts";

/** The first thing that it says. */
export interface Broadcast extends OnAir {
  readonly port: number;
}

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
  readonly send: (packets: Buffer) => void;
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
  const leave = join(nth, {
    send: (packets) => {
      response.write(packets);
      behindBytes = Math.max(behindBytes, response.writableLength);
      if (response.writableLength > BEHIND_BYTES_MAX) response.destroy();
    },
  });
  response.once("close", leave);
});

function join(nth: number, { send }: SatipReader): () => void {
  const listener = { send, tables: loop.tablesOf(tripletOf(nth).sid) };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

let startedAt = 0;
let sent = 0;
let tickDue = 0;

function tick(): void {
  const now = performance.now();
  latestMs = Math.max(latestMs, now - tickDue);
  const to = Math.floor(((now - startedAt) / 1000) * PACKETS_PER_SECOND);
  const stretch = loop.packets(sent, to);
  const places = loop.tablesIn(sent, to);
  sent = to;
  for (const { send, tables } of listeners) send(withTables(stretch, places, tables));
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
const satipPort = await serveSatip(join);
server.listen(0, "127.0.0.1", () => {
  startedAt = performance.now();
  tickDue = startedAt;
  const { pcr: firstPcr, index: firstPcrIndex } = loop.firstClock;
  const { port } = server.address() as AddressInfo;
  const began = { port, satipPort, firstPcr, firstPcrIndex, startedAt: systemClock().now() };
  process.send?.(began satisfies Broadcast);
  tick();
});
