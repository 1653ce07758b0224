import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { constants, openSync } from "node:fs";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { SegmentWriter } from "../../../src/recorder/capture/host/segment-writer.ts";
import { CAPTURE_LIMITS } from "../../../src/recorder/capture/limits.ts";
import { casesOf } from "../../lane.ts";
import { fc } from "../../properties.ts";

it("the segment writer writes the first bytes as soon as they come", async () => {
  const nowhere = await open("/dev/null", "w");
  let writer: SegmentWriter | undefined;
  await new Promise<void>((resolve, reject) => {
    writer = new SegmentWriter(nowhere.fd, { openedMs: 0, onFailure: reject, onWritten: resolve });
    writer.append(new Uint8Array(188), 0, 188);
  });
  expect(writer?.backlogBytes).toBe(0);
  await nowhere.close();
});

it("the segment writer syncs written data to the disk every 15 s, even under constant input", async () => {
  // It takes every write, and cannot be synced: the failure shows when a sync was tried.
  const nowhere = await open("/dev/null", "w");
  const packet = new Uint8Array(188);
  let nowMs = 0;
  let writes = 0;
  const failed: { readonly atMs: number; readonly code: string | undefined }[] = [];
  const writer = new SegmentWriter(nowhere.fd, {
    openedMs: 0,
    onFailure: ({ code }) => failed.push({ atMs: nowMs, code }),
    onWritten: () => {
      writes += 1;
    },
  });
  for (; failed.length === 0 && writes < 100; nowMs += 10) {
    if (nowMs % 20 === 0) writer.append(packet, 0, packet.length);
    if (nowMs % 50 === 10) writer.look(nowMs);
    await setImmediate();
  }
  expect(failed).toMatchObject([{ code: "EINVAL" }]);
  expect(failed[0]?.atMs).toBeGreaterThan(CAPTURE_LIMITS.captureSyncMs / 16);
  expect(writes).toBeLessThan(60);
  await nowhere.close();
});

it.each([
  { what: "a tenth of a second later if none follow", from: 5000, more: false, everyMs: 100, to: 5100 },
  { what: "within a second if more follow", from: 5000, more: true, everyMs: 100, to: 5900 },
  {
    what: "within a tenth of a second in the first two seconds",
    from: 500,
    more: true,
    everyMs: 50,
    to: 600,
  },
])("the segment writer writes bytes $what", async ({ from, more, everyMs, to }) => {
  const nowhere = await open("/dev/null", "w");
  const packet = new Uint8Array(188);
  const told = new EventEmitter();
  const writer = new SegmentWriter(nowhere.fd, {
    openedMs: 0,
    onFailure: (error) => told.emit("error", error),
    onWritten: () => told.emit("written"),
  });
  const began = once(told, "written");
  writer.append(packet, 0, packet.length);
  await began;
  const went = once(told, "written");
  for (let nowMs = from; nowMs <= to; nowMs += everyMs) {
    if (more || nowMs === from) writer.append(packet, 0, packet.length);
    writer.look(nowMs);
  }
  await went;
  await nowhere.close();
});

it("a disk that stalls for five seconds leaves room for four services of 20 Mbit/s", async () => {
  // A pipe that nobody reads takes a part, and then nothing.
  const folder = await mkdtemp(join(tmpdir(), "recorderd-segment-"));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const second = new Uint8Array(2_500_000);
  const writers = Array.from(
    { length: 4 },
    () => new SegmentWriter(openSync(pipe, "w"), { openedMs: 0, onFailure: () => {}, onWritten: () => {} }),
  );
  for (let elapsed = 0; elapsed < 5; elapsed += 1) {
    for (const writer of writers) {
      writer.append(second, 0, second.length);
      expect(writer.backlogBytes).toBeLessThan(SegmentWriter.backlogBytesMax);
    }
  }
  await reader.close();
  await Promise.all(writers.map((writer) => writer.end()));
  await rm(folder, { recursive: true });
});

it("R-04 the segment writer keeps every byte in its place for any portions, and passes on the held part", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-segment-"));
  const air = randomBytes(1 << 20);
  const portions = fc.array(fc.tuple(fc.nat({ max: 300_000 }), fc.nat({ max: 2000 })), {
    minLength: 1,
    maxLength: 25,
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(portions, { minLength: 1, maxLength: 3 }), async (files) => {
      runs += 1;
      const kept = await Promise.all(
        files.map(async (portions, nth) => {
          const file = join(folder, `${runs}-${nth}`);
          const failed: Error[] = [];
          const fd = openSync(file, "w");
          const writer = new SegmentWriter(fd, {
            openedMs: 0,
            onFailure: (error) => failed.push(error),
            onWritten: () => {},
          });
          const sent: Buffer[] = [];
          let nowMs = 0;
          for (const [length, passMs] of portions) {
            const from = (length * 7) % (air.length - length);
            sent.push(air.subarray(from, from + length));
            writer.append(air, from, from + length);
            nowMs += passMs;
            if (passMs % 2 === 0) writer.look(nowMs);
            if (passMs % 3 === 0) await setImmediate();
          }
          await writer.end();
          return {
            bytes: await readFile(file),
            sent: Buffer.concat(sent),
            failed,
            left: writer.backlogBytes,
          };
        }),
      );
      for (const { bytes, sent, failed, left } of kept) {
        expect(failed).toEqual([]);
        expect(left).toBe(0);
        expect(bytes.equals(sent)).toBe(true);
      }
    }),
    { numRuns: casesOf({ sample: 20, all: 60 }) },
  );
  await rm(folder, { recursive: true });
});
