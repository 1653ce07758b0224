import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RecorderdError } from "../../../../../src/model/errors.ts";
import { MODEL_LIMITS } from "../../../../../src/model/limits.ts";
import { createHls } from "../../../../../src/recorder/subsystems/playback/hls/hls.ts";
import type { Segment } from "../../../../../src/recorder/subsystems/playback/hls/segments.ts";
import type { HlsParts } from "../../../../../src/recorder/subsystems/playback/hls/source.ts";
import { LIVE_LIMITS } from "../../../../../src/recorder/subsystems/playback/live/limits.ts";
import { GROUP_BYTES, type LiveRig, liveRig } from "./rig.ts";

const { failures, idleMs, leastMs, renewMs, trimMs } = LIVE_LIMITS;

/** Opens the service and receives the first seconds. */
async function watched(rig: LiveRig, seconds = 10): Promise<HlsParts> {
  const opened = rig.source().parts();
  await rig.receive(seconds);
  return await opened;
}

function partsOf(rig: LiveRig): Promise<HlsParts> {
  return rig.source().parts("segment");
}

/** The values of the bytes of a segment. The reader changes what it has read, as players' packets are. */
async function bytesIn(rig: LiveRig, segment: Segment | undefined, sid?: number): Promise<readonly number[]> {
  const values = new Set<number>();
  const { first = 0, end = 0 } = segment ?? {};
  for await (const some of rig.source(sid).read({ first, last: end - 1 })) {
    for (const value of some) values.add(value);
    some.fill(0xff);
  }
  return [...values];
}

function secondsOf(segment: Segment | undefined): readonly number[] {
  const { first = 0, end = 0 } = segment ?? {};
  return Array.from({ length: (end - first) / GROUP_BYTES }, (_, at) => first / GROUP_BYTES + at);
}

function filesOf({ folder }: LiveRig): Promise<readonly string[]> {
  return readdir(join(folder, "buffers"));
}

async function codeOf(refused: Promise<unknown>): Promise<unknown> {
  try {
    await refused;
    return undefined;
  } catch (error) {
    return error instanceof RecorderdError ? error.code : error;
  }
}

