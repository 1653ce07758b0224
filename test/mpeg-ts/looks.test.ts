import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Inspection } from "../../src/model/inspection.ts";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { Doubts } from "../../src/mpeg-ts/looks/doubts.ts";
import { FRAME_LENGTHS } from "../../src/mpeg-ts/looks/sound-frames.ts";
import { TICKS_PER_MS } from "../../src/mpeg-ts/streams/spans.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { layOut } from "../../src/simulator/broadcaster/lane.ts";
import { Multiplex } from "../../src/simulator/broadcaster/multiplex.ts";
import { generateService } from "../kit/generated-service.ts";
import { type Hollowing, hollowed } from "../kit/hollowed.ts";
import { plainService, plainStream } from "../kit/plain-service.ts";
import { everyMinute, testClip } from "../simulator/air.ts";

const PIDS = { pmt: 0x100, picture: 0x101, sound: 0x102 };
const LENGTH_MS = 16 * SECOND;

async function broadcast(): Promise<Buffer> {
  const air = { lane: layOut(await testClip()), schedule: everyMinute };
  const service = { triplet: { onid: 1, tsid: 1, sid: 1 }, name: "One", pids: PIDS };
  const stream = new Multiplex([service], air);
  return stream.packets(stream.indexAt(MINUTE), stream.indexAt(MINUTE + LENGTH_MS));
}

function inspected(bytes: Uint8Array, sid?: number): Inspection {
  const inspector = new Inspector(sid === undefined ? undefined : { onid: 318, tsid: 18_432, sid });
  inspector.push(bytes);
  inspector.settle();
  return inspector.inspection();
}

describe("R-04 what is doubted", () => {
  const picture: readonly Omit<Hollowing, "pid">[] = [
    { whole: 1, rest: "removed" },
    { whole: 1, rest: "lost" },
    { whole: 3, rest: "removed" },
    { whole: 0, rest: "zeros" },
    { whole: 1, rest: "zeros" },
    { whole: 0, rest: "noise" },
  ];
  const sound = picture.filter(({ whole }) => whole < 3);

  it("nothing of a whole broadcast", async () => {
    expect(inspected(await broadcast()).doubts).toBeUndefined();
  });

  it.each(picture)("pictures without their content: $whole packets whole, the others $rest", async (how) => {
    const { doubts = [], lacks } = inspected(hollowed(await broadcast(), { pid: PIDS.picture, ...how }));
    expect(lacks).toEqual([]);
    expect(doubts.map(({ kind, pid, start }) => [kind, pid, start])).toEqual([["picture", PIDS.picture, 0]]);
    expect(doubts[0]?.stop).toBeGreaterThan(LENGTH_MS - SECOND);
  });

  it.each(sound)("sound without its content: $whole packets whole, the others $rest", async (how) => {
    const { doubts = [] } = inspected(hollowed(await broadcast(), { pid: PIDS.sound, ...how }));
    expect(doubts.map(({ kind, pid, start }) => [kind, pid, start])).toEqual([["sound", PIDS.sound, 0]]);
  });

  it("only the part without content, with its place in the file", async () => {
    const part = { pid: PIDS.picture, whole: 0, rest: "zeros", from: 0.5, to: 0.9 } as const;
    const bytes = hollowed(await broadcast(), part);
    const [doubt, ...others] = inspected(bytes).doubts ?? [];
    expect(others).toEqual([]);
    const share = (value = 0, all = 1) => value / all;
    for (const found of [share(doubt?.start, LENGTH_MS), share(doubt?.from, bytes.length)]) {
      expect(Math.abs(found - 0.5)).toBeLessThan(3 / 16);
    }
    for (const found of [share(doubt?.stop, LENGTH_MS), share(doubt?.to, bytes.length)]) {
      expect(Math.abs(found - 0.9)).toBeLessThan(3 / 16);
    }
  });

  it("a second sound of zeros, which does not count for the whole", () => {
    const frame = new Uint8Array(576);
    frame.set([0xff, 0xfd, 0xa4, 0x00]);
    const sounds = [0x200, 0x201].map((pid) => plainStream(pid, "mp2", { unitMs: 24 }));
    const script = plainService([plainStream(0x100, "h264"), ...sounds]);
    const content = (stream: { readonly pid: number }) =>
      stream.pid === 0x201 ? new Uint8Array(576) : frame;
    const { doubts = [] } = inspected(generateService(script, content));
    expect(doubts.filter(({ kind }) => kind === "sound")).toMatchObject([
      { pid: 0x201, isExtra: true, start: 0 },
    ]);
  });

  it("nothing of a real multiplex, whose encoder fills pictures up with zeros", async () => {
    const bytes = await readFile("test/fixtures/ts/rai-dvbt-mux.ts");
    for (const sid of [3401, 3402, 3403, 3404, 3405, 3406, 3410, 3411]) {
      const { clockSid, doubts } = inspected(bytes, sid);
      expect({ clockSid, doubts }).toEqual({ clockSid: sid, doubts: undefined });
    }
  });
});

describe("frames of sound", () => {
  it.each([
    ["MPEG-2 audio", "ff fd a4 00 00 00", 576],
    ["MPEG-1 audio", "ff fb 92 00 00 00", 418],
    ["MPEG-2 audio", "ff f5 84 00 00 00", 384],
    ["MPEG-2 audio", "ff fd 04 00 00 00", 0],
    ["AC-3", "0b 77 00 00 14 40", 768],
    ["AC-3", "0b 77 00 00 55 40", 836],
    ["E-AC-3", "0b 77 01 ff 34 80", 1024],
    ["AAC", "ff f1 4c 80 2f fc", 383],
    ["AAC LATM", "56 e1 23 00 00 00", 294],
    ["AAC LATM", "00 00 00 00 00 00", 0],
  ])("%s %s: %d bytes", (codec, header, bytes) => {
    expect(FRAME_LENGTHS[codec]?.(Buffer.from(header.replaceAll(" ", ""), "hex"))).toBe(bytes);
  });
});

describe("doubts about a stream of which each unit takes 40 ms", () => {
  const ticks = (seconds: number) => seconds * 1000 * TICKS_PER_MS;

  function doubts(seconds: number, look: (unit: number) => { isHollow?: boolean; packets?: number }) {
    const found = new Doubts(0);
    for (let unit = 0; unit < 25 * seconds; unit += 1) {
      const { isHollow = false, packets = Number.POSITIVE_INFINITY } = look(unit);
      found.unit(ticks((unit + 1) / 25), { isHollow, packets, endAt: 100 * (unit + 1) });
    }
    return found;
  }

  it("damage is none", () => {
    expect(doubts(60, (unit) => ({ isHollow: unit % 3 === 0 })).spans(ticks(60))).toEqual([]);
  });

  it("pictures of one small size are one, unless a larger one comes now and then", () => {
    expect(doubts(24, () => ({ packets: 1 })).spans(ticks(24))).toMatchObject([{ start: 0, stop: 24_000 }]);
    expect(doubts(24, (unit) => ({ packets: unit % 250 === 0 ? 9 : 1 })).spans(ticks(24))).toEqual([]);
  });

  it("they move with the time that was lost before them", () => {
    const found = doubts(12, (unit) => ({ isHollow: unit >= 150 }));
    expect(found.spans(ticks(12))).toEqual([{ start: 6000, stop: 12_000, from: 15_000, to: 30_000 }]);
    found.insert(ticks(3), ticks(5));
    expect(found.spans(ticks(17))).toMatchObject([{ start: 11_000, stop: 17_000 }]);
  });
});
