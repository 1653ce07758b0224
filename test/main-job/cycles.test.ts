import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findMarked } from "../../src/kit/marked-process.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import type { Mishap } from "../../src/sim/broadcaster/mishaps.ts";
import { chanceOf } from "../../src/sim/weeks/chance.ts";
import { simTriplet } from "../../src/sim/world.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { soon, temporaryFolder, testWorld } from "./recorder.ts";

const SEED = 21;
const CHANNELS = 12;
const ROUNDS = 3;
const SHOW_MS = 2 * SECOND;
/** So that one round is over before the next begins: each holds half of the tuners. */
const ROUND_MS = 8 * SECOND;

/** What goes wrong in one round on one channel, if anything. */
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
  ];
  return kinds[pick % kinds.length] ?? [];
}

async function openFiles(): Promise<number> {
  return (await readdir("/proc/self/fd")).length;
}

it("R-21 three dozen short recordings with failures by chance leave no process, lease, connection, open file or segment", async () => {
  const chance = chanceOf(SEED, "cycles");
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, CHANNELS);
  const { world, deviceId } = home;
  await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 8, SECOND) });
  const before = await openFiles();
  const first = soon() + 2 * SECOND;
  const timers: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let channel = 1; channel <= CHANNELS; channel += 1) {
      const start = first + round * ROUND_MS + chance.int(0, 2) * SECOND;
      const title = `Cycle ${round} ${channel}`;
      timers.push(await world.book({ channel, title, start, durationMs: SHOW_MS }, deviceId));
      const service = simTriplet(channel);
      for (const mishap of mishapOf(chance.int(0, 1000), start + chance.int(0, SHOW_MS))) {
        world.broadcaster.misbehave(service, mishap);
      }
    }
  }
  const ends = await Promise.all(
    timers.map((timerId) => recorder.until(timerId, ({ state }) => isTerminal(state))),
  );

  expect(ends).toHaveLength(CHANNELS * ROUNDS);
  // Whatever the faults did: most were recorded, and what was is in a file of its own.
  const files = ends.flatMap(({ evidence }) => (evidence?.file === undefined ? [] : [evidence.file]));
  expect(new Set(files).size).toBe(files.length);
  expect(files.length).toBeGreaterThan(ends.length / 2);
  expect(recorder.daemon.snapshot().tuners.flatMap(({ recordings }) => recordings)).toEqual([]);
  const marks = await findMarked("RECORDERD_CAPTURE");
  expect(marks.filter(({ mark }) => mark.startsWith(`${recorder.data}/`))).toEqual([]);
  await expect.poll(() => readdir(join(recorder.recordings, ".recorderd")), { timeout: 10_000 }).toEqual([]);
  await expect.poll(() => world.broadcaster.openStreams(), { timeout: 10_000 }).toBe(0);
  // Connections to the guide are kept for a while and used again; they are a few, not some for each recording.
  await expect.poll(openFiles, { timeout: 10_000 }).toBeLessThan(before + 10);
});
