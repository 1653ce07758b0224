import { expect, it } from "vitest";
import { SIM_REGION } from "../../src/simulator/world.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

it("a series is booked with a warning if no tuner receives a channel of its episodes, and without one otherwise", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 1);
  const start = soon() + 3_600_000;
  const series = ["on", "off"].map((id) => ({ id, summary: { id, title: id }, votes: 0, isNew: false }));
  await home.world.guide.seed({
    regions: [],
    channels: [
      { id: 1, name: "Sim 1", region_id: SIM_REGION },
      { id: 2, name: "Nobody's", region_id: SIM_REGION },
    ],
    manufacturers: [],
    types: [],
    series,
    shows: [
      { id: 1, channelId: 1, seriesId: "on", start, durationMinutes: 30, title: "on" },
      { id: 2, channelId: 2, seriesId: "off", start, durationMinutes: 30, title: "off" },
    ],
  });
  await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
  const { daemon } = recorder;
  while (daemon.reach().length < 2) await pause(20);
  const { warning } = await daemon.guide.series.addRecording({ seriesId: "off" });
  expect(warning).toMatch(/^Booked, but no tuner receives Nobody's: /);
  expect(await daemon.guide.series.addRecording({ seriesId: "on" })).not.toHaveProperty("warning");
});
