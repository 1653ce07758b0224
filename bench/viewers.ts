import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tripletKey } from "../src/model/service.ts";
import { openBroadcaster } from "./capture/broadcast.ts";
import { pauseMs, until } from "./capture/contender.ts";
import { cpuProfileOf } from "./capture/cpu-profile.ts";
import { recordWithDaemon } from "./capture/daemon.ts";
import { freePort } from "./capture/free-port.ts";
import { tripletOf } from "./capture/loop.ts";
import { cpuSecondsOf, proportionalBytesOf, readBytesOf } from "./capture/usage.ts";
import { watch } from "./capture/viewer.ts";
import type { Benchmark, Measures } from "./harness.ts";

/** The recording that is watched. */
const RECORDED_SECONDS = 30;
/** The recording is closed then, and its capture host has ended. */
const CLOSE_SECONDS = 70;
/** A viewer has the first segments then, and V8 has compiled what serves the others. */
const SETTLE_SECONDS = 20;

interface ViewersOptions {
  readonly seconds: number;
  /** Output folder of a profile of the daemon for each case. */
  readonly profiles: string | undefined;
}

/** Costs of viewers of H.264 and AAC at 8 Mbit/s, in real time, for the daemon and its capture host. */
export function viewersBenchmark({ seconds, profiles }: ViewersOptions): Benchmark {
  return {
    name: "viewers",
    onlyWhenNamed: true,
    settles: true,
    open: async (folder) => {
      const broadcaster = await openBroadcaster(folder);
      const webPort = await freePort();
      const base = `http://127.0.0.1:${webPort}/v1`;
      const order = { folder, ...broadcaster.send("http", 1), seconds: RECORDED_SECONDS, webPort };
      const running = await recordWithDaemon({ ...order, isProfiled: profiles !== undefined }, "host");
      await pauseMs(RECORDED_SECONDS * 1000);
      const recording = await recordingAt(base);
      const live = `${base}/live/${tripletKey(tripletOf(0)).replaceAll("/", "-")}/hls/index.m3u8`;
      const cases = [
        { name: "nobody", address: live, viewers: 0 },
        { name: "a recording × 1", address: `${base}/recordings/${recording}/hls/index.m3u8`, viewers: 1 },
        { name: "live × 1", address: live, viewers: 1 },
        { name: "live × 4", address: live, viewers: 4 },
      ];
      await pauseMs(CLOSE_SECONDS * 1000);
      return {
        cases: cases.map(({ name, address, viewers: count }) => ({
          name,
          run: async () => {
            const viewers = Array.from({ length: count }, () => watch(address));
            await pauseMs(SETTLE_SECONDS * 1000);
            const bytes = () => viewers.reduce((sum, each) => sum + each.bytes(), 0);
            const measures = await costOf({ ...running, bytes }, seconds);
            if (profiles !== undefined) {
              const profile = await cpuProfileOf(running.supervisor ?? 0, seconds * 1000);
              await writeFile(join(profiles, `${name}.cpuprofile`), JSON.stringify(profile));
            }
            for (const each of viewers) await each.leave();
            return measures;
          },
        })),
        async [Symbol.asyncDispose]() {
          await running.end();
          await broadcaster[Symbol.asyncDispose]();
        },
      };
    },
  };
}

export async function recordingAt(base: string): Promise<string> {
  const found = async () => {
    const answer = await fetch(`${base}/recordings`);
    return (await answer.json()) as readonly { readonly recordingId: string }[];
  };
  await until(async () => (await found()).length === 1, "nothing was recorded");
  return (await found())[0]?.recordingId ?? "";
}

export interface Watched {
  readonly processes: () => readonly number[];
  readonly supervisor?: number;
  readonly bytes: () => number;
}

export async function costOf(
  { processes, supervisor = 0, bytes }: Watched,
  seconds: number,
): Promise<Measures> {
  const pids = processes();
  const now = () => ({
    all: pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
    daemon: cpuSecondsOf(supervisor),
    read: readBytesOf(supervisor),
    sent: bytes(),
    at: performance.now(),
  });
  const before = now();
  await pauseMs(seconds * 1000);
  const after = now();
  const share = (key: "all" | "daemon") => ({
    value: (1e5 * (after[key] - before[key])) / (after.at - before.at),
    unit: "% of a core",
  });
  return {
    cpu: share("all"),
    "daemon, cpu": share("daemon"),
    read: { value: (after.read - before.read) / 1e6 / seconds, unit: "MB/s" },
    sent: { value: (after.sent - before.sent) / 1e6 / seconds, unit: "MB/s" },
    memory: { value: pids.reduce((sum, pid) => sum + proportionalBytesOf(pid), 0) / 1e6, unit: "MB" },
  };
}
