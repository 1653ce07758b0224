import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { pcrInstants } from "./pcr.ts";
import { soon, temporaryFolder, testWorld } from "./recorder.ts";

it("R-41 an event that overruns is recorded to its end, even if neither guide nor EIT announced it", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  const { world, deviceId } = home;
  await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
  const start = soon();
  const show = { channel: 1, title: "Cup final", start, durationMs: 5 * SECOND };
  const late = await world.book({ ...show, overrunMs: 6 * SECOND }, deviceId);
  const punctual = await world.book({ ...show, channel: 2, title: "News" }, deviceId);
  const ends = await Promise.all(
    [late, punctual].map((timerId) => recorder.until(timerId, ({ state }) => isTerminal(state))),
  );

  const [over, sharp] = ends.map(({ window }) => window.stop - start);
  // The EIT shows it within a second of the event's end; the padding of a second follows.
  expect(over).toBeGreaterThanOrEqual(12 * SECOND);
  expect(over).toBeLessThan(18 * SECOND);
  expect(sharp).toBeLessThan(10 * SECOND);
  for (const { state, evidence, attempts, event, window } of ends) {
    expect({ state, attempts: attempts.length, gaps: evidence?.gaps }).toEqual({
      state: "completed",
      attempts: 1,
      gaps: [],
    });
    // what was ordered is what was ordered.
    expect(event).toEqual({ start, stop: start + 5 * SECOND });
    const { last } = pcrInstants(await readFile(evidence?.file ?? ""), window.stop);
    expect(last).toBeGreaterThanOrEqual(window.stop - 100);
  }
});
