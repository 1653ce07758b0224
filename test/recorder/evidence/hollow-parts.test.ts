import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Inspection } from "../../../src/model/inspection.ts";
import { HOUR, MINUTE, SECOND } from "../../../src/model/time.ts";
import { totalMs } from "../../../src/model/window.ts";
import { type Excerpt, excerptDecoder } from "../../../src/recorder/evidence/excerpt.ts";
import { withoutHollowParts } from "../../../src/recorder/evidence/hollow-parts.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { EVIDENCE_LIMITS } from "../../../src/recorder/evidence/limits.ts";
import { layOut } from "../../../src/simulator/broadcaster/lane.ts";
import { Multiplex } from "../../../src/simulator/broadcaster/multiplex.ts";
import { type Hollowing, hollowed } from "../../kit/hollowed.ts";
import { madeOnce } from "../../kit/made-once.ts";
import { everyMinute, testClip } from "../../simulator/air.ts";

const PIDS = { pmt: 0x100, picture: 0x101, sound: 0x102 };
const LENGTH_MS = 16 * SECOND;
const { signal } = new AbortController();
let folder = "";
let whole: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-hollow-"));
  const air = { lane: layOut(await testClip()), schedule: everyMinute };
  const service = { triplet: { onid: 1, tsid: 1, sid: 1 }, name: "One", pids: PIDS };
  const stream = new Multiplex([service], air);
  whole = stream.packets(stream.indexAt(MINUTE), stream.indexAt(MINUTE + LENGTH_MS));
});

afterAll(async () => await rm(folder, { recursive: true, force: true }));

function inspected(bytes: Uint8Array): Inspection {
  const inspector = new Inspector(undefined);
  inspector.push(bytes);
  inspector.settle();
  return inspector.inspection();
}

/** The inspection of a file after its doubtful parts were decoded. */
async function judged(bytes: Uint8Array, found: Inspection, ffmpegPath = "ffmpeg"): Promise<Inspection> {
  // The protocol that reads a part of a file has a syntax of its own.
  const file = join(folder, "A, b: c,,:d.ts");
  await writeFile(file, bytes);
  const decodesExcerpt = excerptDecoder({ ffmpegPath, clock: systemClock() });
  return await withoutHollowParts(found, { file, decodesExcerpt }, signal);
}

async function hollow(how: Hollowing, ffmpegPath?: string): Promise<Inspection> {
  const bytes = hollowed(whole, how);
  return await judged(bytes, inspected(bytes), ffmpegPath);
}

const picture = { pid: PIDS.picture, whole: 0, rest: "zeros", from: 0.4, to: 0.9 } as const;

