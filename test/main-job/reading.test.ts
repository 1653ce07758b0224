import { createHash } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { RecorderdError } from "../../src/model/errors.ts";
import { type ReadingOrder, wholeReader } from "../../src/recorder/evidence/whole-file.ts";
import { createReading } from "../../src/recorder/threads/reading.ts";

/** Threads need the compiled script. */
const THREAD = new URL("../../dist/recorder/threads/reading-thread.js", import.meta.url);
/** Answers the first file of each thread, and breaks at the second. A file called "silent" is read for ever. */
const BREAKING = new URL(
  `data:text/javascript,${encodeURIComponent(
    `import { parentPort, workerData } from "node:worker_threads";
     const [{ file: found }] = workerData;
     if (found === "silent") setInterval(() => {}, 1000);
     else parentPort.postMessage({ kind: "found", found });
     if (workerData.length > 1) throw new TypeError("broken");`,
  )}`,
);
const CAPTURE = "test/fixtures/ts/rai-dvbt-mux.ts";
const ORDER: ReadingOrder = {
  service: { onid: 318, tsid: 18_432, sid: 3401 },
  untilZeros: false,
  bytesPerSecond: 200_000_000,
};
const clock = systemClock();
const { signal } = new AbortController();

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-reading-"));
});
afterAll(() => rm(folder, { recursive: true }));

function readingOn(threadFile: URL) {
  return createReading({ threadFile, clock });
}

describe("a closed segment", () => {
  it("R-04 is inspected and hashed beside the loop, with the same result as in the loop", async () => {
    const file = join(folder, "one.ts");
    // The capture, an incomplete packet at its end, and zeros behind it.
    await writeFile(file, Buffer.concat([await readFile(CAPTURE), Buffer.alloc(1000)]));
    for (const order of [ORDER, { ...ORDER, untilZeros: true, networks: new Map() }]) {
      const found = await readingOn(THREAD)(file, order, signal);
      expect(found).toEqual(await wholeReader(clock)(file, order, signal));
    }
    const { digest } = await readingOn(THREAD)(file, ORDER, signal);
    const sha256 = createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
    expect(digest.sha256).toBe(sha256);
  });

  it("gets its own result when several recordings end together", async () => {
    const readWhole = readingOn(THREAD);
    const files = await Promise.all(
      [1, 2, 3, 4, 5].map(async (nth) => {
        const file = join(folder, `together-${nth}.ts`);
        await copyFile(CAPTURE, file);
        await writeFile(file, Buffer.alloc(nth), { flag: "a" });
        return file;
      }),
    );
    const found = await Promise.all(files.map((file) => readWhole(file, ORDER, signal)));
    const bytes = (await readFile(CAPTURE)).length;
    expect(found.map(({ digest }) => digest.bytes - bytes)).toEqual([1, 2, 3, 4, 5]);
  });

  it("that cannot be read fails with the same code and facts as in the loop, and delays no other", async () => {
    const readWhole = readingOn(THREAD);
    const file = join(folder, "absent.ts");
    const [failed, found] = await Promise.allSettled([
      readWhole(file, ORDER, signal),
      readWhole(CAPTURE, ORDER, signal),
    ]);
    const here = await wholeReader(clock)(file, ORDER, signal).catch((error: unknown) => error);
    if (!(here instanceof RecorderdError) || failed.status !== "rejected")
      throw new Error("neither can be read");
    const { code, message, facts } = here;
    expect(failed.reason).toMatchObject({ code, message, facts });
    expect(found.status).toBe("fulfilled");
  });
});

describe("a thread that breaks", () => {
  it("costs one try of the file that it read; another thread reads the others", async () => {
    const readWhole = readingOn(BREAKING);
    const files = ["first", "second", "third", "fourth"];
    const outcomes = await Promise.allSettled(files.map((file) => readWhole(file, ORDER, signal)));
    const found = outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value : (outcome.reason as RecorderdError).code,
    );
    // The first is alone on its thread: the others come while it runs.
    expect(found).toEqual(["first", "second", "FILE_UNREADABLE", "fourth"]);
  });

  it("ends when nobody waits for it any more, and later files are read", async () => {
    const stopping = new AbortController();
    const reason = new Error("the daemon ends");
    const readWhole = readingOn(BREAKING);
    const waiting = ["silent", "second"].map((file) => readWhole(file, ORDER, stopping.signal));
    stopping.abort(reason);
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toEqual({ status: "rejected", reason });
    }
    expect(await readWhole("later", ORDER, signal)).toBe("later");
  });
});
