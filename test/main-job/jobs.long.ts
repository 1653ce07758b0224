import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { kill } from "node:process";
import { expect, it } from "vitest";
import { findMarked, isAlive } from "../../src/kit/process/marked-process.ts";
import { probeMedia } from "../../src/kit/process/media-tools.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { onSimulator, pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

const clock = systemClock();
/**
 * Takes half a second of processor time: enough to find its process, and no more, because at the lowest priority a conversion
 * beside a busy test run gets a sixtieth of a processor.
 */
const PROFILE = { kind: "transcode", container: "mkv", codec: "hevc", encoder: "libx265", quality: 51 };

it("R-29 a daemon killed during a conversion restarts it, keeps the original until it is complete, and leaves no draft", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  const { world, deviceId } = home;
  const jobs = { keepOriginal: false, quietMinutes: 0 };
  await using recorder = await onSimulator(folder.path, home, { more: { profile: PROFILE, jobs } });
  await recorder.start();
  const start = soon();
  const show = { channel: 1, title: "Long film", start, durationMs: 4 * SECOND };
  const timerId = await world.book(show, deviceId);
  const { evidence } = await recorder.until(timerId, ({ state }) => isTerminal(state));
  const original = evidence?.file ?? "";
  const result = original.replace(/\.ts$/, ".mkv");
  const work = join(recorder.recordings, ".recorderd");
  const converting = async () =>
    (await findMarked("RECORDERD_JOB")).filter(({ mark }) => mark === recorder.data);

  // Stopped as soon as it runs, so that its next steps do not matter.
  const [child] = await eventually(async () => {
    const found = await converting();
    return found.length > 0 ? found : undefined;
  });
  if (child === undefined) throw new Error("no process");
  kill(child.pid, "SIGSTOP");
  await recorder.kill();
  expect(isAlive(child)).toBe(true);
  const { size } = await stat(original);
  expect(size).toBe(evidence?.bytes);
  await expect(stat(result)).rejects.toThrow("ENOENT");

  await recorder.start();
  await eventually(async () => !isAlive(child) || undefined);
  const { size: made } = await eventually(() => stat(result).catch(() => undefined));
  expect(made).toBeGreaterThan(0);
  await eventually(async () =>
    (await stat(original).catch(() => undefined)) === undefined ? true : undefined,
  );
  const { streams, durationMs } = await probeMedia(result, { clock, signal: new AbortController().signal });
  expect(streams.map(({ codec }) => codec)).toContain("hevc");
  expect(durationMs).toBeGreaterThan(4 * SECOND);
  await eventually(async () => (await readdir(work)).every((name) => !name.startsWith("job-")) || undefined);
  expect(await converting()).toEqual([]);
});

/** A look at all processes takes 20 ms of processor time: most of it is left to the conversion, which has the lowest priority. */
const LOOK_MS = 100;

/** The first result of `look`. Jobs give way to all else on the machine: the test's own timeout is the limit. */
async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(LOOK_MS);
  }
}
