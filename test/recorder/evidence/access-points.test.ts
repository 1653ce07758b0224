import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Triplet } from "../../../src/model/service.ts";
import { continuesPts, type FoundPoint } from "../../../src/mpeg-ts/streams/access-points.ts";
import { crc32 } from "../../../src/mpeg-ts/tables/sections.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { FILMS, film, keyFrames, radio } from "../../kit/films.ts";
import { join as joined, PidWriter, pat, pmt, TICKS_PER_MS } from "../../kit/ts-builder.ts";
import { casesOf } from "../../lane.ts";
import { fc } from "../../properties.ts";

const MULTIPLEX = "test/fixtures/ts/rai-dvbt-mux.ts";
const PMT_PID = 0x20;
const VIDEO_PID = 0x100;
const H264 = 0x1b;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "access-points-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Point = FoundPoint & { readonly tables: Uint8Array };

function pointsOf(parts: readonly Uint8Array[], service?: Triplet): readonly Point[] {
  const found: Point[] = [];
  const accessPoint = (point: FoundPoint, tables: Uint8Array) => found.push({ ...point, tables });
  const inspector = new Inspector(service, { accessPoint });
  for (const part of parts) inspector.push(part);
  inspector.settle();
  return found;
}

const places = (points: readonly Point[]) => points.map(({ offset, pts }) => ({ offset, pts }));

describe("access points of a stream by ffmpeg", () => {
  it.each(Object.entries(FILMS))("match the key frames that ffprobe finds in %s", async (name, codec) => {
    const file = join(folder, `${name}.ts`);
    await film(file, codec);
    const found = pointsOf([await readFile(file)]);
    expect(found.length).toBeGreaterThan(5);
    expect(places(found)).toEqual(await keyFrames(file));
  });

  it("have times on the timeline that match their PTS", async () => {
    const file = join(folder, "timeline.ts");
    await film(file);
    const points = pointsOf([await readFile(file)]);
    const [first] = points;
    for (const { pts, streamMs } of points) {
      const expected = (pts - (first?.pts ?? 0)) / 90 + (first?.streamMs ?? 0);
      // The time in the decoder's buffer varies.
      expect(Math.abs(streamMs - expected)).toBeLessThan(500);
    }
  });

  it("each begin a decodable stream after their tables", async () => {
    const file = join(folder, "from.ts");
    await film(file, FILMS["H.264 with open groups"]);
    const bytes = await readFile(file);
    for (const { offset, pts, tables } of pointsOf([bytes]).slice(1, 4)) {
      await writeFile(join(folder, "part.ts"), Buffer.concat([tables, bytes.subarray(offset)]));
      expect((await keyFrames(join(folder, "part.ts")))[0]).toEqual({ offset: tables.length, pts });
    }
  });

  it("occur at least every two seconds in radio, at sound packets that ffprobe finds", async () => {
    const file = join(folder, "radio.ts");
    await radio(file);
    const found = pointsOf([await readFile(file)]);
    const all = (await keyFrames(file, "a:0")).map(({ offset, pts }) => `${offset} ${pts}`);
    expect(found.length).toBeGreaterThanOrEqual(7);
    expect(all).toEqual(expect.arrayContaining(found.map(({ offset, pts }) => `${offset} ${pts}`)));
    const apart = found.slice(1).map(({ pts }, index) => pts - (found[index]?.pts ?? 0));
    for (const ticks of apart) expect(ticks).toBeGreaterThanOrEqual(90_000);
    for (const ticks of apart) expect(ticks).toBeLessThan(2 * 90_000);
  });

  it("are the same in portions of any size", async () => {
    const file = join(folder, "portions.ts");
    await film(file, FILMS["H.264 with open groups"]);
    const bytes = await readFile(file);
    const whole = pointsOf([bytes]);
    const cuts = fc.uniqueArray(fc.nat(bytes.length), { maxLength: 40 });
    fc.assert(
      fc.property(cuts, (unordered) => {
        const at = [0, ...unordered.toSorted((a, b) => a - b), bytes.length];
        const parts = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(pointsOf(parts)).toEqual(whole);
        return true;
      }),
      { numRuns: casesOf({ sample: 10, all: 30 }) },
    );
  });
});

