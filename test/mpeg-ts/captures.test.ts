import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Inspection } from "../../src/model/inspection.ts";
import type { Triplet } from "../../src/model/service.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { join } from "../kit/ts-builder.ts";

const RAI = readFileSync("test/fixtures/ts/rai-dvbt-mux.ts");
const FRENCH = readFileSync("test/fixtures/ts/french-dvbt-si.ts");

function inspect(bytes: Uint8Array, service?: Triplet): Inspection {
  const inspector = new Inspector(service);
  inspector.push(bytes);
  inspector.settle();
  return inspector.inspection();
}

function pid(found: Inspection, pid: number) {
  return found.pids.find((each) => each.pid === pid);
}

/** Without every n-th packet of a PID that has payload; and how many those were. */
function losing(bytes: Uint8Array, { pid, every }: { readonly pid: number; readonly every: number }) {
  const kept: Uint8Array[] = [];
  let seen = 0;
  let lost = 0;
  for (let at = 0; at < bytes.length; at += 188) {
    const isPid = (((bytes[at + 1] ?? 0) & 0x1f) << 8) + (bytes[at + 2] ?? 0) === pid;
    if (isPid) seen += 1;
    if (isPid && seen % every === 0) lost += 1;
    else kept.push(bytes.subarray(at, at + 188));
  }
  return { bytes: join(kept), lost };
}

