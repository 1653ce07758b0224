import { expect, it } from "vitest";
import { findMarked, signalProcess } from "../../src/kit/process/marked-process.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

it("R-28 after the capture host is killed, each recording continues in a new segment and reports its gap", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  const tuners = simTuners(home, 2);
  await using recorder = await inProcess(folder.path, home, { tuners, capture: { engine: "auto" } });
  const start = soon();
  const titles = ["First", "Second"];
  const timers = await Promise.all(
    titles.map((title, index) =>
      home.world.book({ channel: index + 1, title, start, durationMs: 8 * SECOND }, home.deviceId),
    ),
  );
  for (const timer of timers) await recorder.until(timer, ({ state }) => state === "recording");
  await pause(start + 2 * SECOND - Date.now());
  const hosts = (await findMarked("RECORDERD_CAPTURE_HOST")).filter(({ mark }) => mark === recorder.data);
  expect(hosts).toHaveLength(1);
  for (const host of hosts) await signalProcess(host, "SIGKILL");
  for (const timer of timers) {
    const recording = await recorder.until(timer, ({ state }) => isTerminal(state));
    expect(recording.attempts.map(({ cause }) => cause)).toEqual(["CAPTURE_DIED", "asked"]);
    expect(recording.evidence).toMatchObject({ kept: [1, 2], segments: 2, continuityErrors: 0 });
    expect(recording.evidence?.gaps).toHaveLength(1);
  }
});