describe("a live service with viewers", () => {
  it("answers a request for its next segment when that is there, and waits for no later one", async () => {
    await using rig = await liveRig();
    const { playlist } = createHls({ sourceOf: () => rig.source(), clock: rig.clock });
    const next = ((await watched(rig)).segments.at(-1)?.number ?? 0) + 1;
    const service = { service: { onid: 1, tsid: 1, sid: 1 } };
    expect(await playlist(service, { until: next + 1 })).not.toContain(`\n${next}.ts`);
    let answer: string | undefined;
    void playlist(service, { until: next }).then((text) => {
      answer = text;
    });
    await rig.clock.advance(1000);
    expect(answer).toBeUndefined();
    await rig.receive(5);
    await rig.until(() => answer !== undefined);
    expect(answer).toContain(`\n${next}.ts`);
  });

  it("reads its newest segments from memory, and older ones from the file", async () => {
    const memory = 6 * GROUP_BYTES;
    await using rig = await liveRig({ limits: { newestBytes: memory, allNewestBytes: memory } });
    const { segments } = await watched(rig, 20);
    await rig.receive(8);
    const later = (await partsOf(rig)).segments.at(-1);
    expect(await bytesIn(rig, segments[0])).toEqual([0x47]);
    expect(await bytesIn(rig, later)).toEqual(secondsOf(later));
  });

  it("has no more memory than all services together may have", async () => {
    await using rig = await liveRig({ limits: { allNewestBytes: 3 * GROUP_BYTES } });
    await watched(rig, 20);
    await rig.receive(8);
    expect(await bytesIn(rig, (await partsOf(rig)).segments.at(-1))).toContain(0x47);
  });

  it("gives each viewer bytes of its own", async () => {
    await using rig = await liveRig();
    const last = (await watched(rig, 20)).segments.at(-1);
    await bytesIn(rig, last);
    expect(await bytesIn(rig, last)).not.toContain(0xff);
  });

  it("continues after a failure of its source, in a new file and after a break", async () => {
    await using rig = await liveRig({ limits: { retryMs: 10 } });
    await watched(rig);
    await rig.fail("STREAM_ENDED");
    await rig.receive(10);
    const { segments, isGrowing } = await partsOf(rig);
    expect(segments.map(({ number }) => number)).toEqual(segments.map((_, at) => at));
    expect(segments.filter(({ isBreak }) => isBreak)).toHaveLength(1);
    expect([isGrowing, rig.orders.length, rig.leases.length]).toEqual([true, 2, 2]);
  });

  it("ends with the reason after repeated failures of its source", async () => {
    await using rig = await liveRig({ limits: { retryMs: 10 } });
    let code: unknown;
    void codeOf(rig.source().parts()).then((found) => {
      code = found;
    });
    for (let count = 0; count < failures; count += 1) await rig.fail("STREAM_SCRAMBLED");
    await rig.until(() => code !== undefined);
    expect([code, rig.orders.length]).toEqual(["STREAM_SCRAMBLED", failures]);
  });

  it("does not retry once a recording has taken its tuner", async () => {
    await using rig = await liveRig();
    await watched(rig);
    rig.leases[0]?.abort(new RecorderdError("TUNER_BUSY", "Tuner roof is needed for a recording."));
    await rig.until(async () => !(await partsOf(rig)).isGrowing);
    expect((await partsOf(rig)).live?.endedBy?.code).toBe("TUNER_BUSY");
    expect(rig.orders).toHaveLength(1);
  });

  it("takes a new lease before the old one ends", async () => {
    await using rig = await liveRig();
    await watched(rig);
    await rig.clock.advance(MODEL_LIMITS.viewMs - renewMs);
    await rig.until(() => rig.orders.length === 2);
    await rig.receive(2);
    const { isGrowing, segments } = await partsOf(rig);
    expect([isGrowing, segments.at(-1)?.isBreak, rig.leases.length]).toEqual([true, true, 2]);
  });

  it("ends without requests, and leaves no file", async () => {
    await using rig = await liveRig({ limits: { idleMs } });
    await watched(rig);
    expect(await filesOf(rig)).toHaveLength(1);
    await rig.until(async () => (await filesOf(rig)).length === 0);
    expect(await codeOf(partsOf(rig))).toBe("RECORDING_UNKNOWN");
  });

  it("is refused while too many others are watched", async () => {
    await using rig = await liveRig({ limits: { buffers: 1 } });
    await watched(rig);
    expect(await codeOf(rig.source(2).parts())).toBe("TUNER_BUSY");
  });
});

describe("the disk space of live services", () => {
  it("is limited by recordings: the buffer shrinks to the minimum that players need", async () => {
    await using rig = await liveRig({ neededBytes: () => 2 ** 60 });
    await watched(rig, 39);
    const lengthMs = async () =>
      (await partsOf(rig)).segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
    await rig.until(async () => (await partsOf(rig)).segments[0]?.number !== 0);
    expect(await lengthMs()).toBeGreaterThanOrEqual(leastMs);
    expect(await lengthMs()).toBeLessThan(39_000);
  });

  it("is released when the disk is nearly full", async () => {
    await using rig = await liveRig({ stopBytes: 2 ** 60 });
    await watched(rig, 1.5);
    await rig.until(async () => (await partsOf(rig)).live?.endedBy?.code === "DISK_LOW");
  });

  it("is freed with a new file if the file system cannot free the beginning of one", async () => {
    await using rig = await liveRig({ mostBytes: 40 * GROUP_BYTES, writes: false });
    await watched(rig, 60);
    await rig.until(() => rig.orders.length > 1);
  });

  it("is not read after its release", async () => {
    let neededBytes = 0;
    await using rig = await liveRig({ neededBytes: () => neededBytes, limits: { newestBytes: 0 } });
    const { segments } = await watched(rig, 39);
    const range = { first: segments[0]?.first ?? 0, last: 39 * GROUP_BYTES };
    const reader = rig.source().read(range)[Symbol.asyncIterator]();
    expect((await reader.next()).value?.[0]).toBe(0x47);
    // Only now: the first segment must not leave before it is read.
    neededBytes = 2 ** 60;
    // Freed at the trim after the one that let it leave.
    await rig.until(async () => (await partsOf(rig)).segments[0]?.number !== 0);
    await rig.clock.advance(2 * trimMs);
    await rig.until(async () => (await codeOf(drained(rig.source().read(range)))) === "RECORDING_UNKNOWN");
    expect(await codeOf(reader.next())).toBe("RECORDING_UNKNOWN");
  });
});

async function drained(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of bytes);
}