describe("a capture of an Italian multiplex", () => {
  const found = inspect(RAI);

  it("has the captured packets, none of them damaged", () => {
    expect(found).toMatchObject({
      bytes: 3_760_000,
      packets: 20_000,
      nullPackets: 638,
      junkBytes: 0,
      continuityErrors: 0,
      transportErrors: 0,
      scrambledPackets: 0,
      transportStreamId: 18_432,
      originalNetworkId: 318,
    });
  });

  it("names its services", () => {
    expect(found.services.map(({ sid, name }) => [sid, name])).toEqual([
      [3401, "Rai 1"],
      [3402, "Rai 2"],
      [3403, "Rai 3 TGR Emilia Romagna"],
      [3404, "Rai Radio1"],
      [3405, "Rai Radio2"],
      [3406, "Rai Radio3"],
      [3410, "Test HEVC main10"],
      [3411, "Rai News 24"],
    ]);
    expect(found.services[0]?.triplet).toEqual({ onid: 318, tsid: 18_432, sid: 3401 });
  });

  it("lists kind and language of each stream", () => {
    const streams = found.services.find(({ sid }) => sid === 3401)?.streams ?? [];
    expect(streams).toContainEqual({ pid: 512, streamType: 2, kind: "video", codec: "MPEG-2 video" });
    expect(streams).toContainEqual({
      pid: 650,
      streamType: 4,
      kind: "audio",
      codec: "MPEG-2 audio",
      language: "ita",
    });
    expect(streams).toContainEqual({
      pid: 576,
      streamType: 6,
      kind: "teletext",
      codec: "DVB teletext",
      language: "ita",
    });
    const hevc = found.services.find(({ sid }) => sid === 3410)?.streams;
    expect(hevc).toEqual([{ pid: 500, streamType: 36, kind: "video", codec: "H.265" }]);
  });

  it("includes the present and the following event", () => {
    expect(pid(found, 18)?.packets).toBe(54);
    const [present, following] = found.events.filter(({ service }) => service.sid === 3401);
    expect(present).toMatchObject({
      which: "present",
      eventId: 59_625,
      start: Date.UTC(2022, 0, 16, 9, 55),
      durationMs: 55 * 60_000,
      runningStatus: 4,
      title: "Santa Messa dalla Chiesa di Sant'Andrea",
    });
    expect(following).toMatchObject({ which: "following", title: "A Sua immagine", runningStatus: 1 });
  });

  it("lasts as long as its bit rate implies", () => {
    // 20,000 packets at 22.4 Mbit/s.
    const lengthMs = (20_000 * 188 * 8) / 22_400;
    expect(Math.abs(found.streamMs - lengthMs)).toBeLessThan(50);
    expect(found.spans).toEqual([{ start: 0, stop: found.streamMs }]);
    expect(found.clockBreaks).toEqual([]);
  });

  it("counts only the payload of the service in question", () => {
    const one = inspect(RAI, { onid: 318, tsid: 18_432, sid: 3410 });
    expect(one.clockSid).toBe(3410);
    expect(one.payloadPackets).toBeGreaterThan(0);
    expect(one.payloadPackets).toBeLessThanOrEqual(321);
    expect(inspect(RAI, { onid: 318, tsid: 18_432, sid: 1 })).toMatchObject({ payloadPackets: 0, spans: [] });
  });

  it("shows each lost packet on its PID", () => {
    for (const every of [2, 7, 50]) {
      const { bytes, lost } = losing(RAI, { pid: 650, every });
      const damaged = inspect(bytes);
      // A loss behind the last packet that is left cannot be seen.
      const seen = pid(damaged, 650)?.continuityErrors ?? 0;
      expect(lost - seen === 0 || (lost - seen === 1 && 175 % every === 0)).toBe(true);
      expect(damaged.continuityErrors).toBe(seen);
    }
  });

  it("has one seam when played twice: one clock break, and a continuity error per jumping PID", () => {
    const twice = inspect(join([RAI, RAI]));
    // The counter that the second run would have to follow: the one before the first packet. Some first packets signal a discontinuity.
    const before = new Map<number, number | "signalled">();
    const last = new Map<number, number>();
    for (let at = 0; at < RAI.length; at += 188) {
      const id = (((RAI[at + 1] ?? 0) & 0x1f) << 8) + (RAI[at + 2] ?? 0);
      const control = RAI[at + 3] ?? 0;
      const signals = (control & 0x20) !== 0 && RAI[at + 4] !== 0 && ((RAI[at + 5] ?? 0) & 0x80) !== 0;
      const hasPayload = (control & 0x10) !== 0;
      if (!before.has(id)) before.set(id, signals ? "signalled" : (control - (hasPayload ? 1 : 0)) & 0x0f);
      last.set(id, control & 0x0f);
    }
    const jumping = [...last]
      .filter(
        ([id, counter]) => id !== 0x1fff && before.get(id) !== "signalled" && counter !== before.get(id),
      )
      .map(([id]) => id)
      .sort((a, b) => a - b);
    expect(jumping.length).toBeGreaterThan(20);
    expect(twice.pids.filter((each) => each.continuityErrors > 0).map((each) => each.pid)).toEqual(jumping);
    expect(twice.continuityErrors).toBe(jumping.length);
    expect(twice.clockBreaks).toEqual([found.streamMs]);
    expect(twice.transportErrors).toBe(0);
  });
});

describe("a capture of the tables of a French multiplex", () => {
  const found = inspect(FRENCH);

  it("has the captured packets, none of them damaged", () => {
    expect(found).toMatchObject({
      packets: 6170,
      junkBytes: 0,
      continuityErrors: 0,
      transportErrors: 0,
      transportStreamId: 4,
      originalNetworkId: 8442,
    });
  });

  it("names its services, although it has no PMT", () => {
    expect(found.services.map(({ sid, name }) => [sid, name])).toEqual([
      [1025, "M6"],
      [1026, "W9"],
      [1031, "Arte"],
      [1045, "France 5"],
      [1046, "6ter"],
    ]);
  });

  it("includes the time, from 12:51:09 on MJD 58505", () => {
    expect(found.firstTime?.utc).toBe(Date.UTC(2019, 0, 22, 12, 51, 9));
    expect(found.lastTime?.utc).toBe(Date.UTC(2019, 0, 22, 12, 52, 9));
  });

  it("has titles with their accents", () => {
    expect(found.events.map(({ title }) => title)).toContain("Scènes de ménages");
    expect(found.events).toHaveLength(10);
  });

  it("proves no coverage without a clock", () => {
    expect(found).toMatchObject({ spans: [], streamMs: 0, payloadPackets: 0 });
    expect(found.clockSid).toBeUndefined();
  });
});
