import { cp, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { attemptId } from "../../src/model/attempt.ts";
import type { Capture } from "../../src/model/ports.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { CAPTURE_LIMITS } from "../../src/recorder/capture/limits.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { captureOf } from "../../src/recorder/wiring/captures.ts";
import { commandLine } from "../cli/command-line.ts";
import { HOST_PROGRAM } from "../recorder/capture/host.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { asked, soon, temporaryFolder, testWorld } from "./recorder.ts";

it("R-29 R-34 the recorder ends a capture of an unknown recording at its start, and keeps and lists the file", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  const tuners = simTuners(home, 1);
  const show = { channel: 1, title: "Lost", start: soon(), durationMs: 60 * SECOND };
  let [id, timer, data] = ["", "", ""];
  let capture: Capture | undefined;
  {
    await using before = await inProcess(folder.path, home, { tuners });
    capture = captureOf(before.config, {
      clock: systemClock(),
      log: silentLog,
      openInspection,
      limits: CAPTURE_LIMITS,
      hostProgram: HOST_PROGRAM,
    });
    timer = await home.world.book(show, home.deviceId);
    const recording = await before.until(timer, ({ state }) => state === "recording");
    id = attemptId(recording.id, recording.attempts.length);
    data = before.data;
  }
  const isRunning = async () => (await capture?.running())?.has(id);
  expect(await isRunning()).toBe(true);
  for (const name of await documentsIn(data)) await rm(join(data, name));
  await asked(home, (client, signal) => client.deleteTimer(timer, signal));

  await using after = await inProcess(folder.path, home, { tuners });
  await expect.poll(() => after.daemon.snapshot().strays).toMatchObject([{ attemptId: id }]);
  await expect.poll(isRunning).toBe(false);
  expect((await stat(join(after.recordings, ".recorderd", `${id}.ts.part`))).size).toBeGreaterThan(0);
  const { out } = await commandLine(["status", "--socket", join(folder.path, "control.sock")]);
  expect(out).toMatch(new RegExp(`belonged to no recording:\\n  ${id}, ended at .*${id}\\.ts\\.part`));
});

it.each(["put back to before its start", "deleted"])(
  "R-34 a recording goes on without a gap, and is whole, although the document is %s",
  async (how) => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const tuners = simTuners(home, 1);
    const earlier = join(folder.path, "earlier");
    await mkdir(earlier);
    let timerId = "";
    let data = "";
    {
      await using before = await inProcess(folder.path, home, { tuners });
      data = before.data;
      const show = { channel: 1, title: "Found", start: soon() + 2 * SECOND, durationMs: 15 * SECOND };
      timerId = await home.world.book(show, home.deviceId);
      await before.until(timerId, ({ state }) => state === "planned");
      if (how !== "deleted")
        for (const name of await documentsIn(data)) await cp(join(data, name), join(earlier, name));
      await before.until(timerId, ({ state }) => state === "recording");
    }
    for (const name of await documentsIn(data)) await rm(join(data, name));
    await cp(earlier, data, { recursive: true });

    await using after = await inProcess(folder.path, home, { tuners });
    const { state, attempts, evidence } = await after.until(timerId, ({ state }) => isTerminal(state));
    const { gaps, segments } = evidence ?? {};
    expect({ state, attempts: attempts.length, gaps, segments }).toEqual({
      ...{ state: "completed", attempts: 1, gaps: [], segments: 1 },
    });
    expect(after.daemon.snapshot().strays).toBeUndefined();
    await expect.poll(() => readdir(join(after.recordings, ".recorderd"))).toEqual([]);
  },
);

async function documentsIn(data: string): Promise<readonly string[]> {
  return (await readdir(data)).filter((name) => name.startsWith("document.json"));
}
