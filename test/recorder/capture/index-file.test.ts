import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { composeIndex } from "../../../src/mpeg-ts/access-index/compose.ts";
import { decodeIndex } from "../../../src/mpeg-ts/access-index/format.ts";
import { recordingIndex, segmentIndex } from "../../../src/recorder/capture/files.ts";
import { hasIndex, isIndex, readIndex, readWholeIndex } from "../../../src/recorder/capture/index-file.ts";
import type { UsedPart } from "../../../src/recorder/capture/join.ts";
import { parseNameTemplate } from "../../../src/recorder/capture/name-template.ts";
import { createRecordingFiles } from "../../../src/recorder/capture/recording-files.ts";
import { inspecting } from "../../../src/recorder/evidence/file-inspection.ts";
import { findOverlap } from "../../../src/recorder/evidence/overlap.ts";
import { finishedIndex, growingIndex } from "../../../src/recorder/subsystems/playback/access-index.ts";
import { FILMS, film, keyFrames } from "../../kit/films.ts";
import { told } from "../../kit/tool.ts";

const PACKET = 188;
const BEGAN = Date.UTC(2026, 10, 28, 20);
/** Sizes in the index: an entry; the header, the tables (two packets) and the entry before them. */
const ENTRY = 32;
const TABLES_END = 2 * ENTRY + 2 * PACKET + 8;
const signal = new AbortController().signal;
const failures: string[] = [];
const open = inspecting({ index: (file) => failures.push(file) });

let place: string;
let folder: string;
let bytes: Buffer;
let keys: Awaited<ReturnType<typeof keyFrames>>;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "index-file-"));
  const original = join(place, "original.ts");
  await film(original, FILMS["H.264 with IDR pictures"]);
  bytes = await readFile(original);
  keys = await keyFrames(original);
});
afterAll(() => rm(place, { recursive: true, force: true }));
beforeEach(async () => {
  failures.length = 0;
  folder = await mkdtemp(join(place, "recordings-"));
  await mkdir(join(folder, ".recorderd"));
});

const segment = (number: number) => join(folder, ".recorderd", `r1.${number}.ts.part`);
const filesOf = (file: string) => ({ file, index: segmentIndex(file) });
const places = (points: readonly { readonly offset: number; readonly pts: number }[]) =>
  points.map(({ offset, pts }) => ({ offset, pts }));

/** The film as it would be so much later on the same clock. */
async function later(ms: number): Promise<Buffer> {
  const [from, to] = [join(place, "original.ts"), join(place, `later-${ms}.ts`)];
  const shift = ["-c", "copy", "-copyts", "-muxdelay", "0", "-output_ts_offset", `${ms / 1000}`];
  await told("ffmpeg", { args: ["-v", "error", "-i", from, ...shift, "-f", "mpegts", "-y", to] });
  return await readFile(to);
}

/** Writes a segment as a capture does, and inspects it to its end. */
async function record(number: number, content: Uint8Array): Promise<string> {
  const file = segment(number);
  await writeFile(file, content);
  await using inspection = open(file, undefined);
  await inspection.advance(signal);
  return file;
}

function shelf(onIndexFailure: (file: string) => void = (file) => failures.push(file)) {
  return createRecordingFiles({
    folder,
    template: parseNameTemplate("{title}", "UTC"),
    ownership: { fileMode: 0o644, folderMode: 0o755 },
    onIndexFailure,
  });
}

async function published(
  segments: readonly string[],
  {
    cuts = new Map<string, UsedPart>(),
    beginnings = new Map<string, number>(),
  }: {
    readonly cuts?: ReadonlyMap<string, UsedPart>;
    readonly beginnings?: ReadonlyMap<string, number>;
  } = {},
): Promise<string> {
  const files = shelf();
  const facts = { title: "News", channel: "ABC", start: 0, recordingId: "r1", timerId: "1" };
  const { file } = await files.reserve(facts);
  const done = await files.publish({ recordingId: "r1", segments, cuts, beginnings, file }, signal);
  if (done === undefined) throw new Error("there is something to publish");
  return done.file;
}

