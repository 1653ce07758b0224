import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findMarked, signalProcess } from "../../src/kit/process/marked-process.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import type { Mishap } from "../../src/simulator/broadcaster/mishaps.ts";
import { type Chance, chanceOf } from "../../src/simulator/weeks/chance.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import { type InProcess, inProcess, simTuners } from "./in-process.ts";
import { soon, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

/** A thousand take minutes: `npm run cycles -- --cycles 1000`. */
const CYCLES = Number(process.env["CYCLES"] ?? 360);
const SEED = Number(process.env["CYCLES_SEED"] ?? 21);
/** Recordings of one lane begin together, one round after the other; lanes go on beside one another. */
const LANES = CYCLES > 100 ? 3 : 1;
const CHANNELS = 18;
const ROUNDS = Math.ceil(CYCLES / LANES / CHANNELS);
/** The tuners of each lane, whose channels are on five multiplexes. */
const TUNERS = 8;
const SHOW_MS = 2 * SECOND;
/** So that a machine that is busy with all of them has time to begin. */
const WARM_UP_MS = 4 * SECOND;
const clock = systemClock();

/** The faults of one recording; there may be none. */
function mishapOf(pick: number, at: number): readonly Mishap[] {
  const kinds: readonly (readonly Mishap[])[] = [
    [],
    [{ kind: "refused", status: 503, times: 1 }],
    [{ kind: "refused", status: 403, times: 3 }],
    [{ kind: "disconnect", at }],
    [{ kind: "stall", at }],
    [{ kind: "half-open", times: 1 }],
    [{ kind: "slow-start", ms: 400, times: 1 }],
    [{ kind: "loss", every: 7, during: { start: at, stop: at + SECOND } }],
    [{ kind: "wrong-service", service: simTriplet(200), times: 1 }],
  ];
  return kinds[pick % kinds.length] ?? [];
}

interface Cycles {
  readonly home: TestWorld;
  readonly recorder: InProcess;
  readonly chance: Chance;
}

/** One round of one lane, until all of it has ended. */
async function round(
  { home: { world, deviceId }, recorder, chance }: Cycles,
  name: { readonly lane: number; readonly round: number },
): Promise<readonly Recording[]> {
  const at = soon() + SECOND;
  const timers: string[] = [];
  for (let each = 1; each <= CHANNELS; each += 1) {
    const channel = name.lane * CHANNELS + each;
    const start = at + chance.int(0, 2) * SECOND;
    const title = `Cycle ${name.round} ${channel}`;
    for (const mishap of mishapOf(chance.int(0, 1000), start + chance.int(0, SHOW_MS))) {
      world.broadcaster.misbehave(simTriplet(channel), mishap);
    }
    timers.push(await world.book({ channel, title, start, durationMs: SHOW_MS }, deviceId));
  }
  const unlucky = timers[chance.int(0, timers.length - 1)] ?? "";
  void kill(recorder, unlucky);
  return await Promise.all(
    timers.map((timerId) => recorder.until(timerId, ({ state }) => isTerminal(state), 5 * 60 * SECOND)),
  );
}

/** Kills a capture as the kernel does when memory runs out, if the recording ever has one. */
async function kill(recorder: InProcess, timerId: string): Promise<void> {
  const { id, state } = await recorder.until(
    timerId,
    (each) => each.state === "recording" || isTerminal(each.state),
  );
  if (isTerminal(state)) return;
  const marked = await findMarked("RECORDERD_CAPTURE");
  for (const each of marked.filter(({ mark }) => mark.startsWith(`${recorder.data}/${id}.`))) {
    await signalProcess(each, "SIGKILL");
  }
}

async function captures({ data }: InProcess): Promise<readonly string[]> {
  const marked = await findMarked("RECORDERD_CAPTURE");
  return marked.map(({ mark }) => mark).filter((mark) => mark.startsWith(`${data}/`));
}

async function openFiles(): Promise<number> {
  return (await readdir("/proc/self/fd")).length;
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
}

it("R-21 dozens of short recordings with random failures leave no process, lease, connection, open file or segment", {
  timeout: 60 * 60 * SECOND,
}, async ({ annotate }) => {
  const chance = chanceOf(SEED, "cycles");
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, LANES * CHANNELS);
  const tuners = simTuners(home, LANES * TUNERS, WARM_UP_MS);
  await using recorder = await inProcess(folder.path, home, { tuners });
  const before = await openFiles();
  const began = clock.monotonicMs();
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const ended: Recording[] = [];
    for (let number = 1; number <= ROUNDS; number += 1) {
      ended.push(...(await round({ home, recorder, chance }, { lane, round: number })));
    }
    return ended;
  });
  const ends = (await Promise.all(lanes)).flat();

  expect(ends.length).toBeGreaterThanOrEqual(CYCLES);
  // Most events are recorded whatever the faults did, and each recording has a file of its own.
  const files = ends.flatMap(({ evidence }) => (evidence?.file === undefined ? [] : [evidence.file]));
  expect(new Set(files).size).toBe(files.length);
  expect(files.length).toBeGreaterThan(ends.length / 2);
  // The daemon goes on meanwhile, and writes: what is left for good is what counts.
  const eventually = (look: () => unknown) => expect.poll(look);
  await eventually(() => recorder.daemon.snapshot().tuners.flatMap(({ recordings }) => recordings)).toEqual(
    [],
  );
  await eventually(() => captures(recorder)).toEqual([]);
  await eventually(() => readdir(join(recorder.recordings, ".recorderd"))).toEqual([]);
  await eventually(() => home.world.broadcaster.openStreams()).toBe(0);
  // Connections to the guide are kept for a while and used again; they are a few, not some for each recording.
  await eventually(openFiles).toBeLessThan(before + 10);
  // Each file has its three sidecars; beside these there is the hidden folder of segments.
  await eventually(() => readdir(recorder.recordings)).toHaveLength(4 * files.length + 1);
  await eventually(async () =>
    (await readdir(recorder.data)).filter((name) => name.endsWith(".tmp")),
  ).toEqual([]);

  const attempts = ends.flatMap((end) => end.attempts.map(({ cause = "runs" }) => cause));
  const seconds = Math.round((clock.monotonicMs() - began) / SECOND);
  const open = `${before} files open before, ${await openFiles()} after`;
  await annotate(
    `CYCLES_SEED=${SEED}: ${ends.length} recordings in ${seconds} s (${counted(ends.map(({ state }) => state))})`,
  );
  await annotate(`${attempts.length} attempts (${counted(attempts)}); ${open}`);
});
