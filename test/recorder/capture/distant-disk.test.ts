import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import type { DistantEngine } from "../../../src/recorder/capture/engine.ts";
import { logFile, segmentFile } from "../../../src/recorder/capture/files.ts";
import { formatVerdict } from "../../../src/recorder/capture/host/verdict.ts";
import { CAPTURE_LIMITS } from "../../../src/recorder/capture/limits.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { film } from "../../kit/films.ts";

const never = new AbortController().signal;
/** By the numbers of ffmpeg. */
const SERVICE = { onid: 0xff01, tsid: 1, sid: 1 };

/** Watches a capture on another node whose disk was full when it ended. @returns the cause */
async function causeOf({ hasOwnDisks }: Pick<DistantEngine, "hasOwnDisks">): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-distant-"));
  const file = segmentFile(folder, "r1.1");
  await mkdir(join(folder, ".recorderd"));
  await film(file);
  await writeFile(
    logFile(file),
    formatVerdict({ complaint: "DISK_FULL", closed: true, signalled: false, lastWords: "" }),
  );
  const running = new Set(["r1.1"]);
  const distant: DistantEngine = {
    hasOwnDisks,
    takes: () => true,
    start: async () => {},
    ids: async () => running,
    isRunning: async (id) => running.has(id),
    end: async () => {},
    whyLost: () => undefined,
  };
  const capture = createCapture({
    ...{ owner: folder, ffmpegPath: "ffmpeg", clock: systemClock(), log: silentLog, limits: CAPTURE_LIMITS },
    openInspection,
    elsewhere: () => distant,
  });
  try {
    const onFlowing = () => running.clear();
    const order = { id: "r1.1", service: SERVICE, file, onFlowing, onDoubt: () => {}, onEvents: () => {} };
    return (await capture.watch(order, never)).cause;
  } finally {
    await rm(folder, { recursive: true });
  }
}

it("a full disk of another node is no reason to give up, as another tuner may record", async () => {
  expect(await causeOf({ hasOwnDisks: true })).toBe("CAPTURE_DIED");
  expect(await causeOf({ hasOwnDisks: false })).toBe("DISK_FULL");
});