describe("access points of a broadcast multiplex", () => {
  it.each([3401, 3402, 3403, 3410, 3411])("are the key frames of service %i, and no others", async (sid) => {
    const found = places(pointsOf([await readFile(MULTIPLEX)], { onid: 318, tsid: 18_432, sid }));
    const keys = await keyFrames(MULTIPLEX, `p:${sid}:v:0`);
    // The first one may come before the PMT.
    expect(found.length).toBeGreaterThan(0);
    expect(keys.length - found.length).toBeLessThanOrEqual(1);
    expect(found).toEqual(keys.slice(-found.length));
  });
});

/** A PES packet with a PTS, and what its header has after that. */
function unit(pts: number, content: readonly number[], more: readonly number[] = []): Uint8Array {
  const field = [0x21 | ((pts / 2 ** 29) & 0x0e), (pts >> 22) & 0xff, ((pts >> 14) & 0xfe) | 1];
  const stamp = [...field, (pts >> 7) & 0xff, ((pts << 1) & 0xfe) | 1];
  return Uint8Array.from([0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5 + more.length, ...stamp, ...more, ...content]);
}

const START = [0, 0, 1];
const SLICE = [...START, 0x41, 0x9a, 0x80, 0x80];
const SPS = [...START, 0x67, 0x42, 0, 0x1e];

/** A service with a picture each 500 ms, and what each holds. */
class Station {
  readonly #pat = new PidWriter(0);
  readonly #pmt = new PidWriter(PMT_PID);
  readonly #video = new PidWriter(VIDEO_PID);
  #ms = 0;
  #clockMs = 0;

