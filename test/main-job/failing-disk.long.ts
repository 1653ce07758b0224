import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { lostPacketsOf } from "../../src/model/verdict.ts";
import { lengthMs } from "../../src/model/window.ts";
import { failingDisk } from "./failing-disk.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { pcrInstants } from "./pcr.ts";
import { pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

const clock = systemClock();
/** Far below the space of this disk, so that the test reaches the end of the file system itself. */
const UNMARKED = { space: { lowBytes: 0, stopBytes: 0 } };
const ROUNDING_MS = 1;
const DATING_MS = SECOND;
/** The page that was being written may be nothing but zeros then, to its end. */
const PAGE_PACKETS = Math.ceil(4096 / 188);

it.concurrent.for(["ffmpeg", "host"])(
  "R-07 R-31 R-32 a disk that turns read-only while %s writes keeps its data, and a new segment begins once it is writable",
  async (engine, context) => {
    await using folder = await temporaryFolder();
    const made = await failingDisk(folder.path, 64);
    if (typeof made === "string") return context.skip(made);
    await using disk = made;
    await using home = await testWorld(folder.path);
    await using recorder = await inProcess(folder.path, home, {
      tuners: simTuners(home, 1),
      capture: { engine },
      limits: { captureSyncMs: SECOND },
      ...UNMARKED,
    });
    const show = { channel: 1, title: "Broken under it", start: soon(), durationMs: 16 * SECOND };
    const timerId = await home.world.book(show, home.deviceId);
    const { id } = await recorder.until(timerId, ({ state }) => state === "recording");
    await until(() => clock.now() > show.start + 5 * SECOND);
    // The host keeps to its own time.
    if (engine === "host") disk.sync();
    await disk.fail();

    const { attempts, trouble } = await recorder.until(timerId, ({ state }) => state === "waiting");
    expect(attempts[0]?.cause).toBe("WRITE_FAILED");
    expect(trouble?.code).toBe("WRITE_FAILED");
    await until(() => clock.now() > show.start + 7 * SECOND);
    await until(() => disk.repair());
    const segment = join(disk.mountPoint, ".recorderd", `${id}.1.ts.part`);
    const written = await readFile(segment);
    const kept = written.subarray(0, written.length - (written.length % 188));
    expect(kept.length).toBeGreaterThan(200_000);

    const {
      state,
      evidence,
      attempts: all,
    } = await recorder.until(timerId, (each) => isTerminal(each.state));
    expect(state).toBe("partial");
    expect(all.at(-1)?.cause).toBe("asked");
    expect(evidence).toMatchObject({ segments: 2, continuityErrors: 0 });
    expect(evidence && lostPacketsOf(evidence)).toBeLessThanOrEqual(PAGE_PACKETS);
    const file = await readFile(evidence?.file ?? "");
    expect(file.subarray(0, kept.length).equals(kept)).toBe(true);
    const { hole } = pcrInstants(file, show.start);
    const [gap = hole, ...more] = evidence?.gaps ?? [];
    expect(more).toEqual([]);
    expect(Math.abs(lengthMs(gap) - lengthMs(hole))).toBeLessThanOrEqual(ROUNDING_MS);
    expect(Math.abs(gap.start - hole.start)).toBeLessThan(DATING_MS);
    expect((await home.world.guide.timerReports(timerId)).map(({ message }) => message)).toContainEqual(
      expect.stringContaining("interrupted once"),
    );
  },
);

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (holds()) return;
    await pause(50);
  }
  throw new Error("it did not come to hold");
}
