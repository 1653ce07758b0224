// Sends services of 8 Mbit/s each at constant rate, over HTTP and as a SAT>IP server, as a process of its own. Says its addresses and, when asked, how late it was.
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHistogram } from "node:perf_hooks";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { OnAir } from "./kept.ts";
import { Loop, PACKETS_PER_SECOND, tripletOf, withTables } from "./loop.ts";
import { multicastTo } from "./multicast.ts";
import { Multiplex, SERVICES } from "./multiplex.ts";
import type { Reader } from "./reader.ts";
import { serveSatip } from "./satip.ts";

/** The first thing that it says. */
export interface Broadcast extends OnAir {
  readonly port: number;
  /** It goes before what records, as what is sent elsewhere would: who is not root may not. */
  readonly goesFirst: boolean;
}

/** Since it was asked last. */
export interface BroadcasterFigures {
  /** How long after its time the oldest packet of each portion was with the system for its last reader: of a hundred the latest but one, and of all. */
  readonly lateMs: number;
  readonly latestMs: number;
  /** The most that waited for one reader. */
  readonly behindBytes: number;
  /** Share of one core, 0 to 1. */
  readonly cpuShare: number;
}

const TICK_MS = 5;
/** Each portion is due around its middle: nothing is sent more than this before or, where the machine lets it, after its time. */
const AHEAD_MS = TICK_MS / 2;
/** A reader that takes nothing for a minute is not waited for. */
const BEHIND_BYTES_MAX = 64 * 2 ** 20;

/** A request: return the figures, or send this many services to multicast groups from now on. */
export type Word = "figures" | { readonly groups: number; readonly port: number };

interface Listener extends Reader {
  readonly tables: ReadonlyMap<number, Buffer>;
}

const [, , file = ""] = process.argv;
const loop = await Loop.read(file);
const listeners = new Set<Listener>();
/** Readers of each multiplex that anybody reads. */
const multiplexes = new Map<Multiplex, Set<Reader>>();
const byNumber = new Map<number, Multiplex>();
let leaveGroups: readonly (() => void)[] = [];
const lateness = createHistogram();
let behindBytes = 0;
let cpu = process.cpuUsage();
let askedAt = performance.now();

const server = createServer((request, response) => {
  const [, way, digits] = /^\/(multiplex\/)?(\d+)$/.exec(request.url ?? "") ?? [];
  if (digits === undefined) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": "video/mp2t" }).flushHeaders();
  const reader: Reader = {
    send: (packets) => {
      response.write(packets);
      behindBytes = Math.max(behindBytes, response.writableLength);
      if (response.writableLength > BEHIND_BYTES_MAX) response.destroy();
    },
  };
  const nth = Number(digits);
  response.once("close", way === undefined ? join(nth, reader) : joinMultiplex(nth, reader));
});

function join(nth: number, { send }: Reader): () => void {
  const listener = { send, tables: loop.tablesOf(tripletOf(nth).sid) };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function joinMultiplex(nth: number, reader: Reader): () => void {
  const multiplex = byNumber.get(nth) ?? new Multiplex(loop, nth * SERVICES);
  byNumber.set(nth, multiplex);
  const readers = multiplexes.get(multiplex) ?? new Set();
  multiplexes.set(multiplex, readers.add(reader));
  return () => {
    readers.delete(reader);
    if (readers.size === 0) multiplexes.delete(multiplex);
  };
}

function sendToGroups(groups: number, port: number): void {
  for (const leave of leaveGroups) leave();
  leaveGroups = Array.from({ length: groups }, (_, nth) => {
    const group = multicastTo(nth, port);
    const leave = join(nth, group);
    return () => {
      leave();
      group.close();
    };
  });
}

let startedAt = 0;
let sent = 0;
let tickDue = 0;

function tick(): void {
  const to = Math.floor(((performance.now() - startedAt + AHEAD_MS) / 1000) * PACKETS_PER_SECOND);
  const stretch = loop.packets(sent, to);
  const places = loop.tablesIn(sent, to);
  for (const { send, tables } of listeners) send(withTables(stretch, places, tables));
  for (const [multiplex, readers] of multiplexes) {
    const packets = multiplex.stretch(stretch);
    for (const { send } of readers) send(packets);
  }
  const now = performance.now();
  const lateMs = now - (startedAt + (sent / PACKETS_PER_SECOND) * 1000);
  if (to > sent && listeners.size + multiplexes.size > 0)
    lateness.record(Math.max(1, Math.round(lateMs * 1000)));
  sent = to;
  // Catches up in one burst, not in many small ticks.
  tickDue = Math.max(tickDue + TICK_MS, now);
  setTimeout(tick, tickDue - now);
}

process.on("message", (word: Word) => {
  if (word !== "figures") return sendToGroups(word.groups, word.port);
  const now = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({
    lateMs: lateness.count === 0 ? 0 : lateness.percentile(99) / 1000,
    latestMs: lateness.count === 0 ? 0 : lateness.max / 1000,
    behindBytes,
    cpuShare: (user + system) / 1000 / (now - askedAt),
  } satisfies BroadcasterFigures);
  lateness.reset();
  behindBytes = 0;
  cpu = process.cpuUsage();
  askedAt = now;
});
process.once("disconnect", () => process.exit(0));
const satipPort = await serveSatip(join);
server.listen(0, "127.0.0.1", () => {
  startedAt = performance.now();
  tickDue = startedAt;
  const { pcr: firstPcr, index: firstPcrIndex } = loop.firstClock;
  const { port } = server.address() as AddressInfo;
  const began = {
    port,
    goesFirst: goFirst(),
    satipPort,
    firstPcr,
    firstPcrIndex,
    startedAt: systemClock().now(),
  };
  process.send?.(began satisfies Broadcast);
  tick();
});

/**
 * On a machine where contenders keep every core busy it would be late by their turns; a nicer process would still be, where the kernel
 * gives each session its share (sched(7): autogroup).
 */
function goFirst(): boolean {
  return spawnSync("chrt", ["--fifo", "--pid", "1", String(process.pid)]).status === 0;
}
