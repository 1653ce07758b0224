import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { tableErrorsIn } from "../../src/model/inspection.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { captureLoop } from "../kit/capture-loop.ts";
import { playHttp } from "../kit/player.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { soon, temporaryFolder, testWorld } from "./recorder.ts";

const run = promisify(execFile);
const TS = join(import.meta.dirname, "../fixtures/ts");
const PACKET = 188;
const isDone = ({ state }: Recording) => isTerminal(state);

/** Packets `from` to `to` of an endless loop of a capture. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** Counters that do not go on. */
function errorsOf(capture: Buffer, { from, to }: Part): number {
  const count = capture.length / PACKET;
  const last = new Map<number, number>();
  let errors = 0;
  for (let each = from; each < to; each += 1) {
    const at = (each % count) * PACKET;
    const pid = capture.readUInt16BE(at + 1) & 0x1fff;
    const control = capture[at + 3] ?? 0;
    const signals = (control & 0x20) !== 0 && capture[at + 4] !== 0 && ((capture[at + 5] ?? 0) & 0x80) !== 0;
    const before = last.get(pid);
    const step = (control & 0x10) === 0 ? 0 : 1;
    if (pid === 0x1fff) continue;
    if (before !== undefined && !signals && (control & 0x0f) !== ((before + step) & 0x0f)) errors += 1;
    last.set(pid, control & 0x0f);
  }
  return errors;
}

/** Seams at which a clock jumps back: one behind which fewer than two readings of it are left might be a single damaged one. */
function jumpsOf(capture: Buffer, { from, to }: Part, pcrPid: number | undefined): number {
  const count = capture.length / PACKET;
  const readings = Array.from({ length: to - from }, (_, nth) => from + nth).filter((each) => {
    const at = (each % count) * PACKET;
    const [, high = 0, low = 0, control = 0, length = 0, flags = 0] = capture.subarray(at, at + 6);
    const isPcr = (control & 0x20) !== 0 && length >= 7 && (flags & 0x10) !== 0;
    return isPcr && (((high << 8) | low) & 0x1fff) === pcrPid;
  });
  let jumps = 0;
  for (let seam = count * (Math.floor(from / count) + 1); seam < to; seam += count) {
    const before = readings.filter((each) => each < seam).length;
    if (before > 0 && readings.length - before >= 2) jumps += 1;
  }
  return jumps;
}