describe("the index of a segment", () => {
  it("grows with the segment, and has exactly its access points at any time", async () => {
    const file = segment(1);
    await writeFile(file, "");
    await using inspection = open(file, undefined);
    for (let at = 0; at < bytes.length; at += 100_003) {
      await appendFile(file, bytes.subarray(at, at + 100_003));
      await inspection.advance(signal);
      const { points, isGrowing, bytes: size } = await growingIndex([{ file, isOver: false }]);
      expect({ isGrowing, size }).toEqual({ isGrowing: true, size: Math.min(bytes.length, at + 100_003) });
      expect(places(points)).toEqual(keys.slice(0, points.length));
      // A point needs its first packets and the sync byte after them.
      const due = keys.filter(({ offset }) => offset + 20 * PACKET < size);
      expect(points.length).toBeGreaterThanOrEqual(due.length);
    }
  });

  it("is rewritten with the same bytes after a restart", async () => {
    const file = await record(1, bytes.subarray(0, 200_000));
    await appendFile(file, bytes.subarray(200_000));
    await using inspection = open(file, undefined);
    await inspection.advance(signal);
    await inspection[Symbol.asyncDispose]();
    const restarted = await readFile(segmentIndex(file));
    const once = await record(2, bytes);
    expect(restarted).toEqual(await readFile(segmentIndex(once)));
    expect(places((await readWholeIndex(filesOf(file))).points)).toEqual(keys);
  });

  it("can be read up to its end, wherever it is cut", async () => {
    const file = await record(1, bytes);
    const whole = await readFile(segmentIndex(file));
    const { points, tables } = decodeIndex(whole, "whole");
    for (let length = 32; length <= whole.length; length += 1) {
      const found = decodeIndex(whole.subarray(0, length), "cut");
      expect(found.points).toEqual(points.slice(0, found.points.length));
      const entries = Math.floor((length - TABLES_END) / ENTRY);
      expect(found.points).toHaveLength(Math.max(0, Math.min(points.length, entries)));
      expect([[], tables]).toContainEqual(found.tables);
      expect(found.end === undefined).toBe(length < whole.length);
    }
    // A power loss leaves zeros.
    const zeros = Buffer.from(whole).fill(0, TABLES_END + ENTRY, TABLES_END + 2 * ENTRY);
    expect(decodeIndex(zeros, "zeros")).toEqual({ points: points.slice(0, 1), tables });
  });

  it("is refused if it is missing, belongs to another file or has another format", async () => {
    const file = await record(1, bytes);
    const refused = { code: "INDEX_UNUSABLE" };
    const other = Buffer.from(bytes);
    other.fill(0xff, keys.at(-1)?.offset ?? 0);
    await writeFile(file, other);
    await expect(readIndex(filesOf(file))).rejects.toMatchObject(refused);
    await writeFile(file, bytes.subarray(0, 100_000));
    await expect(readIndex(filesOf(file))).rejects.toMatchObject(refused);
    await writeFile(segmentIndex(file), "# VobSub index file, v7");
    await expect(readIndex(filesOf(file))).rejects.toMatchObject(refused);
    expect(await isIndex(segmentIndex(file))).toBe(false);
    await rm(segmentIndex(file));
    await expect(readIndex(filesOf(file))).rejects.toMatchObject(refused);
  });

  it("R-29 that cannot be written does not affect the inspection, and is reported once", async () => {
    const file = segment(1);
    await mkdir(segmentIndex(file));
    await writeFile(file, bytes.subarray(0, 200_000));
    await using inspection = open(file, undefined);
    await inspection.advance(signal);
    await appendFile(file, bytes.subarray(200_000));
    const found = await inspection.advance(signal);
    await using plain = inspecting({})(file, undefined);
    expect(found).toEqual(await plain.advance(signal));
    expect(failures).toEqual([segmentIndex(file)]);
  });
});

