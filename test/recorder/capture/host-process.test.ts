import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kill } from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { findMarked } from "../../../src/kit/process/marked-process.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { CaptureOrder } from "../../../src/model/ports.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { logFile, segmentFile } from "../../../src/recorder/capture/files.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { memoryDisk, NO_MOUNT } from "../../memory-disk.ts";
import { outlivesItsDaemon, run, SERVICE, SHORT, until } from "./capture-contract.ts";
import { HOST_PROGRAM, patientWithHost } from "./host.ts";
import { portions, ServiceStream, type Station, startStation } from "./station.ts";

const clock = systemClock();

let folder: string;
let station: Station;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-host-process-"));
  station = await startStation({
    good: (_response, air) => air.live(portions(new ServiceStream(SERVICE), Number.POSITIVE_INFINITY)),
    ends: (response, air) => air.live(portions(new ServiceStream(SERVICE), 60), () => response.end()),
    locked: (response) => response.writeHead(401, { "www-authenticate": 'Basic realm="tv"' }).end(),
  });
});
afterAll(async () => {
  await station[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const { pid } of await hosts()) kill(pid, "SIGKILL");
  // One that is still dying would be taken for one of the next test.
  await until(async () => (await hosts()).length === 0);
});

function captureOf({
  version = "1",
  answerMs = SHORT.hostAnswerMs,
  use = "host",
}: {
  readonly version?: string;
  readonly answerMs?: number;
  readonly use?: "auto" | "host";
} = {}) {
  return createCapture({
    owner: folder,
    ffmpegPath: "/nowhere/ffmpeg",
    clock,
    log: silentLog,
    openInspection,
    limits: { ...patientWithHost(SHORT), hostAnswerMs: answerMs },
    host: { folder, program: HOST_PROGRAM, version, use },
  });
}

async function hosts() {
  return (await findMarked("RECORDERD_CAPTURE_HOST")).filter(({ mark }) => mark === folder);
}

async function pidOfHost(): Promise<number> {
  const [host, ...others] = await hosts();
  expect(others).toEqual([]);
  return host?.pid ?? 0;
}

let attempts = 0;
function order(path = "good", more: Partial<CaptureOrder> = {}): CaptureOrder {
  attempts += 1;
  const id = `r${attempts}.1`;
  const source = { url: station.url(path), programme: "single" } as const;
  return {
    id,
    source,
    service: SERVICE,
    file: segmentFile(folder, id),
    endsBy: clock.now() + 60_000,
    ...more,
  };
}

