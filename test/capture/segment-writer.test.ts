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
    writer.append(new Uint8Array(188), { from: 0, to: 188, nowMs: 0 });
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
    if (nowMs % 20 === 0) writer.append(packet, { from: 0, to: packet.length, nowMs });
    if (nowMs % 50 === 10) writer.look(nowMs);
    await setImmediate();
  }
  expect(failed).toMatchObject([{ code: "EINVAL" }]);
  expect(failed[0]?.atMs).toBeGreaterThan(LIMITS.captureSyncMs / 16);
  expect(writes).toBeLessThan(60);
  await nowhere.close();
});
