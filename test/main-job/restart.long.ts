import { appendFile, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { onSimulator, pause, Recorder, soon, temporaryFolder, testWorld } from "./recorder.ts";

const RANK: Readonly<Record<string, number>> = { waiting: 0, running: 1, completed: 2, failed: 2 };

describe("a daemon killed during a recording", () => {
  it("R-08 R-34 adopts its capture after the restart: no packet is missing, and no state goes back", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const { world, deviceId } = home;
    const recordings = {
      folder: join(folder.path, "recordings"),
      padding: { beforeSeconds: 1, afterSeconds: 1 },
      name: "{title}[ S{season}E{episode}][ - {subtitle}] - {start}",
    };
    await using recorder = await onSimulator(folder.path, home, { more: { recordings } });
    await recorder.start();
    const start = soon();
    const about = { subtitle: "The raft", desc: "S2 Ep5. Ten are left.", seriesId: "77" };
    const timerId = await world.book(
      { channel: 1, title: "Survivor", start, durationMs: 12 * SECOND, about },
      deviceId,
    );
    await recorder.until(timerId, ({ state }) => state === "recording");
    await recorder.kill();
    await pause(5 * SECOND);
    await recorder.start();
    const { state, evidence, attempts } = await recorder.until(
      timerId,
      (recording) => isTerminal(recording.state) && recording.sidecarDue === undefined,
    );

    expect({ state, attempts: attempts.length }).toEqual({ state: "completed", attempts: 1 });
    expect(evidence).toMatchObject({ segments: 1, continuityErrors: 0, gaps: [] });
    const path = evidence?.file ?? "";
    expect(basename(path)).toMatch(/^Survivor S02E05 - The raft - .*\.ts$/);
    const nfo = await readFile(path.replace(/\.ts$/, ".nfo"), "utf8");
    expect(nfo).toContain("<episodedetails>");
    expect(nfo).toContain("<season>2</season>");
    await using file = openInspection(path, undefined);
    const inspection = await file.advance(new AbortController().signal);
    expect(inspection).toMatchObject({ continuityErrors: 0, junkBytes: 0, clockBreaks: [] });
    expect(inspection.spans).toHaveLength(1);
    await until(async () =>
      (await world.guide.timerReports(timerId)).some((told) => told.state === "completed"),
    );
    const states = (await world.guide.timerReports(timerId)).flatMap((told) =>
      told.state === undefined ? [] : [told.state],
    );
    expect(states).toEqual([...states].sort((a, b) => (RANK[a] ?? 0) - (RANK[b] ?? 0)));
    expect([...new Set(states)]).toEqual(["waiting", "running", "completed"]);
  });

  it("R-01 reports recordings missed meanwhile as failed, and names the outage", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const { world, deviceId } = home;
    await using recorder = await onSimulator(folder.path, home, { paddingSeconds: 0 });
    await recorder.start();
    const start = soon();
    const timerId = await world.book(
      { channel: 1, title: "Missed", start, durationMs: 1 * SECOND },
      deviceId,
    );
    await recorder.until(timerId, ({ state }) => state === "planned");
    await recorder.kill();
    await pause(start + 2 * SECOND - Date.now());
    await recorder.start();
    await recorder.until(timerId, ({ state }) => state === "missed");
    await until(async () =>
      (await world.guide.timerReports(timerId)).some((told) => told.state === "failed"),
    );
    expect((await world.guide.timerReports(timerId)).at(-1)?.message).toMatch(
      /^Not recorded: the recorder was off \d\d:\d\d/,
    );
  });
});

it("a daemon that is asked to end while it reloads its configuration ends", async () => {
  await using folder = await temporaryFolder();
  const nobody = { world: { guideUrl: "http://127.0.0.1:9" }, token: "none", deviceId: 1 };
  const tuners = [{ kind: "mock", id: "sim-1", broadcaster: "http://127.0.0.1:9" }];
  await using recorder = await Recorder.install({ folder: folder.path, home: nobody, tuners });
  recorder.launch();
  await expect.poll(() => recorder.said).toContain("recorderd is running");
  await appendFile(recorder.config, "log:\n  level: debug\n");
  recorder.signal("SIGHUP");
  await expect.poll(() => recorder.said).toContain("this change takes effect now");
  await recorder.stop();
  expect(recorder.said).not.toContain('"level":60');
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds()) return;
    await pause(50);
  }
  throw new Error("it did not come to hold");
}
