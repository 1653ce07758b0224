import { expect, it } from "vitest";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import type { RuleRequest } from "../../src/web/guide-api.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

const TIDE: RuleRequest = {
  name: "The tide",
  words: "tide",
  quality: "Prefer HD",
  keep: 2,
  priority: 70,
  folder: "Sea",
};

it("a rule of the guide service has a preview with its cost, and its timers follow it at the recorder", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 5);
  const start = soon() + 2 * HOUR;
  // One tuner, and two multiplexes at once: channels 1 and 5.
  const news = await home.world.book(
    { channel: 5, title: "News", start, durationMs: 30 * MINUTE },
    home.deviceId,
  );
  const episode = { seriesId: "s1", episodeId: "s1 1" };
  await home.world.guide.addShow({ channelId: 1, title: "The tide", start, durationMinutes: 30, ...episode });
  await home.world.guide.addShow({
    channelId: 1,
    title: "Low tide",
    start: start + 5 * HOUR,
    durationMinutes: 30,
  });
  await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
  const { daemon } = recorder;
  await recorder.until(news, ({ state }) => state === "planned");
  const { rules } = daemon.guide;
  expect(await rules.all()).toEqual({ rules: [], kept: "service" });

  const displaced = [{ timerId: news, title: "News", start, stop: start + 30 * MINUTE, lostMs: 30 * MINUTE }];
  const preview = await rules.preview({ order: TIDE });
  expect(preview).toMatchObject({ total: 2, records: 2, unidentified: 1, displaced, unplaced: [] });
  expect(preview.needsBytes).toBeGreaterThan(1e9);
  expect(preview.freeBytes).toBeGreaterThan(0);
  const yielding = await rules.preview({ order: { ...TIDE, priority: 10 } });
  expect(yielding).toMatchObject({ displaced: [], unplaced: [{ title: "The tide", start }] });

  // The answer to the order says the same, whether its timers are here already or not.
  const { rule, preview: saved } = await rules.add(TIDE);
  expect(saved).toMatchObject({ displaced, unplaced: [] });
  const ruled = () => daemon.snapshot().recordings.filter((recording) => recording.rule !== undefined);
  while (ruled().length < 2) await pause(20);
  expect(ruled().map((recording) => [recording.rule, recording.priority])).toEqual([
    [{ id: rule.id, keep: 2, priority: 70, folder: "Sea" }, 70],
    [{ id: rule.id, keep: 2, priority: 70, folder: "Sea" }, 70],
  ]);
  expect(await rules.preview({ order: TIDE, replaces: rule.id })).toMatchObject({ displaced, unplaced: [] });
  const [timerId = ""] = ruled().map((recording) => recording.timerId);
  const { lines } = await daemon.history(timerId);
  expect(lines[0]).toMatchObject({ fact: "ordered", facts: { rule: rule.id } });

  await rules.set(rule.id, { ...TIDE, priority: 20 });
  while (ruled().some(({ priority }) => priority !== 20)) await pause(20);
  await expect(rules.add({ ...TIDE, name: "Bad", expression: "(a" })).rejects.toMatchObject({
    code: "GUIDE_NOT_ACCEPTABLE",
    facts: { field: "expression" },
  });
  await rules.delete(rule.id);
  while (ruled().some(({ state }) => state !== "cancelled")) await pause(20);
});
