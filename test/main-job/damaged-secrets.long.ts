import { chmod, readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { askDaemon } from "../../src/recorder/api/ask.ts";
import { secretsFile } from "../../src/recorder/config/secrets.ts";
import { outOfPatience } from "../patience.ts";
import { onSimulator, soon, temporaryFolder, testWorld } from "./recorder.ts";

it("R-01 R-39 a recorder with damaged secrets records its plan, reports the fault, and sends reports after the repair", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  await using recorder = await onSimulator(folder.path, home);
  await recorder.start();
  const show = { channel: 1, title: "Known", start: soon() + 6 * SECOND, durationMs: 4 * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  await recorder.until(timerId, ({ state }) => state === "planned");
  await recorder.stop();

  const file = secretsFile(recorder.data);
  const whole = await readFile(file, "utf8");
  const damaged = `${whole}account: [`;
  await writeFile(file, damaged);
  recorder.launch();
  await recorder.until(timerId, ({ state }) => isTerminal(state));
  const { secrets, guide } = (await recorder.snapshot()) ?? {};
  expect(secrets).toMatchObject({ code: "CONFIG_INVALID", usesEarlier: false });
  expect(guide).toMatchObject({ signInNeeded: false, failure: { text: expect.stringContaining(file) } });
  expect(await readiness(recorder.socket)).toEqual({ status: "ready", lacks: ["secrets"] });
  expect(recorder.said).toContain("the secrets cannot be read");
  expect(await readFile(file, "utf8")).toBe(damaged);

  await writeFile(file, whole);
  await chmod(file, 0o600);
  await expect
    .poll(async () => (await home.world.guide.timerReports(timerId)).at(-1)?.state)
    .toBe("completed");
  await expect.poll(async () => (await recorder.snapshot())?.secrets).toBeUndefined();
  expect(await readiness(recorder.socket)).toEqual({ status: "ready" });
  await recorder.until(timerId, ({ state }) => state === "completed");
});

function readiness(socket: string): Promise<unknown> {
  const parts = { clock: systemClock(), signal: outOfPatience() };
  return askDaemon(socket, { method: "GET", path: "/readyz" }, parts);
}
