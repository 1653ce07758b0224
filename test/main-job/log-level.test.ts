import { expect, it } from "vitest";
import { onSimulator, temporaryFolder, testWorld } from "./recorder.ts";

it("a daemon says more from one SIGUSR2 on, and less from the next, without a restart", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  await using recorder = await onSimulator(folder.path, home, { more: { log: { level: "error" } } });
  await recorder.start();
  expect(recorder.said).toBe("");
  recorder.signal("SIGUSR2");
  await expect.poll(() => recorder.said, { timeout: 60_000 }).toMatch(/the log says all there is/);
  recorder.signal("SIGUSR2");
  await expect
    .poll(() => recorder.said, { timeout: 60_000 })
    .toMatch(/the log is as log\.level has it again/);
  await recorder.stop();
  expect(recorder.said).not.toMatch(/recorderd ends/);
});