describe("the capture host", () => {
  it("writes exactly the bytes received over HTTP", async () => {
    const one = order("ends");
    expect(await (await run(captureOf(), one)).end).toMatchObject({ cause: "STREAM_ENDED" });
    expect((await readFile(one.file)).equals(station.sent("ends"))).toBe(true);
  });

  it("R-34 survives a killed daemon without losing a byte", async () => {
    const host = { folder, program: HOST_PROGRAM, version: "1", use: "host" };
    const sent = () => station.sent("good");
    await outlivesItsDaemon(captureOf(), {
      folder,
      order: order(),
      parts: { owner: folder, limits: SHORT, host },
      sent,
    });
  });

  it("is ready before the first request if it was started ahead", async () => {
    const capture = captureOf();
    await capture.makeReady?.();
    const ready = await pidOfHost();
    expect(ready).toBeGreaterThan(0);
    const one = order();
    const { flowing } = await run(capture, one);
    await flowing();
    expect(await pidOfHost()).toBe(ready);
    await capture.stop(one.id);
  });

  it("is not started ahead if the last capture did not use it", async () => {
    const capture = captureOf({ use: "auto" });
    await expect(
      capture.start(order("good", { source: { url: "rtsp://127.0.0.1:9/", programme: "single" } })),
    ).rejects.toMatchObject({ code: "FFMPEG_MISSING" });
    await capture.makeReady?.();
    expect(await hosts()).toEqual([]);
  });

  it("ends with all its captures when killed; their files stay, and the next start brings it back", async () => {
    const capture = captureOf();
    const orders = [order(), order()];
    const runs = await Promise.all(orders.map((each) => run(capture, each)));
    for (const { flowing } of runs) await flowing();
    const first = await pidOfHost();
    kill(first, "SIGKILL");
    for (const { end } of runs) expect(await end).toMatchObject({ cause: "CAPTURE_DIED" });
    for (const { file } of orders) expect((await stat(file)).size).toBeGreaterThan(0);
    expect(await capture.running()).toEqual(new Set());

    const again = order();
    const { flowing, end } = await run(capture, again);
    await flowing();
    expect(await pidOfHost()).not.toBe(first);
    await capture.stop(again.id);
    expect(await end).toMatchObject({ cause: "asked" });
  });

  it("closes every segment on request, and reports that reason", async () => {
    const capture = captureOf();
    const good = order();
    const { flowing, end } = await run(capture, good);
    await flowing();
    kill(await pidOfHost(), "SIGTERM");
    expect(await end).toMatchObject({
      cause: "CAPTURE_DIED",
      text: expect.stringContaining("stopped by another program"),
    });
    await until(async () => (await hosts()).length === 0);
    expect(await readdir(folder)).not.toContain("capture-host.sock");
  });

  it("is killed if it hangs when needed, and a new one takes its place", async () => {
    const { flowing } = await run(captureOf(), order());
    await flowing();
    const hanging = await pidOfHost();
    kill(hanging, "SIGSTOP");
    // The same limit holds for the new host, which a busy machine starts slowly.
    await captureOf({ answerMs: 10_000 }).start(order());
    expect(await pidOfHost()).not.toBe(hanging);
  });

  it("of an earlier version continues while it has captures, and is replaced afterwards", async () => {
    const before = captureOf({ version: "1" });
    const good = order();
    await before.start(good);
    const first = await pidOfHost();
    const after = captureOf({ version: "2" });
    const more = order();
    await after.start(more);
    expect(await pidOfHost()).toBe(first);
    for (const { id } of [good, more]) await after.stop(id);
    await after.start(order());
    expect(await pidOfHost()).not.toBe(first);
  });

  it("with another protocol is ended", async () => {
    const other = join(folder, "other.mjs");
    await writeFile(
      other,
      `import { createServer } from "node:net";
       import { rmSync } from "node:fs";
       const path = process.argv[2] + "/capture-host.sock";
       rmSync(path, { force: true });
       const hello = JSON.stringify({ type: "hello", protocol: 99, version: "1", running: ["r0.1"] });
       createServer((socket) => socket.on("error", () => {}).write(hello + "\\n")).listen(path, () => process.stdout.write("up"));`,
    );
    const env = { RECORDERD_CAPTURE_HOST: folder };
    const child = spawn(process.execPath, [other, folder], { env, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const gone = once(child, "exit");
    const capture = captureOf();
    expect(await capture.running()).toEqual(new Set());
    expect(await gone).toEqual([null, "SIGINT"]);
    const good = order();
    const { flowing } = await run(capture, good);
    await flowing();
    await capture.stop(good.id);
  });

  it("R-39 has no secret in its arguments, its environment, its log and the log of a capture", async () => {
    const url = station.url("locked?token=sesame").replace("//", "//anna:open@");
    const one = order("locked", { source: { url, programme: "single" } });
    process.env["NOTIFY_SOCKET"] = "/run/secret";
    const { end } = await run(captureOf(), one);
    delete process.env["NOTIFY_SOCKET"];
    const { cause, text } = await end;
    expect(cause).toBe("TUNER_CREDENTIALS_WRONG");
    const pid = await pidOfHost();
    const environment = await readFile(`/proc/${pid}/environ`, "utf8");
    expect(environment).not.toContain("NOTIFY_SOCKET");
    const seen = [
      text,
      environment,
      await readFile(`/proc/${pid}/cmdline`, "utf8"),
      await readFile(join(folder, "capture-host.log"), "utf8"),
      await readFile(logFile(one.file), "utf8"),
    ];
    for (const each of seen) expect(each).not.toMatch(/anna|open@|sesame/);
    const sides = [join(folder, "capture-host.sock"), join(folder, "capture-host.log"), logFile(one.file)];
    for (const side of sides) expect((await stat(side)).mode & 0o077).toBe(0);
  });

  it("R-07 ends only the capture whose disk is full, with DISK_FULL", async (context) => {
    const disk = await mkdtemp(join(folder, "small-"));
    await using mounted = memoryDisk(disk, "1m");
    if (mounted === undefined) return context.skip(NO_MOUNT);
    const capture = captureOf();
    const good = order();
    const sound = await run(capture, good);
    const full = await run(capture, order("good", { file: segmentFile(disk, "r0.1") }));
    expect(await full.end).toMatchObject({ cause: "DISK_FULL" });
    expect(full.flows()).toBe(1);
    const { size } = await stat(good.file);
    await until(async () => (await stat(good.file)).size > size + 50_000);
    await capture.stop(good.id);
    expect(await sound.end).toMatchObject({ cause: "asked" });
  });
});
