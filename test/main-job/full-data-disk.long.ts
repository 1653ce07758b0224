import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { STORE_LIMITS } from "../../src/recorder/store/limits.ts";
import { memoryDisk, NO_MOUNT } from "../memory-disk.ts";
import { onSimulator, pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

it("R-07 a full data disk ends neither daemon nor capture, is reported, and clears once there is room", async (context) => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, "daemon");
  await mkdir(data);
  await using disk = memoryDisk(data, "1m");
  if (disk === undefined) return context.skip(NO_MOUNT);
  await using home = await testWorld(folder.path);
  await using recorder = await onSimulator(folder.path, home);
  await recorder.start();
  const show = { channel: 1, title: "Full", start: soon(), durationMs: 9 * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  await recorder.until(timerId, ({ state }) => state === "recording");
  await fill(join(data, "ballast"));
  // Something to decide, which cannot be written down.
  const later = { ...show, title: "Later", start: show.start + 600 * SECOND };
  const laterId = await home.world.book(later, home.deviceId);
  await until(async () => (await recorder.snapshot())?.store?.code === "DISK_FULL");
  // The write that failed gives back what it had taken: the disk is filled again until after the show.
  const over = show.start + show.durationMs + 3 * SECOND;
  for (; Date.now() < over; await pause(100)) await fill(join(data, "ballast"));
  // The last page of a log may have room for one more change.
  expect((await recorder.snapshot())?.recordings).toContainEqual(
    expect.objectContaining({ timerId, state: "recording" }),
  );
  expect(recorder.exitCode).toBeNull();

  await rm(join(data, "ballast"));
  const { state, attempts, evidence } = await recorder.until(timerId, (recording) =>
    isTerminal(recording.state),
  );
  expect({ state, attempts: attempts.length }).toEqual({ state: "completed", attempts: 1 });
  expect(evidence).toMatchObject({ continuityErrors: 0, gaps: [] });
  await recorder.until(laterId, (recording) => recording.state === "planned");
  await until(async () => (await recorder.snapshot())?.store === undefined);
  await until(async () => (await home.world.guide.timerReports(timerId)).at(-1)?.state === "completed");
  expect(recorder.exitCode).toBeNull();
});

it("R-01 R-07 a timer booked while the data disk is full is recorded: a reserve makes room, and is restored later", async (context) => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, "daemon");
  await mkdir(data);
  await using disk = memoryDisk(data, "24m");
  if (disk === undefined) return context.skip(NO_MOUNT);
  await using home = await testWorld(folder.path);
  await using recorder = await onSimulator(folder.path, home);
  await recorder.start();
  const reserve = join(data, "reserve");
  await until(async () => (await sizeOf(reserve)) === STORE_LIMITS.reserveBytes);
  await fill(join(data, "ballast"));
  const show = { channel: 1, title: "Booked late", start: soon(), durationMs: 4 * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  await recorder.until(timerId, ({ state }) => state === "completed");
  expect((await recorder.snapshot())?.store).toMatchObject({ code: "DISK_LOW" });
  expect(await sizeOf(reserve)).toBe(0);

  await rm(join(data, "ballast"));
  await until(async () => (await recorder.snapshot())?.store === undefined);
  expect(await sizeOf(reserve)).toBe(STORE_LIMITS.reserveBytes);
});

/** 0 where there is none. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function fill(file: string): Promise<void> {
  for (const bytes of [64 * 1024, 4096]) {
    try {
      for (;;) await writeFile(file, Buffer.alloc(bytes), { flag: "a" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1800; tries += 1) {
    if (await holds()) return;
    await pause(50);
  }
  throw new Error("it did not come to hold");
}