describe("a real capture played in a loop", () => {
  it("has every byte after a recording of the Italian multiplex, and the report shows only the seams", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const { world, deviceId } = home;
    const rai = { id: 101, sid: 3401 };
    await world.guide.seed({
      ...{ regions: [], manufacturers: [], types: [], series: [], shows: [] },
      channels: [
        {
          ...{ id: rai.id, name: "Rai 1", region_id: 1 },
          dvb: [{ original_network_id: 318, transport_stream_id: 18432, service_id: rai.sid }],
        },
      ],
    });
    const capture = await readFile(join(TS, "rai-dvbt-mux.ts"));
    await using player = await playHttp(captureLoop(capture, "real"), systemClock());
    const services = [{ service: `318/18432/${rai.sid}`, url: player.url }];
    await using recorder = await inProcess(folder.path, home, {
      tuners: [{ kind: "url", id: "roof", services }],
    });
    const show = { channel: rai.id, title: "Loop", start: soon(), durationMs: 4 * SECOND };
    const { evidence, attempts } = await recorder.until(await world.book(show, deviceId), isDone);

    const file = await readFile(evidence?.file ?? "");
    const from = capture.indexOf(file.subarray(0, 4 * PACKET)) / PACKET;
    const packets = file.length / PACKET;
    const count = capture.length / PACKET;
    const loops = Array.from({ length: Math.ceil((from + packets) / count) }, () => capture);
    const sent = Buffer.concat(loops).subarray(from * PACKET, (from + packets) * PACKET);
    expect(file.equals(sent)).toBe(true);
    const part = { from, to: from + packets };
    const errors = errorsOf(capture, part);
    await using inspection = openInspection(evidence?.file ?? "", {
      onid: 318,
      tsid: 18432,
      sid: rai.sid,
    });
    const found = await inspection.advance(new AbortController().signal);
    expect(found).toMatchObject({ continuityErrors: errors, transportErrors: 0, junkBytes: 0 });
    const { pcrPid } = found.services.find(({ sid }) => sid === rai.sid) ?? {};
    const jumps = jumpsOf(capture, part, pcrPid);
    expect(jumps).toBeGreaterThan(2);
    expect(found.clockBreaks).toHaveLength(jumps);
    expect(attempts).toHaveLength(1);
    const { continuityErrors: tableErrors } = tableErrorsIn(found);
    expect(tableErrors).toBeGreaterThan(0);
    const continuityErrors = errors - tableErrors;
    expect(evidence).toMatchObject({
      continuityErrors,
      tableErrors,
      transportErrors: 0,
      scrambledPackets: 0,
    });
  });

  it("shows only the seams in the French tables", async () => {
    const capture = await readFile(join(TS, "french-dvbt-si.ts"));
    const inspector = new Inspector(undefined);
    for (let loop = 0; loop < 5; loop += 1) inspector.push(capture);
    inspector.settle();
    const found = inspector.inspection();
    const errors = errorsOf(capture, { from: 0, to: (5 * capture.length) / PACKET });
    expect(found).toMatchObject({ continuityErrors: errors, transportErrors: 0, junkBytes: 0 });
    expect(found.services.map(({ name }) => name)).toEqual(["M6", "W9", "Arte", "France 5", "6ter"]);
  });
});

describe("R-24 two back-to-back recordings on one service", () => {
  it("use one tuner, both contain the overlap byte for byte, and join without a jump", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const { world, deviceId } = home;
    await using recorder = await inProcess(folder.path, home, {
      tuners: simTuners(home, 2),
      paddingSeconds: 2,
    });
    const start = soon() + SECOND;
    const show = { channel: 1, durationMs: 4 * SECOND };
    const first = await world.book({ ...show, title: "First", start }, deviceId);
    const second = await world.book({ ...show, title: "Second", start: start + 4 * SECOND }, deviceId);
    const ends = await Promise.all([first, second].map((timerId) => recorder.until(timerId, isDone)));
    expect(ends.map(({ state }) => state)).toEqual(["completed", "completed"]);
    expect(new Set(ends.flatMap(({ attempts }) => attempts.map(({ tunerId }) => tunerId))).size).toBe(1);

    const [one, two] = await Promise.all(ends.map(({ evidence }) => readFile(evidence?.file ?? "")));
    if (one === undefined || two === undefined) throw new Error("there are two files");
    const at = one.indexOf(two.subarray(0, 8 * PACKET));
    expect(at).toBeGreaterThan(0);
    const overlap = one.subarray(at);
    // Both were on for two seconds before and after the seam, at 625 packets a second.
    expect(overlap.length).toBeGreaterThanOrEqual(4 * 625 * PACKET);
    expect(two.subarray(0, overlap.length).equals(overlap)).toBe(true);

    const joined = join(folder.path, "joined.ts");
    await writeFile(joined, Buffer.concat([one, two.subarray(overlap.length)]));
    const { stdout } = await run("ffprobe", [
      ...["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time"],
      ...["-of", "json", joined],
    ]);
    const packets: readonly { readonly pts_time?: string }[] = JSON.parse(stdout).packets;
    const times = packets.map(({ pts_time }) => Number(pts_time));
    const steps = times.slice(1).map((time, index) => Math.round(1000 * (time - (times[index] ?? 0))));
    expect(times.length).toBeGreaterThan(10 * 25);
    expect([...new Set(steps)]).toEqual([40]);
  });
});
