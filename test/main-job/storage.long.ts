import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { commandLine } from "../cli/command-line.ts";
import { IS_LONG } from "../lane.ts";
import { NO_MOUNT } from "../memory-disk.ts";
import { type InProcess, inProcess, simTuners } from "./in-process.ts";
import { pause, soon, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";
import { smallDisk } from "./small-disk.ts";

const clock = systemClock();

/** Marks far below the space of these disks, so that the tests reach the end of the file systems themselves. */
const UNMARKED = { space: { lowBytes: 0, stopBytes: 0 } };

/** A recorder that has its timers from the service. */
async function started(
  folder: string,
  home: TestWorld,
  { tuners = 1, ...more }: { readonly tuners?: number } & Readonly<Record<string, unknown>>,
): Promise<InProcess> {
  const recorder = await inProcess(folder, home, { tuners: simTuners(home, tuners), ...more });
  await until(() => recorder.daemon.snapshot().guide.lastGoodAt !== undefined);
  return recorder;
}

it.concurrent("R-07 a full disk ends the recording as failed with that reason, and the recorded part stays whole", async (context) => {
  await using folder = await temporaryFolder();
  await using disk = await smallDisk(folder.path, 2);
  if (disk === undefined) return context.skip(NO_MOUNT);
  await using home = await testWorld(folder.path);
  await using recorder = await started(folder.path, home, UNMARKED);
  const show = { channel: 1, title: "Too long", start: soon(), durationMs: 60 * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  const { state, evidence, trouble } = await recorder.until(timerId, (each) => isTerminal(each.state));

  expect(state).toBe("partial");
  expect(trouble?.code).toBe("DISK_FULL");
  await until(async () =>
    (await home.world.guide.timerReports(timerId)).some((told) => told.state === "failed"),
  );
  expect((await home.world.guide.timerReports(timerId)).at(-1)?.message).toContain("The disk is full.");
  await using file = openInspection(evidence?.file ?? "", undefined);
  const { bytes, continuityErrors, junkBytes } = await file.advance(new AbortController().signal);
  expect({ continuityErrors, junkBytes }).toEqual({ continuityErrors: 0, junkBytes: 0 });
  expect(bytes).toBeGreaterThan(1_000_000);
});

it.concurrent("R-31 the stop mark closes a recording before the disk is full, and status shows the reserved space", {
  skip: !IS_LONG,
}, async (context) => {
  await using folder = await temporaryFolder();
  await using disk = await smallDisk(folder.path, 8);
  if (disk === undefined) return context.skip(NO_MOUNT);
  await using home = await testWorld(folder.path);
  const space = { lowBytes: 7_500_000, stopBytes: 7_000_000 };
  await using recorder = await started(folder.path, home, { space });
  const show = { channel: 1, title: "Too long", start: soon(), durationMs: 120 * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  await recorder.until(timerId, ({ state }) => state === "planned");
  const before = recorder.daemon.snapshot().space;
  expect(before?.level).toBe("enough");
  // Nothing is known of the service's bit rate yet: 122 s at the assumed rate.
  expect(before?.reservedBytes).toBeGreaterThan(119_000_000);
  expect(before?.fills?.by).toBe("plan");
  const { state, trouble, evidence } = await recorder.until(
    timerId,
    (each) => isTerminal(each.state),
    90_000,
  );
  expect({ state, code: trouble?.code }).toEqual({ state: "partial", code: "DISK_LOW" });
  expect(evidence).toMatchObject({ continuityErrors: 0, segments: 1 });
  const after = recorder.daemon.snapshot().space;
  expect(after?.level).toBe("full");
  expect(after?.freeBytes).toBeGreaterThan(5_000_000);

  // The commands that a person runs in this state.
  const ask = async (...words: readonly string[]) => {
    const { out, err } = await commandLine([...words, "--socket", recorder.config.control.socket]);
    return out + err;
  };
  expect(await ask("status")).toContain("disk: FULL, below the stop mark of 7.0 MB");
  // The library follows the end of the recording.
  const entries = async () => JSON.parse(await ask("recordings", "list", "--json"));
  await until(async () => (await entries()).length > 0);
  const [entry] = await entries();
  expect(entry).toMatchObject({ timerId, file: evidence?.file, state: "partial" });
  expect(await ask("recordings", "protect", entry.recordingId)).toContain("protected");
  expect(await ask("recordings", "delete", entry.recordingId)).toContain("is protected");
  await ask("recordings", "unprotect", entry.recordingId);
  await ask("recordings", "delete", entry.recordingId);
  await until(async () => !(await readdir(disk.mountPoint)).some((name) => name.endsWith(".ts")));
  expect(await ask("recordings", "show", entry.recordingId)).toContain("by person: requested by a person");
  expect(await ask("jobs", "--json")).toBe("[]");
});

it.concurrent("R-31 R-32 a read-only disk delays the recording, which begins by itself once the disk is writable", async (context) => {
  await using folder = await temporaryFolder();
  await using disk = await smallDisk(folder.path, 32);
  if (disk === undefined) return context.skip(NO_MOUNT);
  await using home = await testWorld(folder.path);
  await using recorder = await started(folder.path, home, UNMARKED);
  await until(async () => (await readdir(disk.inside)).includes(".recorderd"));
  disk.readOnly(true);
  const show = { channel: 1, title: "Late", start: soon(), durationMs: 14 * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  const { trouble } = await recorder.until(timerId, ({ state }) => state === "waiting");
  expect(trouble).toMatchObject({ code: "WRITE_FAILED", text: expect.stringContaining("EROFS") });
  await until(() => Date.now() > show.start + 2 * SECOND);
  disk.readOnly(false);
  const { state, evidence } = await recorder.until(timerId, (each) => isTerminal(each.state));
  expect(state).toBe("partial");
  expect(evidence?.eventCoveredMs).toBeGreaterThan(0);
});

it.concurrent("R-32 a missing mount pauses the recording without loss; it continues once the disk is back", async (context) => {
  await using folder = await temporaryFolder();
  await using disk = await smallDisk(folder.path, 64);
  if (disk === undefined) return context.skip(NO_MOUNT);
  await using home = await testWorld(folder.path);
  await using recorder = await started(folder.path, home, { ...UNMARKED, tuners: 2 });
  const start = soon();
  const book = (channel: number, title: string, from: number, seconds: number) =>
    home.world.book({ channel, title, start: from, durationMs: seconds * SECOND }, home.deviceId);
  const before = await book(2, "Before", start, 3);
  const during = await book(1, "During", start + 6 * SECOND, 20);
  const { evidence: kept } = await recorder.until(before, ({ state }) => state === "completed");
  await recorder.until(during, ({ state }) => state === "recording");
  // In the middle of the event: what is missing then is more than may be missing of a whole one.
  await until(() => clock.now() > start + 8 * SECOND);
  disk.takeAway();
  await recorder.until(during, ({ state }) => state === "waiting");
  await offline(recorder);
  const file = kept?.file ?? "";
  expect(recorder.daemon.snapshot().recordings.map(({ evidence }) => evidence?.file)).toContain(file);
  // The empty folder that the disk was mounted on is not taken for it.
  expect(await readdir(disk.mountPoint)).toEqual([]);
  disk.bringBack();

  const { state, evidence, attempts } = await recorder.until(
    during,
    (each) => isTerminal(each.state),
    90_000,
  );
  expect(attempts.map(({ cause }) => cause)).toContain("STORAGE_OFFLINE");
  expect({ state, segments: evidence?.segments }).toEqual({ state: "partial", segments: 2 });
  expect(evidence?.gaps.length).toBeGreaterThan(0);
  expect((await readdir(disk.mountPoint)).filter((name) => name.endsWith(".ts"))).toHaveLength(2);
});

it.concurrent("R-32 a window that ends while the disk is missing is closed once it is back, with the recorded part", {
  skip: !IS_LONG,
}, async (context) => {
  await using folder = await temporaryFolder();
  await using disk = await smallDisk(folder.path, 64);
  if (disk === undefined) return context.skip(NO_MOUNT);
  await using home = await testWorld(folder.path);
  const recorder = await started(folder.path, home, UNMARKED);
  const show = { channel: 1, title: "Cut off", start: soon(), durationMs: 6 * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  await recorder.until(timerId, ({ state }) => state === "recording");
  await pause(2 * SECOND);
  disk.takeAway();
  const { trouble } = await recorder.until(
    timerId,
    ({ state, nextTryAt }) => state === "closing" && nextTryAt !== undefined,
  );
  expect(trouble?.code).toBe("STORAGE_OFFLINE");
  await recorder[Symbol.asyncDispose]();
  disk.bringBack();
  await using again = await started(folder.path, home, UNMARKED);
  const { state, evidence } = await again.until(timerId, (each) => isTerminal(each.state));
  expect(state).toBe("partial");
  expect(evidence?.bytes).toBeGreaterThan(0);
});

it.concurrent("R-32 a recording finished while the library's disk is missing waits for it, and never goes into the empty folder", {
  skip: !IS_LONG,
}, async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  const [libraryFolder, away] = [join(folder.path, "library"), join(folder.path, "away")];
  await mkdir(libraryFolder);
  const padding = { beforeSeconds: 1, afterSeconds: 1 };
  const recordings = { folder: join(folder.path, "recordings"), libraryFolder, padding };
  const recorder = await started(folder.path, home, { recordings });
  await until(async () => (await readdir(libraryFolder)).includes(".recorderd"));
  await rename(libraryFolder, away);
  await mkdir(libraryFolder);
  const show = { channel: 1, title: "Waits", start: soon(), durationMs: 2 * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  const waiting = await recorder.until(
    timerId,
    (each) => each.closing?.blocker !== undefined || isTerminal(each.state),
  );
  expect(waiting).toMatchObject({ state: "closing", closing: { blocker: { code: "STORAGE_OFFLINE" } } });
  expect(await readdir(libraryFolder)).toEqual([]);
  await recorder[Symbol.asyncDispose]();
  await rm(libraryFolder, { recursive: true });
  await rename(away, libraryFolder);
  await using again = await started(folder.path, home, { recordings });
  const { state, evidence } = await again.until(timerId, (each) => isTerminal(each.state));
  expect({ state, folder: dirname(evidence?.file ?? "") }).toEqual({
    state: "completed",
    folder: libraryFolder,
  });
});

async function offline(recorder: InProcess): Promise<void> {
  await until(async () => recorder.daemon.snapshot().space?.level === "offline");
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds()) return;
    await pause(200);
  }
  throw new Error("it did not come to hold");
}
