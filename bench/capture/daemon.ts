import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { silentLog } from "../../src/kit/log.ts";
import { findMarked, signalProcess } from "../../src/kit/process/marked-process.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { Recording } from "../../src/model/recording.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { askSnapshot } from "../../src/recorder/api/ask.ts";
import { writeSecrets } from "../../src/recorder/config/secrets.ts";
import { API_KEY, seedGuide, signIn, VIEWER } from "../guide-process.ts";
import { type Order, pauseMs, type Recorded, type Running, until } from "./contender.ts";
import { watchFirstBytes } from "./first-bytes.ts";
import { keptOfEach, lostIn } from "./kept.ts";
import { tripletOf } from "./loop.ts";
import { cpuSecondsOf, familyOf } from "./usage.ts";

/** The bundle that people run; below, the unbundled files, with which a profile can separate the parts. */
export const BUNDLED = join(import.meta.dirname, "../../../dist/main.js");
const IN_FILES = join(import.meta.dirname, "../../src/main.js");
const UNIT = join(import.meta.dirname, "../../../systemd/recorderd.service");
/**
 * From the first timer to the first packet: a daemon runs for weeks, and what V8 makes of its start, such as two collections of all memory,
 * is over after half a minute.
 */
const AHEAD_MS = 60 * SECOND;
const AHEAD_EACH_MS = 50;
const clock = systemClock();

/** The capture engine. */
type Engine = "host" | "ffmpeg";

/** The daemon as people run it, with a guide service that has a timer for each address. */
export async function recordWithDaemon(
  { folder: parent, urls, programme, seconds, air, isIdle = false, isProfiled = false, webPort }: Order,
  engine: Engine,
): Promise<Running> {
  const folder = await mkdtemp(join(parent, "daemon-"));
  const guide = await openGuideServer({
    dataFolder: join(folder, "guide"),
    clock,
    log: silentLog,
    apiKey: API_KEY,
  });
  const { baseUrl } = await guide.listen({ host: "127.0.0.1", port: 0 });
  const channels = urls.map((_, nth) => {
    const { onid, tsid, sid } = tripletOf(nth);
    const dvb = [{ original_network_id: onid, transport_stream_id: tsid, service_id: sid }];
    return { id: nth + 1, name: `Service ${nth + 1}`, region_id: 1, dvb };
  });
  const deviceId = await seedGuide(guide, { channels });
  const start = clock.now() + AHEAD_MS + urls.length * AHEAD_EACH_MS;
  const ordered = isIdle ? [] : urls;
  for (const nth of ordered.keys()) {
    const show = { channelId: nth + 1, title: `Show ${nth + 1}`, start, durationMinutes: seconds / 60 };
    await guide.addTimer(VIEWER, { device_id: deviceId, show_id: await guide.addShow(show) });
  }
  const socket = join(folder, "control.sock");
  const config = await configure({ folder, socket, baseUrl, deviceId, urls, programme, engine, webPort });
  const env = { ...process.env, ...(await unitEnvironment()) };
  const main = isProfiled ? IN_FILES : BUNDLED;
  const daemon = spawn(await ownNode(parent), [main, "run", "--config", config], { stdio: "ignore", env });
  const recordings = async () => {
    const asked = askSnapshot(socket, { clock, signal: AbortSignal.timeout(5 * SECOND) });
    return (await asked.catch(() => undefined))?.recordings ?? [];
  };
  const parts = join(folder, "recordings", ".recorderd");
  const firstBytes = watchFirstBytes(async () => {
    const names = await readdir(parts).catch(() => []);
    return names.filter((name) => name.endsWith(".ts.part")).map((name) => join(parts, name));
  });
  const all = async (fits: (recording: Recording) => boolean) => {
    const found = await recordings();
    return found.length === ordered.length && found.every(fits);
  };
  await until(() => all(({ state }) => state === "recording"), "not everything is recorded");
  const firstByteAt = await firstBytes.end();
  const pid = daemon.pid ?? 0;
  const hosts = async () => {
    const marked = await findMarked("RECORDERD_CAPTURE_HOST");
    return marked.filter(({ mark }) => mark.startsWith(folder));
  };
  return {
    processes: () => familyOf(pid),
    supervisor: pid,
    host: async () => (await hosts())[0]?.pid,
    end: async () => {
      await pauseMs(Math.max(0, start + seconds * SECOND - clock.now()));
      const beforeSeconds = cpuSecondsOf(pid);
      await until(() => all(({ state }) => isTerminal(state)), "recordings do not end");
      const closingSeconds = cpuSecondsOf(pid) - beforeSeconds;
      const ended = await recordings();
      const gone = once(daemon, "exit");
      daemon.kill("SIGTERM");
      await gone;
      // A capture host would wait for a minute whether there is more to do.
      for (const host of await hosts()) await signalProcess(host, "SIGINT");
      await guide[Symbol.asyncDispose]();
      const kept = await keptOfEach(
        ended.map(({ evidence }) => evidence?.file),
        air,
      );
      await rm(folder, { recursive: true });
      const firstByteMs = ended.flatMap(({ id, attempts: [first] }) => {
        const at = first === undefined ? undefined : firstByteAt.get(join(parts, `${id}.1.ts.part`));
        return at === undefined || first === undefined ? [] : [at - first.startedAt];
      });
      const margins = ended.map(({ window }, nth) => ({
        startMs: window.start - (kept[nth]?.from ?? Number.NaN),
        endMs: (kept[nth]?.to ?? Number.NaN) - window.stop,
      }));
      // A service that ffmpeg takes out of a multiplex is made anew, its clock too.
      const isAsSent = engine === "host" || programme === "single";
      return {
        ...summary(ended),
        firstByteMs,
        closingSeconds,
        ...(isAsSent ? { lostBytes: lostIn(kept), margins } : {}),
      };
    },
  };
}