describe("R-04 a doubtful part", () => {
  it("counts if it decodes", async () => {
    const { streamMs: stop, spans, ...found } = inspected(whole);
    const doubts = [PIDS.picture, PIDS.sound].map((pid) => {
      const kind = pid === PIDS.picture ? ("picture" as const) : ("sound" as const);
      return { pid, kind, start: 0, stop, from: 0, to: whole.length };
    });
    const seen = await judged(whole, { ...found, streamMs: stop, spans, doubts });
    expect(seen).toEqual({ ...found, streamMs: stop, spans });
  });

  it("lacks its picture if none decodes, and the rest of the file counts", async () => {
    const { spans, lacks, tracks, hollow: why, doubts } = await hollow(picture);
    expect({ why, doubts, kinds: lacks.map(({ kind }) => kind) }).toEqual({
      why: [{ kind: "picture" }],
      doubts: undefined,
      kinds: ["picture"],
    });
    expect(Math.abs(totalMs(lacks) - LENGTH_MS / 2)).toBeLessThan(3 * SECOND);
    expect(totalMs(spans)).toBeLessThan(LENGTH_MS - totalMs(lacks) + SECOND);
    const presentMs = tracks.map(({ kind, spans: present }) => [kind, totalMs(present) < 14 * SECOND]);
    expect(presentMs).toEqual([
      ["video", true],
      ["audio", false],
    ]);
  });

  it("lacks its sound if none decodes", async () => {
    const { lacks, hollow: why } = await hollow({ pid: PIDS.sound, whole: 1, rest: "noise" });
    expect(lacks).toMatchObject([{ kind: "sound", start: 0 }]);
    expect(why).toEqual([{ kind: "sound" }]);
  });

  it("of another sound is missing in that alone", async () => {
    const { streamMs: stop, ...found } = inspected(whole);
    const extra = { pid: PIDS.sound, kind: "sound", isExtra: true, start: 0, stop, from: 0, to: 1 } as const;
    const decodesExcerpt = async () => false;
    const order = { file: "", decodesExcerpt };
    const seen = await withoutHollowParts({ ...found, streamMs: stop, doubts: [extra] }, order, signal);
    expect(seen).toMatchObject({ spans: found.spans, lacks: [] });
    expect(seen.hollow).toBeUndefined();
    expect(seen.tracks.map(({ kind, spans }) => [kind, totalMs(spans) > 0])).toEqual([
      ["video", true],
      ["audio", false],
    ]);
  });

  it("lacks its picture if it is noise behind the first packets of MPEG-2 pictures, also at a low rate", async () => {
    const source = ["-f", "lavfi", "-i", "testsrc2=size=352x288:rate=25:duration=16"];
    const coded = ["-c:v", "mpeg2video", "-b:v", "1M", "-f", "mpegts"];
    const bytes = await readFile(await madeOnce([...source, ...coded]));
    expect(inspected(bytes).doubts).toBeUndefined();
    const noisy = hollowed(bytes, { pid: 0x100, whole: 1, rest: "noise" });
    const { lacks, hollow: why } = await judged(noisy, inspected(noisy));
    expect(why).toEqual([{ kind: "picture" }]);
    expect(lacks).toMatchObject([{ kind: "picture", start: 0 }]);
  });

  describe("of a picture that stands still, with one key picture in 40 s", () => {
    const PICTURE_PID = 0x100;
    let still: Buffer;
    beforeAll(async () => {
      const picture = ["-f", "lavfi", "-i", "color=c=gray:size=320x180:rate=25:duration=40"];
      const coded = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "1000", "-f", "mpegts"];
      still = await readFile(await madeOnce([...picture, ...coded]));
    });

    it("counts", async () => {
      const found = inspected(still);
      expect(found.doubts).toBeDefined();
      expect(await judged(still, found)).toMatchObject({ lacks: [], spans: found.spans });
    });

    it("lacks its picture from where there is none", async () => {
      const bytes = hollowed(still, { pid: PICTURE_PID, whole: 0, rest: "zeros", from: 0.5 });
      const { lacks } = await judged(bytes, inspected(bytes));
      expect(lacks.map(({ kind }) => kind)).toEqual(["picture"]);
      expect(Math.abs(totalMs(lacks) - 20 * SECOND)).toBeLessThan(4 * SECOND);
    });
  });

  it("does not count if there is no decoder", async () => {
    const { lacks, hollow: why } = await hollow(picture, join(folder, "no-ffmpeg"));
    expect(lacks.map(({ kind }) => kind)).toEqual(["picture"]);
    expect(why).toEqual([{ kind: "picture", isUnchecked: true }]);
  });

  it("that is long is decoded at several places, few in all", async () => {
    const asked: Excerpt[] = [];
    const length = { start: 0, stop: HOUR, from: 0, to: 3600 * 1_000_000 };
    const found = { ...inspected(whole), spans: [length] };
    const doubts = [{ ...length, kind: "picture" as const, pid: PIDS.picture }];
    const decodesExcerpt = async (excerpt: Excerpt) => {
      if (excerpt.leadMs !== undefined) return false;
      asked.push(excerpt);
      return asked.length < 3;
    };
    const { spans } = await withoutHollowParts({ ...found, doubts }, { file: "", decodesExcerpt }, signal);
    expect(asked.length).toBe(EVIDENCE_LIMITS.excerpts);
    expect(asked.at(-1)?.from).toBeGreaterThan(0.9 * length.to);
    for (const { from, to } of asked) expect(to - from).toBeLessThanOrEqual(EVIDENCE_LIMITS.excerptBytes);
    expect(totalMs(spans)).toBe((HOUR * 2) / EVIDENCE_LIMITS.excerpts);
  });
});
