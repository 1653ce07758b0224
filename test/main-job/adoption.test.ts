import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { attemptId } from "../../src/model/attempt.ts";
import type { Capture } from "../../src/model/ports.ts";
import { SECOND } from "../../src/model/time.ts";
import { CAPTURE_LIMITS } from "../../src/recorder/capture/limits.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { captureOf } from "../../src/recorder/wiring/captures.ts";
import { commandLine } from "../cli/command-line.ts";
import { HOST_PROGRAM } from "../recorder/capture/host.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { soon, temporaryFolder, testWorld } from "./recorder.ts";

it("R-29 R-34 the recorder ends a capture of an unknown recording at its start, and keeps and lists the file", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  const tuners = simTuners(home, 1);
  const show = { channel: 1, title: "Lost", start: soon(), durationMs: 60 * SECOND };
  let id = "";
  let data = "";
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
    const timerId = await home.world.book(show, home.deviceId);
    const recording = await before.until(timerId, ({ state }) => state === "recording");
    id = attemptId(recording.id, recording.attempts.length);
    data = before.data;
  }
  const isRunning = async () => (await capture?.running())?.has(id);
  expect(await isRunning()).toBe(true);
  for (const name of await readdir(data)) {
    if (name.startsWith("document.json")) await rm(join(data, name));
  }

  await using after = await inProcess(folder.path, home, { tuners });
  await expect.poll(() => after.daemon.snapshot().strays).toMatchObject([{ attemptId: id }]);
  await expect.poll(isRunning).toBe(false);
  expect((await stat(join(after.recordings, ".recorderd", `${id}.ts.part`))).size).toBeGreaterThan(0);
  const { out } = await commandLine(["status", "--socket", join(folder.path, "control.sock")]);
  expect(out).toMatch(new RegExp(`belonged to no recording:\\n  ${id}, ended at .*${id}\\.ts\\.part`));
});
