import { expect, it } from "vitest";
import { SIM_API_KEY } from "../../src/simulator/world.ts";
import { onSimulator, soon, temporaryFolder, testWorld } from "./recorder.ts";

it("a daemon logs more after one SIGUSR2 and less after the next, without a restart", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  await using recorder = await onSimulator(folder.path, home, { more: { log: { level: "error" } } });
  await recorder.start();
  expect(recorder.said).toBe("");
  recorder.signal("SIGUSR2");
  await expect.poll(() => recorder.said).toMatch(/detailed logging is on/);
  recorder.signal("SIGUSR2");
  await expect.poll(() => recorder.said).toMatch(/detailed logging is off/);
  await recorder.stop();
  expect(recorder.said).not.toMatch(/recorderd is stopping/);
});

it("R-39 the debug log describes lists, decisions, tuners and adopted captures, and contains no secret", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  await using recorder = await onSimulator(folder.path, home, { more: { log: { level: "debug" } } });
  await recorder.start();
  const show = { channel: 1, title: "A show", start: soon(), durationMs: 8_000 };
  const timerId = await home.world.book(show, home.deviceId);
  const { id } = await recorder.until(timerId, ({ state }) => state === "recording");
  await recorder.kill();
  await recorder.start();
  await recorder.until(timerId, ({ state }) => state === "completed");
  await recorder.stop();
  const lines = recorder.said
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const ofMessage = (msg: string) => lines.filter((line) => line["msg"] === msg);
  expect(ofMessage("timer list received").at(-1)).toMatchObject({
    level: 20,
    timers: 1,
    malformed: 0,
    heldBefore: 1,
  });
  expect(ofMessage("tuner opened")).toMatchObject([{ attempt: `${id}.1`, tookMs: expect.any(Number) }]);
  expect(ofMessage("watching a capture that survived a restart")).toMatchObject([{ attempt: `${id}.1` }]);
  expect(ofMessage("decided")).toContainEqual(
    expect.objectContaining({ occurrence: "inspected", recordingId: id, commands: "publish" }),
  );
  // Once for each thing that happens, not for each look.
  const others = lines.filter(({ level, msg }) => level === 20 && msg !== "timer list received");
  expect(others.length).toBeLessThan(100);
  for (const secret of [home.token, SIM_API_KEY, home.world.account.email, home.world.account.password]) {
    expect(recorder.said).not.toContain(secret);
  }
});
