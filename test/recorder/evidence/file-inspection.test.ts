import { appendFileSync } from "node:fs";
import {
  appendFile,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspecting, openInspection } from "../../../src/recorder/evidence/file-inspection.ts";

const SIGNAL = new AbortController().signal;

describe("a file under inspection", () => {
  let folder = "";
  let capture = new Uint8Array();
  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), "recorderd-inspect-"));
    capture = await readFile("test/fixtures/ts/rai-dvbt-mux.ts");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("R-06 is read up to its length at that moment if it grows faster than the reader", async () => {
    const file = joinPath(folder, "flooded.ts");
    await writeFile(file, capture);
    let copies = 1;
    let isTime = true;
    // While each portion is read, three more come, until there are thirty copies.
    const section = () => {
      if (!isTime || copies === 30) return;
      isTime = false;
      setImmediate(() => {
        isTime = true;
      });
      appendFileSync(file, capture);
      copies += 1;
    };
    await using flooded = inspecting({ tap: { isLive: () => true, section } })(file, undefined);
    const { bytes } = await flooded.advance(SIGNAL);
    expect(bytes).toBeGreaterThanOrEqual(capture.length);
    expect(bytes).toBeLessThan(10 * capture.length);
    expect(copies).toBeLessThan(30);
  });

  it("R-05 is followed while it grows, from the last position, to the same result", async () => {
    const file = joinPath(folder, "growing.ts");
    await writeFile(file, capture.subarray(0, 1_000_001));
    await using growing = openInspection(file, undefined);
    const early = await growing.advance(SIGNAL);
    expect(early).toMatchObject({ bytes: 1_000_001, packets: 5319 });
    expect(await growing.advance(SIGNAL)).toEqual(early);
    await appendFile(file, capture.subarray(1_000_001));
    const late = await growing.advance(SIGNAL);
    expect(late).toMatchObject({ packets: 20_000, continuityErrors: 0, junkBytes: 0 });
    await using done = openInspection(file, undefined);
    expect(await done.advance(SIGNAL)).toEqual(late);
  });

  it("may be created later", async () => {
    const file = joinPath(folder, "later.ts");
    await using later = openInspection(file, undefined);
    await expect(later.advance(SIGNAL)).rejects.toMatchObject({ code: "FILE_UNREADABLE", facts: { file } });
    await writeFile(file, capture.subarray(0, 188 * 100));
    expect(await later.advance(SIGNAL)).toMatchObject({ packets: 100 });
  });

  it("reports sections once written, but none when reopened long after", async () => {
    const file = joinPath(folder, "tapped.ts");
    const grow = async (from: number, writtenAt: Date) => {
      await appendFile(file, capture.subarray(from, from + 1_000_000));
      await utimes(file, writtenAt, writtenAt);
    };
    const [past, now] = [new Date(0), new Date()];
    let sections = 0;
    const section = () => {
      sections += 1;
    };
    const openTapped = inspecting({
      tap: { isLive: (mtimeMs) => mtimeMs >= now.getTime() - 1000, section },
    });
    await using tapped = openTapped(file, undefined);
    const told = async () => {
      sections = 0;
      await tapped.advance(SIGNAL);
      return sections > 0;
    };
    await grow(0, past);
    expect(await told()).toBe(false);
    await grow(1_000_000, now);
    expect(await told()).toBe(true);
    await tapped[Symbol.asyncDispose]();
    await grow(2_000_000, past);
    expect(await told()).toBe(false);
  });

  it("is refused if it shrank, or is no file", async () => {
    const file = joinPath(folder, "shrinking.ts");
    await writeFile(file, capture.subarray(0, 188 * 100));
    await using shrinking = openInspection(file, undefined);
    await shrinking.advance(SIGNAL);
    await truncate(file, 188 * 50);
    await expect(shrinking.advance(SIGNAL)).rejects.toMatchObject({ code: "FILE_CHANGED" });
    await using notAFile = openInspection(folder, undefined);
    await expect(notAFile.advance(SIGNAL)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("is refused if its read part was cut and its writer continued at the old position", async () => {
    const file = joinPath(folder, "regrown.ts");
    const known = 188 * 100;
    for (const cutAt of [0, 1000, known - 189, known - 100]) {
      await writeFile(file, capture.subarray(0, known));
      await using followed = openInspection(file, undefined);
      await followed.advance(SIGNAL);
      await truncate(file, cutAt);
      await using writer = await open(file, "r+");
      await writer.write(capture, known, 188 * 50, known);
      await expect(followed.advance(SIGNAL)).rejects.toMatchObject({ code: "FILE_CHANGED" });
    }
  });

  it("names the open file, and another one under its name after reopening", async () => {
    const file = joinPath(folder, "named.ts");
    const one = capture.subarray(0, 188 * 100);
    await writeFile(file, one);
    await using inspection = openInspection(file, undefined);
    expect(inspection.fileId()).toBeUndefined();
    await inspection.advance(SIGNAL);
    const first = inspection.fileId();
    await writeFile(`${file}.other`, one);
    await rename(`${file}.other`, file);
    await inspection.advance(SIGNAL);
    expect(inspection.fileId()).toBe(first);
    await inspection[Symbol.asyncDispose]();
    await inspection.advance(SIGNAL);
    expect(inspection.fileId()).not.toBe(first);
  });

  it("can be interrupted, and continues from there", async () => {
    const file = joinPath(folder, "aborted.ts");
    await writeFile(file, capture);
    await using inspection = openInspection(file, undefined);
    const asked = new AbortController();
    const reading = inspection.advance(asked.signal);
    asked.abort(new Error("asked"));
    await expect(reading).rejects.toThrow("asked");
    expect(await inspection.advance(SIGNAL)).toMatchObject({ packets: 20_000, continuityErrors: 0 });
  });

  it("is read only once for two simultaneous requests", async () => {
    const file = joinPath(folder, "shared.ts");
    await writeFile(file, capture);
    await using shared = openInspection(file, undefined);
    const [one, other] = await Promise.all([shared.advance(SIGNAL), shared.advance(SIGNAL)]);
    expect(one).toMatchObject({ bytes: capture.length, packets: 20_000, continuityErrors: 0 });
    expect(other).toEqual(one);
  });

  it("is read to its end even if it is closed meanwhile", async () => {
    const file = joinPath(folder, "closed.ts");
    await writeFile(file, capture);
    const inspection = openInspection(file, undefined);
    const [found] = await Promise.all([inspection.advance(SIGNAL), inspection[Symbol.asyncDispose]()]);
    expect(found).toMatchObject({ bytes: capture.length, packets: 20_000, continuityErrors: 0 });
  });

  it("may be closed twice, and without reading", async () => {
    const unread = openInspection(joinPath(folder, "unread.ts"), undefined);
    await unread[Symbol.asyncDispose]();
    await unread[Symbol.asyncDispose]();
  });
});