/** Environment that the service's unit gives the daemon. */
export async function unitEnvironment(): Promise<Readonly<Record<string, string>>> {
  const unit = await readFile(UNIT, "utf8");
  const settings = unit.matchAll(/^Environment=(\w+)=(.*)$/gm);
  return Object.fromEntries([...settings].map(([, name = "", value = ""]) => [name, value]));
}

/** A copy of Node.js: of its pages, which are half of a small process, the bench and the broadcaster would bear their shares. */
async function ownNode(folder: string): Promise<string> {
  const copy = join(folder, "node");
  if (!existsSync(copy)) await copyFile(process.execPath, copy);
  return copy;
}

export async function configure({
  folder,
  socket,
  baseUrl,
  deviceId,
  urls,
  programme,
  engine,
  webPort,
}: {
  readonly folder: string;
  readonly socket: string;
  readonly baseUrl: string;
  readonly deviceId: number;
  readonly urls: readonly string[];
  readonly programme: Order["programme"];
  readonly engine: Engine;
  readonly webPort?: number | undefined;
}): Promise<string> {
  const data = join(folder, "data");
  await mkdir(data, { recursive: true });
  await mkdir(join(folder, "recordings"));
  await using http = createHttpClient();
  const account = { email: VIEWER, token: await signIn(baseUrl, { http }) };
  await writeSecrets(data, { apiKey: API_KEY, account });
  const services = urls.map((url, nth) => ({ service: tripletKey(tripletOf(nth)), url, programme }));
  const file = join(folder, "recorderd.yaml");
  const config = {
    guide: { url: baseUrl, regionId: 1, deviceId, sync: "* * * * *" },
    recordings: { folder: join(folder, "recordings"), padding: { beforeSeconds: 0, afterSeconds: 0 } },
    tuners: [{ kind: "url", id: "bench", services }],
    data: { folder: data },
    control: { socket },
    capture: { engine },
    ...(webPort === undefined ? {} : { web: { port: webPort, signIn: "where-needed" } }),
  };
  await writeFile(file, stringify(config));
  return file;
}

function summary(recordings: readonly Recording[]): Pick<Recorded, "continuityErrors" | "damaged"> {
  return {
    continuityErrors: recordings.reduce(
      (total, { evidence }) => total + (evidence?.continuityErrors ?? Number.NaN),
      0,
    ),
    damaged: recordings.filter(
      ({ state, evidence: found }) => state !== "completed" || found?.gaps.length !== 0,
    ).length,
  };
}