  tables(version = 0, type = H264): readonly Uint8Array[] {
    const map = { sid: 1, pcrPid: VIDEO_PID, version, streams: [{ type, pid: VIDEO_PID }] };
    return [...this.#pat.sections(pat(1, { programmes: [[1, PMT_PID]] })), ...this.#pmt.sections(pmt(map))];
  }

  /** From now on, PCR and PTS differ by so much from what they were to be. */
  jump(ms: number): void {
    this.#clockMs += ms;
  }

  get pts(): number {
    return 90 * (this.#ms + this.#clockMs);
  }

  picture(content: readonly number[], header?: readonly number[]): readonly Uint8Array[] {
    const bytes = unit(this.pts, content, header);
    // Clocks come each 100 ms.
    const packets: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 160) {
      const payload = bytes.subarray(at, at + 160);
      packets.push(this.#video.next({ starts: at === 0, ...(at === 0 ? this.#pcr() : {}), payload }));
    }
    for (let step = 0; step < 5; step += 1) {
      this.#ms += 100;
      if (step < 4) packets.push(this.#video.next(this.#pcr()));
    }
    return packets;
  }

  #pcr() {
    return { pcr: (this.#ms + this.#clockMs) * TICKS_PER_MS };
  }
}

/** Whether a picture with this content is an access point. */
function isAccess(content: readonly number[], { type = H264 } = {}): boolean {
  const station = new Station();
  const packets = [...station.tables(0, type), ...station.picture(content)];
  return pointsOf([joined(packets)]).length === 1;
}

describe("a picture is an access point", () => {
  const aud = [...START, 0x09, 0xf0];
  const message = (type: number, size: number) => [type, size, ...new Array<number>(size).fill(0xaa)];

  it.each([
    ["with an SPS", [...aud, ...SPS, ...SLICE], true],
    ["with an IDR slice alone", [...aud, ...START, 0x65, 0x88], true],
    ["with a PPS and a slice of another kind", [...aud, ...START, 0x68, 0xce, ...SLICE], false],
    ["with a recovery point message", [...aud, ...START, 0x06, ...message(6, 1), 0x80, ...SLICE], true],
    [
      "with a recovery point message behind others",
      [...START, 0x06, ...message(0, 3), ...message(1, 9), ...message(6, 1), ...SLICE],
      true,
    ],
    ["not with other messages", [...START, 0x06, ...message(0, 6), ...message(4, 6), 0x80, ...SLICE], false],
    [
      "with a recovery point message behind one of 300 bytes",
      [...START, 0x06, 4, 0xff, 45, ...new Array(300).fill(0x55), 6, 1, 0xc4, ...SLICE],
      true,
    ],
    [
      "with a recovery point message behind emulation prevention",
      [...START, 0x06, 4, 4, 0, 0, 3, 0, 9, 6, 1, 0xc4, ...SLICE],
      true,
    ],
    ["not with an SPS after the first slice", [...aud, ...SLICE, ...SPS], false],
  ] as const)("of H.264 %s", (_name, content, expected) => {
    expect(isAccess(content)).toBe(expected);
  });

  it("with any PES header, even one that fills its first packet", () => {
    const station = new Station();
    const header = [...SLICE, ...new Array<number>(200).fill(0xff)];
    const tables = station.tables();
    const bytes = joined([...tables, ...station.picture([...aud, ...SPS, ...SLICE], header)]);
    const [point] = pointsOf([bytes]);
    const offset = 188 * tables.length;
    expect(point).toMatchObject({ offset, check: crc32(bytes.subarray(offset, offset + 188)) });
  });

  it("by the standard of its stream: MPEG-2 by a sequence header, H.265 by an IRAP picture", () => {
    const mpeg2 = { type: 0x02 };
    expect(isAccess([...START, 0xb3, 0x2d, ...START, 0, 0, 0x0f], mpeg2)).toBe(true);
    expect(isAccess([...START, 0, 0, 0x0f, ...START, 0xb3, 0x2d], mpeg2)).toBe(false);
    const h265 = { type: 0x24 };
    expect(isAccess([...START, 0x46, 1, 0x50, ...START, 0x2a, 1, 0xac], h265)).toBe(true);
    expect(isAccess([...START, 0x46, 1, 0x50, ...START, 0x02, 1, 0xd0, ...START, 0x42, 1], h265)).toBe(false);
  });

  it("but not after the loss of one of its first packets", () => {
    const station = new Station();
    const filler = [...START, 0x06, 4, 0xff, 145, ...new Array<number>(400).fill(0x55)];
    const picture = station.picture([...filler, ...SPS, ...SLICE]);
    const tables = station.tables();
    expect(pointsOf([joined([...tables, ...picture])])).toHaveLength(1);
    expect(pointsOf([joined([...tables, ...picture.slice(0, 1), ...picture.slice(2)])])).toEqual([]);
  });
});

describe("the tables of an access point", () => {
  it("are the packets of the tables in force", () => {
    const station = new Station();
    const before = station.tables();
    const packets = [...before, ...station.picture(SPS), ...station.picture(SPS)];
    const after = new Station().tables(1, 0x02);
    const changed = [...station.tables(1, 0x02), ...station.picture([...START, 0xb3])];
    const points = pointsOf([joined([...packets, ...changed])]);
    expect(points.map(({ tables }) => Buffer.from(tables))).toEqual(
      [before, before, after].map((tables) => Buffer.from(joined(tables))),
    );
  });
});

describe("the PTS of an access point", () => {
  it("continues the previous one unless the clock changes or data is missing", () => {
    const station = new Station();
    const packets = [...station.tables(), ...station.picture(SPS), ...station.picture(SPS)];
    station.jump(3_600_000);
    packets.push(...station.picture(SPS), ...station.picture(SPS));
    const points = pointsOf([joined(packets)]);
    const breaks = points.slice(1).map((point, index) => !continuesPts(points[index] ?? point, point));
    expect(breaks).toEqual([false, true, false]);
  });
});
