import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Facts } from "../../../src/model/errors.ts";
import type { TunerDriver } from "../../../src/model/ports.ts";
import type { Triplet } from "../../../src/model/service.ts";
import { MINUTE } from "../../../src/model/time.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { segmentFile } from "../../../src/recorder/capture/files.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { openTuners, TunerConfig } from "../../../src/recorder/tune/registry.ts";
import { PidWriter, pat } from "../../kit/ts-builder.ts";
import { temporaryFolder } from "../../main-job/recorder.ts";
import { outOfPatience } from "../../patience.ts";
import { SHORT, until, watch } from "../capture/capture-contract.ts";
import { ServiceStream } from "../capture/station.ts";
import { keepsTunerDriverContract } from "./driver-contract.ts";

const ONE: Triplet = { onid: 4112, tsid: 545, sid: 1056 };
/** How long the recorded multiplex in test/fixtures/ts is, about. */
const FIXTURE_MS = 1340;
const clock = systemClock();
const signal = outOfPatience;
const warned: Facts[] = [];
const hear = (_message: string, facts: Facts = {}) => void warned.push(facts);
const log = { debug: hear, info: hear, warn: hear, error: hear };

/** Two seconds of one service. */
function stream(service: Triplet = ONE): Buffer {
  const air = new ServiceStream(service);
  return Buffer.concat(Array.from({ length: 100 }, () => air.next()));
}

async function openFile(path: string): Promise<TunerDriver> {
  const parts = { clock, log, folder: "/nowhere", credentials: () => undefined };
  const [driver] = await openTuners([TunerConfig.parse({ kind: "file", id: "f", path })], parts);
  if (driver === undefined) throw new Error("no driver was opened");
  return driver;
}

keepsTunerDriverContract({
  name: "file",
  config: () => ({ kind: "file", id: "f", path: "/srv/example.ts" }),
  services: [ONE],
  read: (url) => readFile(fileURLToPath(url)),
  build: async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, "a stream.ts");
    await writeFile(path, stream());
    const driver = await openFile(path);
    let isGone = false;
    return {
      get facts() {
        return driver.facts;
      },
      open: (service, aborted) => driver.open(service, aborted),
      async [Symbol.asyncDispose]() {
        await driver[Symbol.asyncDispose]();
        if (!isGone) await folder[Symbol.asyncDispose]();
        isGone = true;
      },
    };
  },
});

it("a file tuner offers the services of the file's PAT, with the names in its SDT", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.ts");
  await writeFile(path, stream());
  await using driver = await openFile(path);
  expect(driver.facts.offers).toEqual([{ triplet: ONE, name: "Station" }]);
});

it("a file without an SDT has the services of its PAT, in original network 0", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.ts");
  const packets = new PidWriter(0).sections(pat(545, { programmes: [[7, 0x100]] }));
  await writeFile(path, Buffer.concat(Array.from({ length: 6 }, () => packets).flat()));
  await using driver = await openFile(path);
  expect(driver.facts.offers).toEqual([{ triplet: { onid: 0, tsid: 545, sid: 7 }, name: "" }]);
});

it("an unreadable file offers nothing, and its services once it is readable", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.ts");
  warned.length = 0;
  await using driver = await openFile(path);
  expect(warned).toMatchObject([{ tunerId: "f", code: "FILE_UNREADABLE" }]);
  expect(driver.facts.offers).toEqual([]);
  await expect(driver.lookAgain?.(signal())).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  await writeFile(path, stream());
  expect(await driver.lookAgain?.(signal())).toBe(true);
  expect(await driver.lookAgain?.(signal())).toBe(false);
  expect(driver.facts.offers).toHaveLength(1);
  await rm(path);
  await expect(driver.open(ONE, signal())).rejects.toMatchObject({ code: "TUNER_UNREACHABLE" });
});

it.each([
  ["text", "no stream\n"],
  ["device", undefined],
])("a %s cannot be played as a file", async (_, content) => {
  await using folder = await temporaryFolder();
  const path = content === undefined ? "/dev/zero" : join(folder.path, "a.ts");
  if (content !== undefined) await writeFile(path, content);
  await using driver = await openFile(path);
  await expect(driver.lookAgain?.(signal())).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
});

it("a recording longer than the file continues without a gap", async () => {
  const path = join(import.meta.dirname, "../../fixtures/ts/rai-dvbt-mux.ts");
  await using driver = await openFile(path);
  const service: Triplet = { onid: 318, tsid: 18_432, sid: 3401 };
  await using session = await driver.open(service, signal());
  await using folder = await temporaryFolder();
  const id = "loop.1";
  const file = segmentFile(folder.path, id);
  const limits = SHORT;
  const capture = createCapture({
    owner: folder.path,
    ffmpegPath: "ffmpeg",
    clock,
    log,
    openInspection,
    limits,
  });
  const order = { id, service, source: session.source, file, endsBy: clock.now() + MINUTE };
  await capture.start(order);
  const { end } = watch(capture, order);
  let hasEnded = false;
  void end.then(() => {
    hasEnded = true;
  });
  const size = async () => (await stat(file).catch(() => undefined))?.size ?? 0;
  await until(async () => hasEnded || (await size()) > 3_000_000);
  await capture.stop(id);
  expect(await end).toMatchObject({ cause: "asked" });
  await using inspection = openInspection(file, service);
  const { streamMs, spans } = await inspection.advance(signal());
  expect(streamMs).toBeGreaterThan(2 * FIXTURE_MS);
  expect(spans).toHaveLength(1);
});
