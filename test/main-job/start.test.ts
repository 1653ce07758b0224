import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { pause, Recorder, temporaryFolder } from "./recorder.ts";

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, "../../dist/main.js");

it.concurrent("an invalid configuration is refused with every mistake, its path and the expected value; nothing starts", async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, "data");
  await mkdir(data);
  const config = join(folder.path, "recorderd.yaml");
  await writeFile(
    config,
    [
      "guide: { url: ftp://guide.example, regionId: one }",
      `recordings: { folder: recordings, completeFrom: 98, paddin: {} }`,
      "tuners:",
      "  - { kind: url, id: roof, services: [{ service: 318/18432, url: http://127.0.0.1/, programme: both }] }",
      "  - { kind: dvbx, id: stick }",
      `data: { folder: ${data} }`,
      `control: { socket: ${join(folder.path, "control.sock")} }`,
    ].join("\n"),
  );
  const failed = await run(process.execPath, [MAIN, "run", "--config", config]).then(
    () => undefined,
    (error: { code: number; stderr: string; stdout: string }) => error,
  );
  expect(failed?.code).toBe(78);
  expect(failed?.stdout).toBe("");
  for (const path of [
    "guide.url",
    "guide.regionId",
    "recordings.folder",
    "recordings.completeFrom",
    "paddin",
    "tuners[0].services[0].service",
    "tuners[0].services[0].programme",
    "tuners[1].kind",
  ]) {
    expect(failed?.stderr).toContain(path);
  }
  expect(failed?.stderr).toMatch(/single.*multi/);
  expect(await readdir(data)).toEqual([]);
});

it.concurrent("R-44 a guide service that is unreachable at the start is reported, retried, and used once it answers", async () => {
  await using folder = await temporaryFolder();
  const clock = systemClock();
  const parts = { dataFolder: join(folder.path, "guide"), clock, log: silentLog, apiKey: "simulator" };
  // An address at which nothing listens, because its server has just gone.
  const port = await (async () => {
    await using first = await openGuideServer(parts);
    const region = { id: 1, name: "Anywhere", timezone: "UTC" };
    await first.seed({
      regions: [region],
      channels: [{ id: 1, name: "One", region_id: 1 }],
      manufacturers: [],
      types: [],
      series: [],
      shows: [],
    });
    return Number(new URL((await first.listen({ host: "127.0.0.1", port: 0 })).baseUrl).port);
  })();
  await using recorder = await Recorder.install({
    folder: folder.path,
    home: { world: { guideUrl: `http://127.0.0.1:${port}` }, token: "of nobody", deviceId: 1 },
    tuners: [{ kind: "mock", id: "sim-1", broadcaster: "http://127.0.0.1:9" }],
  });
  recorder.launch();
  const failure = await until(async () => (await recorder.snapshot())?.guide.failure);
  expect(failure).toMatchObject({ code: "GUIDE_UNREACHABLE" });
  await using guide = await openGuideServer(parts);
  await guide.listen({ host: "127.0.0.1", port });
  // It answers now, if only with a refusal: the recorder must sign in.
  const needed = await until(async () => (await recorder.snapshot())?.guide.signInNeeded || undefined);
  expect(needed).toBe(true);
});

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(50);
  }
  throw new Error("it did not come to pass");
}
