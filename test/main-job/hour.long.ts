import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { findMarked } from "../../src/kit/process/marked-process.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { HOST_MARK } from "../../src/recorder/capture/host/protocol.ts";
import { onSimulator, pause, type Recorder, type TestHome, temporaryFolder, testWorld } from "./recorder.ts";

const clock = systemClock();

const MINUTES = Number(process.env["HOUR_MINUTES"] ?? 60);
const CHANNELS = 4;
/** The heap finds its size, and all code has run once. */
const WARM_UP_MINUTES = Math.ceil(MINUTES / 6);
/** A collection may be due in one part of the time and past in the other. */
const GROWTH_MIB = 8;

interface Sample {
  readonly minute: number;
  readonly daemon: Use;
  readonly host: Use;
}

interface Use {
  /** Memory that belongs to the process alone, in MiB. */
  readonly mib: number;
  readonly files: number;
}

it("R-21 R-42 an hour of recordings, one after another on all tuners, leaves memory and open files as they were", {
  timeout: (MINUTES + 10) * MINUTE,
}, async ({ annotate }) => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, CHANNELS);
  await using recorder = await onSimulator(folder.path, home, { tuners: CHANNELS, paddingSeconds: 8 });
  await recorder.start();
  const samples: Sample[] = [];
  const timers: string[] = [];
  const began = Math.ceil(clock.now() / MINUTE) * MINUTE;
  for (let minute = 0; minute < MINUTES; minute += 1) {
    timers.push(...(await bookMinute(home, began + minute * MINUTE)));
    await pause(Math.max(0, began + minute * MINUTE + 45 * SECOND - clock.now()));
    samples.push(await sample(recorder, minute));
  }
  const ended = await Promise.all(
    timers.map((timerId) => recorder.until(timerId, ({ state }) => isTerminal(state))),
  );

  for (const { minute, daemon, host } of samples)
    if (minute % 5 === 0) await annotate(`minute ${minute}: daemon ${told(daemon)}; host ${told(host)}`);
  expect(ended.filter(({ state }) => state !== "completed")).toEqual([]);
  const warm = samples.filter(({ minute }) => minute >= WARM_UP_MINUTES);
  const [early, late] = [warm.slice(0, warm.length / 2), warm.slice(warm.length / 2)];
  for (const who of ["daemon", "host"] as const) {
    const of = (part: readonly Sample[], what: keyof Use) => median(part.map((each) => each[who][what]));
    expect(of(late, "mib"), `memory of the ${who}`).toBeLessThan(of(early, "mib") + GROWTH_MIB);
    expect(of(late, "files"), `files of the ${who}`).toBeLessThanOrEqual(of(early, "files") + 2);
  }
});

/** A show on each channel, a few seconds apart, over before the next minute. */
async function bookMinute({ world, deviceId }: TestHome, at: number): Promise<readonly string[]> {
  const shows = Array.from({ length: CHANNELS }, (_, index) => ({
    channel: index + 1,
    title: `Show ${index + 1}`,
    start: at + (15 + 2 * index) * SECOND,
    durationMs: 40 * SECOND,
  }));
  return await Promise.all(shows.map((show) => world.book(show, deviceId)));
}

async function sample({ pid = 0, data }: Recorder, minute: number): Promise<Sample> {
  const host = (await findMarked(HOST_MARK)).find(({ mark }) => mark.includes(data));
  if (host === undefined) throw new Error("no capture host runs");
  return { minute, daemon: await useOf(pid), host: await useOf(host.pid) };
}

async function useOf(pid: number): Promise<Use> {
  const status = await readFile(`/proc/${pid}/status`, "latin1");
  const kib = Number(/^RssAnon:\s*(\d+) kB$/m.exec(status)?.[1]);
  return { mib: kib / 1024, files: (await readdir(`/proc/${pid}/fd`)).length };
}

function told({ mib, files }: Use): string {
  return `${mib.toFixed(1)} MiB, ${files} open files`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
