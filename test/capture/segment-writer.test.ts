import { EventEmitter, once } from "node:events";
import { open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { SegmentWriter } from "../../src/capture/host/segment-writer.ts";
import { LIMITS } from "../../src/model/limits.ts";

it("writes the first bytes as soon as they come", async () => {
  const nowhere = await open("/dev/null", "w");
  let writer: SegmentWriter | undefined;
  await new Promise<void>((resolve, reject) => {
    writer = new SegmentWriter(nowhere.fd, { openedMs: 0, onFailure: reject, onWritten: resolve });
    writer.append(new Uint8Array(188), 0, 188);
  });
  expect(writer?.backlogBytes).toBe(0);
  await nowhere.close();
});

it("has what is written brought to the disk itself every 15 s, also while something comes all the time", async () => {
  // It takes every write, and cannot be synced: the failure tells when that was tried.
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
  expect(failed[0]?.atMs).toBeGreaterThan(LIMITS.captureSyncMs / 16);
  expect(writes).toBeLessThan(60);
  await nowhere.close();
});

it.each([
  { what: "nothing follows: a tenth of a second later", from: 5000, more: false, everyMs: 100, to: 5100 },
  { what: "more follows: within a second", from: 5000, more: true, everyMs: 100, to: 5900 },
  { what: "comes in the first two seconds: within a tenth", from: 500, more: true, everyMs: 50, to: 600 },
])("writes what $what", async ({ from, more, everyMs, to }) => {
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
