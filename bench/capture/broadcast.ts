import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Broadcast, BroadcasterFigures } from "./broadcaster-child.ts";
import type { OnAir } from "./kept.ts";
import { makeLoopFile } from "./loop.ts";

const CHILD = join(import.meta.dirname, "broadcaster-child.js");

/** The broadcaster's process, on the air. */
export interface Broadcaster extends AsyncDisposable {
  readonly air: OnAir;
  /** What a reader of its figures has to know. */
  readonly notes: readonly string[];
  /** Addresses of so many services. */
  urls(count: number): readonly string[];
  /** What it has to say since it was asked last. */
  figures(): Promise<BroadcasterFigures>;
}

export async function openBroadcaster(folder: string): Promise<Broadcaster> {
  const file = join(folder, "service.ts");
  await makeLoopFile(file, new AbortController().signal);
  const child: ChildProcess = fork(CHILD, [file], {
    // What its thread waits for is not done by threads that have no right to go first.
    execArgv: ["--single-threaded"],
  });
  const [air] = (await once(child, "message")) as [Broadcast];
  return {
    air,
    notes: air.goesFirst
      ? []
      : ["The broadcaster has no higher priority than what records: who is not root may not give it."],
    urls: (count) => Array.from({ length: count }, (_, nth) => `http://127.0.0.1:${air.port}/${nth}`),
    async figures() {
      const answer = once(child, "message");
      child.send("figures");
      const [figures] = (await answer) as [BroadcasterFigures];
      return figures;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