describe("the index of a recording", () => {
  it("is the index of its only segment", async () => {
    const file = await published([await record(1, bytes)]);
    expect(await readdir(folder)).toEqual([".recorderd", "News.index", "News.ts"]);
    expect(await readdir(join(folder, ".recorderd"))).toEqual([]);
    const index = await finishedIndex(file);
    expect(index).toMatchObject({ isGrowing: false, bytes: bytes.length });
    expect(places(index.points)).toEqual(keys);
    expect(index.points.some(({ isBreak }) => isBreak)).toBe(false);
    expect(await hasIndex({ file, index: recordingIndex(file) })).toBe(true);
    expect((await stat(recordingIndex(file))).mode & 0o777).toBe(0o644);
  });

  it("R-28 is the same if two overlapping attempts wrote the recording", async () => {
    const middle = PACKET * Math.floor(bytes.length / PACKET / 2);
    const first = await record(1, bytes.subarray(0, middle + 400 * PACKET + 77));
    const second = await record(2, bytes.subarray(middle - 400 * PACKET));
    const growing = await growingIndex([
      { file: first, isOver: true },
      { file: second, isOver: true },
    ]);
    expect(growing.points.filter(({ isBreak }) => isBreak).length).toBeLessThanOrEqual(1);
    const overlap = await findOverlap({ first, second, pids: new Set([0x100, 0x101]) });
    // A packet that is cut off belongs to no recording.
    const cuts = new Map([[first, { from: 0, bytes: overlap?.bytesBefore ?? 0 }]]);
    expect(cuts.get(first)?.bytes).toBeGreaterThan(0);
    const file = await published([first, second], { cuts });
    expect((await readFile(file)).equals(bytes)).toBe(true);
    const index = await finishedIndex(file);
    expect(places(index.points)).toEqual(keys);
    expect(index.points.some(({ isBreak }) => isBreak)).toBe(false);
    const whole = await readIndex(filesOf(await record(3, bytes)));
    for (const [number, { streamMs }] of whole.index.points.entries()) {
      expect(Math.abs((index.points[number]?.streamMs ?? 0) - streamMs)).toBeLessThan(100);
    }
    expect(Math.abs(index.durationMs - (whole.index.end?.streamMs ?? 0))).toBeLessThan(100);
  });

  it("has no points before the first used byte of a segment", async () => {
    const file = await record(1, bytes);
    const { index } = await readIndex(filesOf(file));
    const from = 1 + (keys[2]?.offset ?? 0);
    const { points, end } = composeIndex([{ index, from, bytes: bytes.length - from }]);
    expect(end.bytes).toBe(bytes.length - from);
    expect(places(points)).toEqual(keys.slice(3).map(({ offset, pts }) => ({ offset: offset - from, pts })));
    expect(Math.abs((points[0]?.streamMs ?? 0) - 1000)).toBeLessThan(100);
  });

  it("marks a break at an attempt that began after a gap", async () => {
    const [third = 0, sixth = 0] = [keys[2]?.offset, keys[6]?.offset];
    const segments = [await record(1, bytes.subarray(0, third)), await record(2, bytes.subarray(sixth))];
    const growing = await growingIndex(segments.map((file) => ({ file, isOver: true })));
    const index = await finishedIndex(await published(segments));
    expect(growing).toEqual({ ...index, isGrowing: true });
    const stamps = index.points.map(({ pts }) => pts);
    expect(stamps.length).toBeGreaterThan(2);
    const kept = [...keys.slice(0, 2), ...keys.slice(2 - stamps.length)];
    expect(stamps).toEqual(kept.map(({ pts }) => pts));
    const breaks = index.points.flatMap(({ isBreak }, number) => (isBreak ? [number] : []));
    expect(breaks).toEqual([2]);
  });

  it.each([
    { clock: "that goes on", laterMs: 48_000, beganMs: 49_200, missingMs: 40_000 },
    { clock: "that goes on, after a short gap", laterMs: 11_500, beganMs: 11_400, missingMs: 3500 },
    { clock: "of another sender", laterMs: 5_000_000, beganMs: 49_200, missingMs: 41_200 },
    { clock: "of another sender, without a gap", laterMs: 5_000_000, beganMs: 7000, missingMs: 0 },
  ])(
    "has room for what is missing between two attempts, with a clock $clock",
    async ({ laterMs, beganMs, missingMs }) => {
      const [first, second] = [await record(1, bytes), await record(2, await later(laterMs))];
      const growing = await growingIndex([
        { file: first, isOver: true, startedAt: BEGAN },
        { file: second, isOver: true, startedAt: BEGAN + beganMs },
      ]);
      const beginnings = new Map([
        [first, BEGAN],
        [second, BEGAN + beganMs],
      ]);
      const index = await finishedIndex(await published([first, second], { beginnings }));
      expect(growing).toEqual({ ...index, isGrowing: true });
      const [before, after] = [index.points[keys.length - 1], index.points[keys.length]];
      // The last group of pictures lasts a second.
      const apartMs = (after?.streamMs ?? 0) - (before?.streamMs ?? 0) - 1000;
      expect(Math.abs(apartMs - missingMs)).toBeLessThan(200);
      const breaks = index.points.flatMap(({ isBreak }, number) => (isBreak ? [number] : []));
      expect(breaks).toEqual([keys.length]);
      expect(Math.abs(index.durationMs - 16_000 - missingMs)).toBeLessThan(300);
    },
  );

  it("of an earlier recorder, without this room, can be read", async () => {
    const file = await published([await record(1, bytes), await record(2, await later(48_000))]);
    const index = await finishedIndex(file);
    expect(Math.abs(index.durationMs - 16_000)).toBeLessThan(300);
  });

  it("ends with a growing attempt, because the offset of the next one is unknown", async () => {
    const segments = [await record(1, bytes), await record(2, bytes)];
    const index = await growingIndex(segments.map((file) => ({ file, isOver: false })));
    expect(index).toMatchObject({ bytes: bytes.length });
    expect(places(index.points)).toEqual(keys);
  });

  it("R-29 is missing if a segment's index is missing or unfinished, and the recording is still published", async () => {
    const first = await record(1, bytes.subarray(0, 188 * 1000));
    const second = await record(2, bytes.subarray(188 * 1000));
    await truncate(segmentIndex(second), 100);
    const file = await published([first, second]);
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect(failures).toHaveLength(1);
    expect(await readdir(folder)).toEqual([".recorderd", "News.ts"]);
    await expect(finishedIndex(file)).rejects.toMatchObject({ code: "INDEX_UNUSABLE" });
    expect(await hasIndex({ file, index: recordingIndex(file) })).toBe(false);
  });

  it("is refused once the recording has grown or shrunk", async () => {
    const file = await published([await record(1, bytes)]);
    await appendFile(file, bytes.subarray(0, PACKET));
    await expect(finishedIndex(file)).rejects.toMatchObject({ code: "INDEX_UNUSABLE" });
    expect(await hasIndex({ file, index: recordingIndex(file) })).toBe(false);
  });
});
