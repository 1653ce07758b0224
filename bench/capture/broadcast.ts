import { type ChildProcess, fork } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { join } from "node:path";
import type { Source } from "../../src/model/ports.ts";
import type { Broadcast, BroadcasterFigures, Word } from "./broadcaster-child.ts";
import type { OnAir } from "./kept.ts";
import { Loop, makeLoopFile } from "./loop.ts";
import { addressOf } from "./multicast.ts";
import { SERVICES } from "./multiplex.ts";

const CHILD = join(import.meta.dirname, "broadcaster-child.js");

/** How services are sent: each by itself over HTTP or to a multicast group, or eight in one multiplex over HTTP. */
export type Way = "http" | "udp" | "multiplex";

export interface Sent {
  /** One URL per service; services of one multiplex share it. */
  readonly urls: readonly string[];
  readonly programme: Source["programme"];
  readonly air: OnAir;
}

/** The broadcaster's process, on the air. */
export interface Broadcaster extends AsyncDisposable {
  /** Notes for readers of the figures. */
  readonly notes: readonly string[];
  /** Puts so many services on the air in a way; called again, no others than those. */
  send(way: Way, count: number): Sent;
  /** The figures since the last call. */
  figures(): Promise<BroadcasterFigures>;
}

export async function openBroadcaster(folder: string): Promise<Broadcaster> {
  const file = join(folder, "service.ts");
  await makeLoopFile(file, new AbortController().signal);
  const child: ChildProcess = fork(CHILD, [file], {
    // Threads without real-time priority would delay the one that has it.
    execArgv: ["--single-threaded"],
  });
  const said = once(child, "message");
  const loop = await Loop.read(file);
  const groupPort = await freePort();
  const [air] = (await said) as [Broadcast];
  return {
    notes: air.goesFirst
      ? []
      : ["The broadcaster has no higher priority than what records: who is not root may not give it."],
    send(way, count) {
      child.send({ groups: way === "udp" ? count : 0, port: groupPort } satisfies Word);
      const from = `http://127.0.0.1:${air.port}`;
      const nths = Array.from({ length: count }, (_, nth) => nth);
      switch (way) {
        case "http":
          return { urls: nths.map((nth) => `${from}/${nth}`), programme: "single", air };
        case "udp":
          return { urls: nths.map((nth) => addressOf(nth, groupPort)), programme: "single", air };
        case "multiplex":
          return {
            urls: nths.map((nth) => `${from}/multiplex/${Math.floor(nth / SERVICES)}`),
            programme: "multi",
            air: { ...air, carried: (first, last) => loop.carried(first, last) },
          };
      }
    },
    async figures() {
      const answer = once(child, "message");
      child.send("figures" satisfies Word);
      const [figures] = (await answer) as [BroadcasterFigures];
      return figures;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

/** For all groups: each reader is bound to its own. */
async function freePort(): Promise<number> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  return port;
}
