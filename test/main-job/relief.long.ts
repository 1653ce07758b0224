import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import type { FoundPoint } from "../../src/mpeg-ts/streams/access-points.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { finishedIndex } from "../../src/recorder/subsystems/playback/access-index.ts";
import type { Mishap } from "../../src/simulator/broadcaster/mishaps.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { pcrInstants } from "./pcr.ts";
import { soon, temporaryFolder, testWorld } from "./recorder.ts";

/** Doubted long before it is given up, also where the machine is too busy to look in time. */
const LIMITS = { steadyMs: 2 * SECOND, doubtMs: SECOND, stallMs: 20 * SECOND, firstPayloadMs: 20 * SECOND };
const EVENT_MS = 12 * SECOND;
/** From PCR to PCR of the broadcaster. */
const PCR_MS = 32;

describe("R-20 R-28 with a free tuner, a failing capture is replaced before it ends", () => {
  const open: AsyncDisposable[] = [];
  const ends = new Map<string, Recording>();
  let start = 0;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    const home = await testWorld(folder.path, 8);
    // Long warm-up: the failing capture has flowed for a while by then.
    const tuners = simTuners(home, 4, 30 * SECOND);
    const recorder = await inProcess(folder.path, home, { tuners, limits: LIMITS });
    open.push(folder, home, recorder);
    start = soon() + 6 * SECOND;
    const at = start + 3 * SECOND;
    const run = async (title: string, channel: number, mishap: Mishap) => {
      home.world.broadcaster.misbehave(simTriplet(channel), mishap);
      const show = { channel, title, start, durationMs: EVENT_MS };
      const timerId = await home.world.book(show, home.deviceId);
      ends.set(title, await recorder.until(timerId, ({ state }) => isTerminal(state)));
    };
    await Promise.all([
      run("damaged", 1, { kind: "worn", at, every: 10 }),
      // A service of another multiplex.
      run("silent", 5, { kind: "stall", at }),
    ]);
  }, 90_000);
  afterAll(async () => {
    for (const each of open.toReversed()) await each[Symbol.asyncDispose]();
  });

  function overlapOf(title: string): { readonly recording: Recording; readonly overlapMs: number } {
    const recording = ends.get(title);
    const [old, relief] = recording?.attempts ?? [];
    if (recording === undefined || old === undefined || relief === undefined)
      throw new Error(`${title}: ${JSON.stringify(recording)}`);
    expect(recording.attempts.map(({ cause }) => cause)).toEqual(["asked", "asked"]);
    expect(relief.tunerId).not.toBe(old.tunerId);
    return { recording, overlapMs: (old.endedAt ?? 0) - relief.startedAt };
  }

  it("damaged: there is no gap, and data of both attempts is in the file once", async () => {
    const { recording, overlapMs } = overlapOf("damaged");
    expect(overlapMs).toBeGreaterThan(0);
    const { evidence, state, service } = recording;
    expect({ state, gaps: evidence?.gaps, kept: evidence?.kept }).toEqual({
      state: "completed",
      gaps: [],
      kept: [1, 2],
    });
    expect(Object.keys(evidence?.keptBytes ?? {})).toEqual(["1"]);
    const bytes = await readFile(evidence?.file ?? "");
    expect(bytes.length).toBe(evidence?.bytes);
    const { hole, steps } = pcrInstants(bytes, start);
    expect(hole.stop - hole.start).toBeLessThanOrEqual(PCR_MS + 0.001);
    expect(Math.min(...steps)).toBeGreaterThan(0);
    await using inspection = openInspection(evidence?.file ?? "", service);
    const found = await inspection.advance(new AbortController().signal);
    // The losses of the first attempt before the second began, also right before it, and none since.
    expect(evidence?.continuityErrors).toBe(found.continuityErrors);
    expect(found).toMatchObject({ junkBytes: 0, clockBreaks: [] });
  });

  it("damaged: the index has the access points of the published file", async () => {
    const { evidence, service } = overlapOf("damaged").recording;
    const file = evidence?.file ?? "";
    const read: FoundPoint[] = [];
    const inspector = new Inspector(service, { accessPoint: (point) => read.push(point) });
    inspector.push(await readFile(file));
    inspector.settle();
    const index = await finishedIndex(file);
    expect(index.points.length).toBeGreaterThan(10);
    // The first one of the second attempt may come before its PMT.
    expect(read.length - index.points.length).toBeLessThanOrEqual(1);
    for (const { offset, pts, streamMs, isBreak } of index.points) {
      const same = read.find((point) => point.offset === offset);
      expect(same?.pts).toBe(pts);
      expect(Math.abs((same?.streamMs ?? 0) - streamMs)).toBeLessThan(100);
      expect(isBreak).toBe(false);
    }
    expect(index.bytes).toBe(evidence?.bytes);
  });

  it("silent: the second begins while the first may still recover, and the gap ends there", () => {
    const { recording, overlapMs } = overlapOf("silent");
    expect(overlapMs).toBeGreaterThan(0);
    const [gap, ...more] = recording.evidence?.gaps ?? [];
    expect(more).toEqual([]);
    expect(recording.evidence).toMatchObject({ kept: [1, 2], continuityErrors: 0 });
    const flowingAt = recording.attempts[1]?.flowingAt ?? 0;
    expect(gap?.stop).toBeLessThanOrEqual(flowingAt);
  });
});
