import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { type GuideServer, openGuideServer } from "../src/guide-server/server.ts";
import { silentLog } from "../src/kit/log.ts";
import { findMarked, signalProcess } from "../src/kit/process/marked-process.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import { isTerminal } from "../src/model/recording.ts";
import { HOUR, MINUTE, SECOND } from "../src/model/time.ts";
import { askSnapshot } from "../src/recorder/api/ask.ts";
import { type Broadcaster, openBroadcaster } from "./capture/broadcast.ts";
import { pauseMs, until } from "./capture/contender.ts";
import { BUNDLED, configure, unitEnvironment } from "./capture/daemon.ts";
import { mountDisk } from "./capture/disk.ts";
import { tripletOf } from "./capture/loop.ts";
import { API_KEY, seedGuide, VIEWER } from "./guide-process.ts";
import { type Benchmark, type Measures, megabytes } from "./harness.ts";

const clock = systemClock();

const RECORDINGS_A_DAY = 20;
const MINUTES_A_DAY = 1440;
/** Known to the guide, as in a region of some size. */
const CHANNELS = 60;
/** Measured, each alone: a recording costs what its changes of state cost, whatever its length. */
const MEASURED = 3;
/** The first sync, and the first round of the idle tuner, which listens for a minute. */
const SETTLE_MS = 2.5 * MINUTE;
/** From the order to the start, and from the end to the last report. */
const AROUND_MS = 20 * SECOND;
const RECORDED_MINUTES = 0.5;
/** Inodes and the like, which the kernel writes on its own, follow within this time. */
const WRITE_BACK_MS = 35 * SECOND;

/**
 * Writes to the disk of the data folder, with the file system's own: an ext4 of its own, on a loop device, which counts
 * them. Only root may do that.
 */
export function flashBenchmark({ seconds }: { readonly seconds: number }): Benchmark {
  return {
    name: "flash",
    onlyWhenNamed: true,
    settles: true,
    open: async (folder) => {
      const broadcaster = await openBroadcaster(folder);
      return {
        cases: [
          {
            name: `${RECORDINGS_A_DAY} recordings a day`,
            run: () => dayOfWrites({ folder, broadcaster, idleMs: seconds * SECOND }),
          },
        ],
        notes: [
          `From ${MEASURED} recordings of ${60 * RECORDED_MINUTES} s and a rest of ${seconds} s. Rounds of the idle tuner, ` +
            "four a day for each multiplex, come on top.",
        ],
        [Symbol.asyncDispose]: () => broadcaster[Symbol.asyncDispose](),
      };
    },
  };
}

async function dayOfWrites({
  folder: parent,
  broadcaster,
  idleMs,
}: {
  readonly folder: string;
  readonly broadcaster: Broadcaster;
  readonly idleMs: number;
}): Promise<Measures> {
  const folder = await mkdtemp(join(parent, "flash-"));
  await using disk = await mountDisk(join(folder, "disk.img"), join(folder, "data"));
  await using guide = await openGuideServer({
    dataFolder: join(folder, "guide"),
    clock,
    log: silentLog,
    apiKey: API_KEY,
  });
  const { urls, programme } = broadcaster.send("http", RECORDINGS_A_DAY);
  const book = await filled(guide, urls.length);
  const { baseUrl } = await guide.listen({ host: "127.0.0.1", port: 0 });
  for (let nth = MEASURED; nth < RECORDINGS_A_DAY; nth += 1)
    await book.show(nth, clock.now() + (20 + nth) * HOUR, 60);
  const socket = join(folder, "control.sock");
  const about = {
    folder,
    socket,
    baseUrl,
    deviceId: book.deviceId,
    urls,
    programme,
    engine: "host",
  } as const;
  const config = await configure(about);
  const env = { ...process.env, ...(await unitEnvironment()) };
  const daemon = spawn(process.execPath, [BUNDLED, "run", "--config", config], { stdio: "ignore", env });
  await pauseMs(SETTLE_MS);
  const bytesIn = async (work: () => Promise<void>) => {
    const [before, beganMs] = [await disk.written(), clock.monotonicMs()];
    await work();
    await pauseMs(WRITE_BACK_MS);
    return { bytes: (await disk.written()) - before, minutes: (clock.monotonicMs() - beganMs) / MINUTE };
  };
  const idle = await bytesIn(() => pauseMs(idleMs));
  const recorded = await bytesIn(async () => {
    for (let nth = 0; nth < MEASURED; nth += 1) {
      await book.show(nth, clock.now() + AROUND_MS, RECORDED_MINUTES);
      await pauseMs(AROUND_MS);
      await until(async () => {
        const asked = askSnapshot(socket, { clock, signal: AbortSignal.timeout(5 * SECOND) });
        const all = (await asked.catch(() => undefined))?.recordings ?? [];
        return all.filter(({ state }) => isTerminal(state)).length > nth;
      }, "a recording does not end");
      await pauseMs(AROUND_MS);
    }
  });
  const gone = once(daemon, "exit");
  daemon.kill("SIGTERM");
  await gone;
  for (const host of await findMarked("RECORDERD_CAPTURE_HOST"))
    if (host.mark.startsWith(folder)) await signalProcess(host, "SIGINT");
  const perMinute = idle.bytes / idle.minutes;
  const perRecording = (recorded.bytes - perMinute * recorded.minutes) / MEASURED;
  return {
    "a day": megabytes(RECORDINGS_A_DAY * perRecording + MINUTES_A_DAY * perMinute),
    "a recording": { value: perRecording / 1000, unit: "kB" },
    "a minute at rest": { value: perMinute / 1000, unit: "kB" },
  };
}

/** Gives the guide its channels. `show` adds a show and orders it. */
async function filled(guide: GuideServer, count: number) {
  const channels = Array.from({ length: Math.max(count, CHANNELS) }, (_, nth) => {
    const { onid, tsid, sid } = tripletOf(nth);
    const dvb = [{ original_network_id: onid, transport_stream_id: tsid, service_id: sid }];
    return { id: nth + 1, name: `Service ${nth + 1}`, region_id: 1, dvb };
  });
  const deviceId = await seedGuide(guide, { channels });
  return {
    deviceId,
    show: async (nth: number, start: number, durationMinutes: number): Promise<void> => {
      const about = { title: `Show ${nth + 1}`, description: "What happens in it. ".repeat(10) };
      const show = { ...about, channelId: nth + 1, start, durationMinutes };
      await guide.addTimer(VIEWER, { device_id: deviceId, show_id: await guide.addShow(show) });
    },
  };
}
