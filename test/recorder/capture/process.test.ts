import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kill } from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { findMarked, type MarkedProcess } from "../../../src/kit/process/marked-process.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { CaptureOrder } from "../../../src/model/ports.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { logFile, segmentFile } from "../../../src/recorder/capture/files.ts";
import { keepLogSmall, lastPart } from "../../../src/recorder/capture/segment.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { memoryDisk, NO_MOUNT } from "../../memory-disk.ts";
import { outlivesItsDaemon, run, SERVICE, SHORT, until } from "./capture-contract.ts";
import { portions, ServiceStream, type Station, startStation } from "./station.ts";

const owner = `process-${process.pid}`;
const clock = systemClock();
const parts = { owner, ffmpegPath: "ffmpeg", clock, log: silentLog, openInspection, limits: SHORT };
const capture = createCapture(parts);

let folder: string;
let station: Station;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-process-"));
  station = await startStation({
    good: (_response, air) => air.live(portions(new ServiceStream(SERVICE), Number.POSITIVE_INFINITY)),
    stalls: (_response, air) => air.live(portions(new ServiceStream(SERVICE), 25)),
  });
});
afterAll(async () => {
  await station[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  const left = await processes();
  for (const { pid } of left) kill(pid, "SIGKILL");
  expect(left).toEqual([]);
});

let attempts = 0;
function order(more: Partial<CaptureOrder> = {}): CaptureOrder {
  attempts += 1;
  const id = `r${attempts}.1`;
  const source = { url: station.url("good"), programme: "single" } as const;
  return {
    id,
    source,
    service: SERVICE,
    file: segmentFile(folder, id),
    endsBy: clock.now() + 60_000,
    ...more,
  };
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function processes() {
  return (await findMarked("RECORDERD_CAPTURE")).filter(({ mark }) => mark.startsWith(`${owner}/`));
}

async function killWhere(isMeant: (process: MarkedProcess) => boolean): Promise<void> {
  const found = (await processes()).filter(isMeant);
  expect(found.length).toBe(1);
  for (const { pid } of found) kill(pid, "SIGKILL");
}

describe("a capture process", () => {
  it("R-34 survives a killed daemon without losing a byte", async () => {
    const sent = () => station.sent("good");
    await outlivesItsDaemon(capture, { folder, order: order(), parts: { owner, limits: SHORT }, sent });
  });

  it("inherits no environment, and shows no secret in its arguments", async () => {
    const good = order();
    process.env["NOTIFY_SOCKET"] = "/run/secret";
    await capture.start(good);
    delete process.env["NOTIFY_SOCKET"];
    const found = await processes();
    expect(found.length).toBeGreaterThan(0);
    for (const { pid } of found) {
      const environment = (await readFile(`/proc/${pid}/environ`, "utf8"))
        .split("\0")
        .filter((each) => each !== "");
      expect(environment.map((each) => each.split("=")[0]).sort()).toEqual([
        "AV_LOG_FORCE_NOCOLOR",
        "LC_ALL",
        "PATH",
        "RECORDERD_CAPTURE",
      ]);
    }
    expect((await stat(logFile(good.file))).mode & 0o777).toBe(0o600);
    await capture.stop(good.id);
  });

  it("ends when killed, and its file stays", async () => {
    const good = order();
    const { flowing, end } = await run(capture, good);
    await flowing();
    await killWhere(({ isGroupLeader }) => !isGroupLeader);
    expect(await end).toMatchObject({ cause: "CAPTURE_DIED" });
    expect((await stat(good.file)).size).toBeGreaterThan(0);
  });

  it("is found, watched and ended even if its leader was killed", async () => {
    const good = order();
    const { flowing, end } = await run(capture, good);
    await flowing();
    await killWhere(({ isGroupLeader }) => isGroupLeader);
    expect(await capture.running()).toEqual(new Set([good.id]));
    const { size } = await stat(good.file);
    await until(async () => (await stat(good.file)).size > size + 50_000);
    await capture.stop(good.id);
    expect(await end).toMatchObject({ cause: "asked" });
  });

  it("is asked repeatedly to close its file if its source hangs, and not killed", async () => {
    const source = { url: station.url("stalls"), programme: "single" } as const;
    const stalls = order({ source });
    await capture.start(stalls);
    const whole = () => station.sent("stalls").length;
    await until(async () => whole() > 200_000 && (await sizeOf(stalls.file)) === whole());
    await capture.stop(stalls.id);
    expect(await readFile(logFile(stalls.file), "utf8")).toContain("Exiting normally, received signal 2");
  });

  it("is killed if it ignores every request", async () => {
    const stubborn = join(folder, "stubborn");
    await writeFile(stubborn, "#!/bin/sh\ntrap '' INT\nwhile :; do sleep 0.05; done\n");
    await chmod(stubborn, 0o755);
    const deaf = createCapture({ ...parts, ffmpegPath: stubborn, limits: { ...SHORT, stopPatienceMs: 200 } });
    const good = order();
    await deaf.start(good);
    await deaf.stop(good.id);
    expect(await deaf.running()).toEqual(new Set());
  });

  it("cannot start without ffmpeg, and the message names the searched places", async () => {
    const without = createCapture({ ...parts, ffmpegPath: "/nowhere/ffmpeg" });
    await expect(without.start(order())).rejects.toMatchObject({
      code: "FFMPEG_MISSING",
      message: expect.stringContaining("/nowhere/ffmpeg"),
    });
  });

  /** Sooner than its source ends, after a minute: until then it grows. */
  it("ends with WRITE_FAILED if its file is removed", { timeout: 45_000 }, async () => {
    const good = order();
    const { flowing, end } = await run(capture, good);
    await flowing();
    await rm(good.file);
    expect(await end).toMatchObject({ cause: "WRITE_FAILED" });
  });

  it("R-32 ends with STORAGE_OFFLINE if its disk disappears", async () => {
    const disk = join(folder, "disk");
    await mkdir(disk);
    const good = order({ file: segmentFile(disk, "r0.1") });
    const { flowing, end } = await run(capture, good);
    await flowing();
    await rm(disk, { recursive: true });
    expect(await end).toMatchObject({ cause: "STORAGE_OFFLINE" });
  });
});

describe("R-07 a full disk ends a capture with DISK_FULL, whatever the exit code of ffmpeg", () => {
  it.for([
    ["that fills up", 0, 1],
    ["that was full before, with no room for a complaint", 1024 * 1024, 0],
  ] as const)("a disk %s", async ([_what, filledBytes, flowing], context) => {
    const disk = await mkdtemp(join(folder, "small-"));
    await using mounted = memoryDisk(disk, "1m");
    if (mounted === undefined) return context.skip(NO_MOUNT);
    await writeFile(join(disk, "other"), Buffer.alloc(filledBytes)).catch(() => {});
    const { end, flows } = await run(capture, order({ file: segmentFile(disk, `r${filledBytes}.1`) }));
    expect(await end).toMatchObject({ cause: "DISK_FULL" });
    expect(flows()).toBe(flowing);
  });
});

describe("the log of a running capture", () => {
  it("is emptied when it grows too large, and continues", async () => {
    const log = join(folder, "grown.log");
    await writeFile(log, "x".repeat(2000));
    await keepLogSmall(log, 1000);
    await appendFile(log, "after");
    await keepLogSmall(log, 1000);
    expect(await readFile(log, "utf8")).toBe("after");
    await keepLogSmall(join(folder, "none.log"), 1000);
  });

  it("is read only from its end", async () => {
    const log = join(folder, "long.log");
    await writeFile(log, `${"x".repeat(200_000)}end`);
    const text = await lastPart(log);
    expect(text.length).toBe(64 * 1024);
    expect(text.endsWith("end")).toBe(true);
    expect(await lastPart(join(folder, "none.log"))).toBe("");
  });
});
