import { appendFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, type TestContext } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { logFile, segmentFile } from "../../../src/recorder/capture/files.ts";
import { startCopy } from "../../../src/recorder/capture/host/copy.ts";
import { Sources } from "../../../src/recorder/capture/host/sources.ts";
import { formatVerdict, readVerdict } from "../../../src/recorder/capture/host/verdict.ts";
import { CAPTURE_LIMITS } from "../../../src/recorder/capture/limits.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { temporaryFolder } from "../../main-job/recorder.ts";
import { run, SERVICE, SHORT, until } from "./capture-contract.ts";
import { type LosingDisk, losingDisk } from "./losing-disk.ts";
import { portions, ServiceStream, startStation } from "./station.ts";

const clock = systemClock();

/** Its `good` path sends for as long as `isSending` says so, and stays open. */
async function onAir(isSending = () => true) {
  const next = portions(new ServiceStream(SERVICE), Number.POSITIVE_INFINITY);
  return await startStation({
    good: (_response, air) => air.live(() => (isSending() ? next() : new Uint8Array())),
  });
}

function ffmpegCapture(captureSyncMs: number) {
  const limits = { ...SHORT, captureSyncMs };
  const owner = `/lost-writes-${process.pid}`;
  return createCapture({ owner, limits, ffmpegPath: "ffmpeg", clock, log: silentLog, openInspection });
}

function orderIn(folder: string, id: string, url: string) {
  const source = { url, programme: "single" } as const;
  return { id, source, service: SERVICE, file: segmentFile(folder, id), endsBy: clock.now() + 60_000 };
}

/** Skips the test where there can be no such disk. */
async function onLosingDisk(context: TestContext, work: (disk: LosingDisk) => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder();
  const made = await losingDisk(folder.path);
  if (typeof made === "string") return context.skip(made);
  await using disk = made;
  await work(disk);
}

it("R-07 an ffmpeg capture ends if its disk loses writes, which ffmpeg does not see", async (context) => {
  await onLosingDisk(context, async (disk) => {
    await using station = await onAir();
    const order = orderIn(disk.mountPoint, "r1.1", station.url("good"));
    const { flowing, end } = await run(ffmpegCapture(200), order);
    await flowing();
    await disk.loseEndOf(order.file);
    const { cause, text } = await end;
    expect(cause).toBe("WRITE_FAILED");
    expect(text).toContain("EIO");
  });
});

it("R-07 a capture reports lost writes even if it was asked to end meanwhile", async (context) => {
  await onLosingDisk(context, async (disk) => {
    let isSending = true;
    await using station = await onAir(() => isSending);
    const file = join(disk.mountPoint, "segment.ts");
    const source = { url: station.url("good"), programme: "single" } as const;
    const order = {
      id: "r1.1",
      source,
      sid: SERVICE.sid,
      tsid: SERVICE.tsid,
      file,
      endsInMs: 60_000,
      silenceMs: 60_000,
    };
    const sources = new Sources(() => clock.monotonicMs());
    const copy = await startCopy({ ...order, patienceMs: 60_000 }, { sources, clock, onEnded: () => {} });
    const written = async () => {
      copy.look(clock.monotonicMs());
      return (await stat(file)).size;
    };
    await until(async () => (await written()) > 50_000);
    await disk.loseEndOf(file);
    const before = await written();
    await until(async () => (await written()) > before);
    // A disk is not asked during a write.
    isSending = false;
    await until(async () => (await written()) === station.sent("good").length);
    // Asks the disk, and is asked to end before that has answered.
    copy.look(clock.monotonicMs() + CAPTURE_LIMITS.captureSyncMs);
    await copy.stop("requested");
    expect(readVerdict(await readFile(logFile(file), "utf8"))?.complaint).toBe("WRITE_FAILED");
  });
});

it("R-07 a capture that stopped on request reports lost writes", async () => {
  await using folder = await temporaryFolder();
  await using station = await onAir();
  const capture = ffmpegCapture(60_000);
  const order = orderIn(folder.path, "r1.1", station.url("good"));
  const { flowing, end } = await run(capture, order);
  await flowing();
  // The verdict that the capture host leaves.
  const verdict = { complaint: "WRITE_FAILED", closed: true, signalled: false, lastWords: "EIO" } as const;
  await appendFile(logFile(order.file), `\n${formatVerdict(verdict)}`);
  await capture.stop(order.id);
  expect(await end).toMatchObject({ cause: "WRITE_FAILED" });
});
