import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { dueAlone } from "../../../src/recorder/fleet/alone.ts";
import type { PartRecording } from "../../../src/recorder/fleet/node-protocol.ts";
import { openPartFile } from "../../../src/recorder/fleet/part-file.ts";

const part = (recordingId: string, start: number, stop: number): PartRecording => ({
  ...{ recordingId, timerId: "1", service: { onid: 1, tsid: 1, sid: 1 }, serviceName: "One" },
  ...{ tunerId: "dvb0", plannedTunerId: "dvb0@attic", attempt: 1, start, stop, endsBy: stop },
});

describe("a node without a leader", () => {
  it.each([
    { now: 94, begins: [], why: "before the tuner has to be opened" },
    { now: 95, begins: ["r1"], why: "when it has to be opened" },
    { now: 199, begins: ["r1"], why: "until the end" },
    { now: 200, begins: [], why: "no more at the end" },
  ])("begins a recording $why", ({ now, begins }) => {
    const found = dueAlone([part("r1", 100, 200)], { now, running: new Set(), warmUpMs: () => 5 });
    expect(found.begins.map(({ recordingId }) => recordingId)).toEqual(begins);
  });

  it("begins none that a capture of any number records", () => {
    const running = new Set(["r1.7"]);
    const found = dueAlone([part("r1", 100, 200)], { now: 150, running, warmUpMs: () => 0 });
    expect(found).toEqual({ begins: [], ends: [] });
  });

  it("ends captures of its part at their time, and no others", () => {
    const running = new Set(["r1.1", "r1.2", "r2.1", "r3.1"]);
    const all = [part("r1", 100, 200), part("r2", 100, 201)];
    expect(dueAlone(all, { now: 200, running, warmUpMs: () => 0 }).ends).toEqual(["r1.1", "r1.2"]);
  });

  it("finds its part again after a restart, and none in a damaged file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-part-"));
    const all = [part("r1", 100, 200)];
    const file = await openPartFile(folder, silentLog);
    expect(file.current).toEqual([]);
    await file.keep(all);
    expect(file.current).toEqual(all);
    expect((await openPartFile(folder, silentLog)).current).toEqual(all);
    await writeFile(join(folder, "part.json"), "[{}]");
    expect((await openPartFile(folder, silentLog)).current).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
