import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { pcrInstants } from "./pcr.ts";
import { onSimulator, soon, temporaryFolder, testWorld } from "./recorder.ts";

const isDone = ({ state }: Recording) => isTerminal(state);

describe("the recorder with the simulated broadcaster", () => {
  it("R-22 R-23 records two services of one multiplex on one tuner, and the end of one leaves the other whole", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const { world, deviceId } = home;
    await using recorder = await onSimulator(folder.path, home, { tuners: 2 });
    await recorder.start();
    const start = soon();
    const short = await world.book({ channel: 1, title: "Short", start, durationMs: 5 * SECOND }, deviceId);
    const long = await world.book({ channel: 2, title: "Long", start, durationMs: 10 * SECOND }, deviceId);
    await recorder.until(long, ({ state }) => state === "recording");
    await recorder.until(short, ({ state }) => state === "recording");
    const leases = (await recorder.snapshot())?.tuners.map(({ id, recordings }) => [id, recordings.length]);
    expect(leases).toEqual([
      ["sim-1", 2],
      ["sim-2", 0],
    ]);
    const ends = await Promise.all([recorder.until(short, isDone), recorder.until(long, isDone)]);
    for (const { state, attempts, evidence } of ends) {
      expect({ state, attempts: attempts.length, gaps: evidence?.gaps }).toEqual({
        state: "completed",
        attempts: 1,
        gaps: [],
      });
      expect(evidence).toMatchObject({ continuityErrors: 0, transportErrors: 0 });
    }
    expect((await recorder.snapshot())?.tuners.map(({ recordings }) => recordings.length)).toEqual([0, 0]);
  });

  it("has the first packet of the window on disk at its start, and stops within a second after its end", async ({
    annotate,
  }) => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const { world, deviceId } = home;
    await using recorder = await onSimulator(folder.path, home);
    await recorder.start();
    const start = soon();
    const timerId = await world.book({ channel: 1, title: "Sharp", start, durationMs: 4 * SECOND }, deviceId);
    const { window, evidence } = await recorder.until(timerId, isDone);
    // The simulated broadcaster's clock (PCR) is UTC itself: the file says when each of its packets was on the air.
    const { first, last } = pcrInstants(await readFile(evidence?.file ?? ""), window.start);
    await annotate(
      `first packet ${window.start - first} ms before the window, last ${last - window.stop} ms after it`,
    );
    expect(first).toBeLessThanOrEqual(window.start);
    expect(last).toBeGreaterThanOrEqual(window.stop);
    expect(last).toBeLessThanOrEqual(window.stop + SECOND);
  });
});
