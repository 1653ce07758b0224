import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kill } from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { findMarked } from "../../../src/kit/process/marked-process.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { createCapture, type HostedCapture } from "../../../src/recorder/capture/capture.ts";
import { segmentFile } from "../../../src/recorder/capture/files.ts";
import { HOST_LIMITS } from "../../../src/recorder/capture/host/limits.ts";
import { HOST_MARK } from "../../../src/recorder/capture/host/protocol.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { run, SERVICE, SHORT } from "./capture-contract.ts";
import { HOST_PROGRAM, patientWithHost } from "./host.ts";
import { portions, ServiceStream, type Station, startStation } from "./station.ts";

const clock = systemClock();
let folder: string;
let station: Station;
let warnings: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-host-fallback-"));
  station = await startStation({
    good: (_response, air) => air.live(portions(new ServiceStream(SERVICE), Number.POSITIVE_INFINITY)),
  });
});
afterAll(async () => {
  await station[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const { pid } of await hosts()) kill(pid, "SIGKILL");
  warnings = [];
});

async function hosts() {
  return (await findMarked(HOST_MARK)).filter(({ mark }) => mark === folder);
}

function captureOf(use: "auto" | "host", program = HOST_PROGRAM): HostedCapture {
  return createCapture({
    owner: folder,
    ffmpegPath: "ffmpeg",
    clock,
    log: { ...silentLog, warn: (text) => void warnings.push(text) },
    openInspection,
    limits: patientWithHost(SHORT),
    host: { folder, program, version: "1", use },
  });
}

let attempts = 0;
/** Begins a capture; who runs it, once it flows. @param path of the station; each query is another source */
async function begun(capture: HostedCapture, path = "good") {
  attempts += 1;
  const id = `r${attempts}.1`;
  const source = { url: station.url(path), programme: "single" } as const;
  const endsBy = clock.now() + 60_000;
  const order = { id, source, service: SERVICE, file: segmentFile(folder, id), endsBy };
  const { flowing, end } = await run(capture, order);
  await flowing();
  const ffmpegs = (await findMarked("RECORDERD_CAPTURE")).map(({ mark }) => mark);
  return { id, end, by: ffmpegs.includes(`${folder}/${id}`) ? "ffmpeg" : "host" };
}

describe("with capture.engine auto", () => {
  it("ffmpeg records if the capture host cannot start, with a notice", async () => {
    const capture = captureOf("auto", join(folder, "gone.js"));
    const one = await begun(capture);
    expect(one.by).toBe("ffmpeg");
    expect(warnings).toEqual([expect.stringContaining("cannot be used")]);
    await capture.stop(one.id);
    // Not tried again for each.
    const two = await begun(capture);
    expect({ by: two.by, warnings: warnings.length }).toEqual({ by: "ffmpeg", warnings: 1 });
    await capture.stop(two.id);
    for (const { end } of [one, two]) expect(await end).toMatchObject({ cause: "asked" });
  });

  it("ffmpeg records after the capture host died repeatedly", async () => {
    const capture = captureOf("auto");
    for (let death = 1; death <= HOST_LIMITS.deaths; death += 1) {
      const { by, end } = await begun(capture, `good?${death}`);
      expect(by).toBe("host");
      for (const { pid } of await hosts()) kill(pid, "SIGKILL");
      expect(await end).toMatchObject({ cause: "CAPTURE_DIED" });
    }
    expect(warnings.at(-1)).toContain("died several times");
    const next = await begun(capture);
    expect(next.by).toBe("ffmpeg");
    await capture.stop(next.id);
    expect(await next.end).toMatchObject({ cause: "asked" });
  });

  it("a source that several hosts read when they died is isolated, and others stay with the host", async () => {
    const capture = captureOf("auto");
    for (let death = 1; death <= HOST_LIMITS.sourceDeaths; death += 1) {
      const { by, end } = await begun(capture);
      expect(by).toBe("host");
      for (const { pid } of await hosts()) kill(pid, "SIGKILL");
      expect(await end).toMatchObject({ cause: "CAPTURE_DIED" });
    }
    expect(warnings.at(-1)).toContain("reading the same sources");
    const apart = await begun(capture);
    const other = await begun(capture, "good?other");
    expect({ apart: apart.by, other: other.by }).toEqual({ apart: "ffmpeg", other: "host" });
    for (const { id, end } of [apart, other]) {
      await capture.stop(id);
      expect(await end).toMatchObject({ cause: "asked" });
    }
  });

  it("a host without captures is ended, one with captures is not", async () => {
    const capture = captureOf("auto");
    const { id, end } = await begun(capture);
    await capture.dismissHost();
    expect(await hosts()).toHaveLength(1);
    await capture.stop(id);
    expect(await end).toMatchObject({ cause: "asked" });
    await capture.dismissHost();
    expect(await hosts()).toEqual([]);
    expect(await readdir(folder)).not.toContain("capture-host.sock");
  });
});

describe("with capture.engine host", () => {
  it("a host that cannot start is a failure, with its message", async () => {
    const gone = join(folder, "gone.js");
    await expect(begun(captureOf("host", gone))).rejects.toMatchObject({
      code: "CAPTURE_NOT_STARTED",
      message: expect.stringMatching(/did not start: Error: Cannot find module .*gone\.js/),
    });
  });
});
