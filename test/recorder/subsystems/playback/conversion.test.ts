import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../../../src/model/time.ts";
import { NULL_PID, PACKET_BYTES, payloadAt, pidAt } from "../../../../src/mpeg-ts/packets.ts";
import { ptsOf } from "../../../../src/mpeg-ts/streams/pes.ts";
import type { PlayerClient } from "../../../../src/recorder/api/daemon-api.ts";
import { conversionArguments } from "../../../../src/recorder/subsystems/playback/conversion/arguments.ts";
import {
  type Conversions,
  createConversions,
} from "../../../../src/recorder/subsystems/playback/conversion/conversions.ts";
import { SOFTWARE } from "../../../../src/recorder/subsystems/playback/conversion/encoder.ts";
import { createRenditions } from "../../../../src/recorder/subsystems/playback/hls/renditions.ts";
import { PLAYBACK_LIMITS } from "../../../../src/recorder/subsystems/playback/limits.ts";
import { radio } from "../../../kit/films.ts";
import { told } from "../../../kit/tool.ts";
import { IS_LONG, inLong } from "../../../lane.ts";
import { type FileSource, fileSource, writeBroadcast } from "./file-source.ts";
import { checkPlaylist } from "./rfc8216.ts";
import { shiftedClock } from "./shifted-clock.ts";

const SECONDS = 22;
/** PIDs that ffmpeg gives to picture and sound, in the broadcast and in a conversion. */
const [PICTURE, SOUND, ENGLISH] = [0x100, 0x101, 0x102];
const STAMPS_PER_SECOND = 90_000;
const STAMP_RANGE = 2 ** 33;
/** A frame of AAC at 48 kHz. */
const FRAME_STAMPS = (1024 / 48_000) * STAMPS_PER_SECOND;

const BROWSER: PlayerClient = { video: ["h264"], audio: ["aac"], viewer: "viewer-1" };
const watched = { recordingId: "1" };

let folder: string;
let mpeg2: FileSource;
let h264: FileSource;
let opened: Conversions[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-conversion-"));
  const files = ["mpeg2.ts", "h264.ts"].map((name) => join(folder, name));
  // The time stamps wrap after six seconds.
  await writeBroadcast(files[0] ?? "", {
    seconds: SECONDS,
    startSeconds: STAMP_RANGE / STAMPS_PER_SECOND - 6,
  });
  const open = [
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-g",
    "25",
    "-bf",
    "2",
    "-x264-params",
    "open-gop=1",
  ];
  await writeBroadcast(files[1] ?? "", { seconds: SECONDS, picture: open });
  [mpeg2, h264] = [await fileSource(files[0] ?? ""), await fileSource(files[1] ?? "")];
});

afterEach(async () => {
  for (const each of opened) await each[Symbol.asyncDispose]();
  opened = [];
  expect(await ffmpegs()).toEqual([]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** At the usual niceness, conversions would wait for all other tests on a busy machine. */
const PROMPT = 0;

function renditionsOf(source: FileSource, viewersMax = 2, ffmpegPath = "ffmpeg", niceness = PROMPT) {
  const { signal } = new AbortController();
  const clock = shiftedClock();
  const converted = join(folder, "converted");
  const parts = { folder: converted, viewersMax, ffmpegPath, usesHardware: false, niceness, clock, signal };
  const conversions = createConversions(parts);
  opened.push(conversions);
  const renditions = createRenditions({ sourceOf: () => source, conversions, clock, signal });
  const segment = async (number: number, client = BROWSER, rendition: "main" | number = "main") => {
    const { read } = await renditions.convertedSegment(watched, { rendition, number }, client);
    return Buffer.concat(await read().toArray());
  };
  const all = async (from = 0, to = Number.POSITIVE_INFINITY) => {
    const read: Buffer[] = [];
    for (const { number } of (await source.parts()).segments)
      if (number >= from && number < to) read.push(await segment(number));
    return read;
  };
  return { renditions, segment, all, clock, converted };
}

/** Pids of the conversions that this process runs. */
async function ffmpegs(): Promise<readonly number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const read = (file: string) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "");
      const [status, command] = [await read("status"), await read("cmdline")];
      const isOurs = status.includes(`PPid:\t${process.pid}\n`) && command.includes("-mpegts_copyts");
      return isOurs ? [Number(name)] : [];
    }),
  );
  return found.flat();
}

/** `undefined` for a process that has ended. */
function niceness(pid: number): string | undefined {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    // nice is the 19th field of proc_pid_stat(5), and the third one is the first after the name.
    return fields.split(" ")[19 - 3];
  } catch {
    return undefined;
  }
}

/** Numbers of the converted segments on disk. */
async function onDisk(converted: string): Promise<readonly number[]> {
  const names = await readdir(converted, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".ts")).map((name) => Number.parseInt(name.slice(37), 10));
}

/** PTS of the units of a stream, in the order in which they come. */
function stampsOf(bytes: Buffer, pid: number): readonly number[] {
  const stamps: number[] = [];
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
    const begins = ((bytes[at + 1] ?? 0) & 0x40) !== 0;
    const pts = begins && pidAt(bytes, at) === pid ? ptsOf(bytes.subarray(payloadAt(bytes, at))) : undefined;
    if (pts !== undefined) stamps.push(pts);
  }
  return stamps;
}

function distance(from: number, to: number): number {
  const step = (to - from + STAMP_RANGE) % STAMP_RANGE;
  return step > STAMP_RANGE / 2 ? step - STAMP_RANGE : step;
}

/** Decodes everything. @returns the number of pictures, and what ffmpeg complains about */
async function decoded(bytes: Buffer) {
  const args = ["-v", "error", "-i", "-", "-map", "0", "-f", "framehash", "-"];
  const { out, err } = await told("ffmpeg", { args, input: bytes });
  return { pictures: out.split("\n").filter((line) => line.startsWith("0,")).length, complaints: err };
}

describe("a converted recording", () => {
  it("has every picture once, segments aligned with those of the broadcast, and sound without a gap", async () => {
    const { all, renditions } = renditionsOf(mpeg2);
    const { segments } = await mpeg2.parts();
    const read = await all();
    const playlist = checkPlaylist(await renditions.convertedPlaylist(watched, "main", BROWSER));
    expect(playlist.faults).toEqual([]);
    expect(playlist.segments.map(({ sequence }) => sequence)).toEqual(segments.map(({ number }) => number));
    expect(read.map((bytes) => stampsOf(bytes, PICTURE)[0])).toEqual(segments.map(({ pts }) => pts));
    const sound = read.flatMap((bytes) => stampsOf(bytes, SOUND));
    const steps = sound.slice(1).map((pts, at) => distance(sound[at] ?? 0, pts));
    expect(new Set(steps)).toEqual(new Set([FRAME_STAMPS]));
    for (const [at, bytes] of read.entries()) {
      const apart = distance(segments[at]?.pts ?? 0, stampsOf(bytes, SOUND)[0] ?? 0);
      expect(apart).toBeGreaterThanOrEqual(0);
      expect(apart).toBeLessThan(FRAME_STAMPS + STAMPS_PER_SECOND / 100);
    }
    // A recording ends within a picture.
    const whole = await decoded(Buffer.concat(read));
    expect(whole).toEqual({ pictures: SECONDS * 25 - 1, complaints: "" });
  });

  inLong("continues without a break after seeks forward and back", async () => {
    const { segment, all } = renditionsOf(mpeg2);
    const { segments } = await mpeg2.parts();
    const last = segments.length - 1;
    await segment(last);
    const [begin, rest] = [await all(0, 2), await all(2)];
    const both = [...begin, ...rest];
    expect(both.map((bytes) => stampsOf(bytes, PICTURE)[0])).toEqual(segments.map(({ pts }) => pts));
    expect(await decoded(Buffer.concat(both))).toEqual({ pictures: SECONDS * 25 - 1, complaints: "" });
  });

  inLong(
    "keeps the picture of the broadcast if the device decodes it, and converts only the sound",
    async () => {
      const { all } = renditionsOf(h264);
      const { segments } = await h264.parts();
      const read = await all();
      const picture = read.flatMap((bytes) => stampsOf(bytes, PICTURE));
      const file = await readFile(join(folder, "h264.ts"));
      expect(read.map((bytes) => stampsOf(bytes, PICTURE)[0])).toEqual(segments.map(({ pts }) => pts));
      expect(picture).toEqual(stampsOf(file, PICTURE).slice(0, picture.length));
      expect(picture.length).toBeGreaterThanOrEqual(SECONDS * 25 - 2);
      expect((await decoded(Buffer.concat(read))).complaints).toBe("");
    },
  );

  inLong("has its other sound tracks as separate streams, aligned with the segments", async () => {
    const { segment } = renditionsOf(mpeg2);
    const { segments } = await mpeg2.parts();
    const read: Buffer[] = [];
    for (const { number } of segments) read.push(await segment(number, BROWSER, ENGLISH));
    const stamps = read.flatMap((bytes) => stampsOf(bytes, PICTURE));
    const steps = stamps.slice(1).map((pts, at) => distance(stamps[at] ?? 0, pts));
    expect(new Set(steps)).toEqual(new Set([FRAME_STAMPS]));
    for (const [at, bytes] of read.entries()) {
      expect(distance(segments[at]?.pts ?? 0, stampsOf(bytes, PICTURE)[0] ?? 0)).toBeGreaterThanOrEqual(0);
    }
    expect((await decoded(Buffer.concat(read))).complaints).toBe("");
  });

  it("is converted while it grows, and its playlist lists a segment once the next one has begun", async () => {
    const { segment, renditions } = renditionsOf(mpeg2);
    const listed = async () =>
      checkPlaylist(await renditions.convertedPlaylist(watched, "main", BROWSER)).segments.length;
    mpeg2.grow(10);
    try {
      const { segments } = await mpeg2.parts();
      expect(await listed()).toBe(segments.length - 1);
      await segment(0);
      mpeg2.grow();
      const all = (await mpeg2.parts()).segments;
      expect(await listed()).toBe(all.length);
      for (const { number, pts } of all.slice(1))
        expect(stampsOf(await segment(number), PICTURE)[0]).toBe(pts);
    } finally {
      mpeg2.grow();
    }
  });
});

describe.runIf(IS_LONG)("an unusual converted recording", () => {
  it("continues after missing data and a change of clock", async () => {
    const file = join(folder, "broken.ts");
    const parts = [join(folder, "before.ts"), join(folder, "after.ts")];
    for (const [at, part] of parts.entries())
      await writeBroadcast(part, { seconds: 4, startSeconds: 110 - 100 * at });
    await writeFile(file, Buffer.concat(await Promise.all(parts.map((part) => readFile(part)))));
    const source = await fileSource(file);
    const { segments } = await source.parts();
    expect(segments.some(({ isBreak }) => isBreak)).toBe(true);
    const { all, renditions } = renditionsOf(source);
    const read = await all();
    expect(read.map((bytes) => stampsOf(bytes, PICTURE)[0])).toEqual(segments.map(({ pts }) => pts));
    // At a break, a cut picture and those that need one from before it are left out.
    expect(read.flatMap((bytes) => stampsOf(bytes, PICTURE)).length).toBeGreaterThan(2 * 4 * 25 - 10);
    for (const { length } of read.map((bytes) => stampsOf(bytes, SOUND))) expect(length).toBeGreaterThan(0);
    const { gaps } = await renditions.tracks(watched);
    expect(gaps.every(({ startSeconds, lengthSeconds }) => startSeconds > 0 && lengthSeconds > 0)).toBe(true);
  });

  it("may be radio", async () => {
    const file = join(folder, "radio.ts");
    await radio(file);
    const source = await fileSource(file);
    const { all, renditions } = renditionsOf(source);
    const read = await all();
    const sound = read.flatMap((bytes) => stampsOf(bytes, PICTURE));
    const steps = sound.slice(1).map((pts, at) => distance(sound[at] ?? 0, pts));
    expect(new Set(steps)).toEqual(new Set([FRAME_STAMPS]));
    expect((await decoded(Buffer.concat(read))).complaints).toBe("");
    const { variants, faults } = checkPlaylist(await renditions.master(watched, BROWSER));
    expect(faults).toEqual([]);
    expect(variants[0]?.attributes["CODECS"]).toBe('"mp4a.40.2"');
  });
});

describe("a conversion", () => {
  inLong("pauses when it is far enough ahead of its viewer", async () => {
    const { segment, converted } = renditionsOf(mpeg2);
    await segment(0);
    const ahead = PLAYBACK_LIMITS.convertAheadSegments;
    await expect.poll(() => onDisk(converted)).toContain(ahead - 1);
    // Another conversion takes long enough for one that does not pause.
    const { number = 0 } = (await mpeg2.parts()).segments.at(-1) ?? {};
    await segment(number, { ...BROWSER, viewer: "viewer-2" });
    expect(await onDisk(converted)).not.toContain(ahead + 1);
    await segment(2);
    await expect.poll(() => onDisk(converted)).toContain(ahead + 1);
  });

  it("is refused beyond the limit until a viewer has left, and then leaves no process or file", async () => {
    const { segment, clock, converted } = renditionsOf(mpeg2, 1);
    await segment(0);
    const other = { ...BROWSER, viewer: "viewer-2" };
    await expect(segment(0, other)).rejects.toMatchObject({ code: "CONVERSION_BUSY" });
    await segment(1);
    clock.pass(PLAYBACK_LIMITS.convertIdleMs - SECOND);
    await segment(1);
    clock.pass(PLAYBACK_LIMITS.convertIdleMs - SECOND);
    await expect(segment(0, other)).rejects.toMatchObject({ code: "CONVERSION_BUSY" });
    clock.pass(2 * SECOND);
    await expect.poll(ffmpegs).toEqual([]);
    await expect.poll(() => onDisk(converted)).toEqual([]);
    await segment(0, other);
  });

  it("does not count towards the limit if its first request fails", async () => {
    const { segment } = renditionsOf(mpeg2, 1);
    await expect(segment(0, BROWSER, 8000)).rejects.toMatchObject({ code: "RECORDING_UNKNOWN" });
    expect((await segment(0, { ...BROWSER, viewer: "viewer-2" })).length).toBeGreaterThan(0);
  });

  it("runs at the lowest priority, so that recordings come first", async () => {
    const { segment } = renditionsOf(mpeg2, 1, "ffmpeg", PLAYBACK_LIMITS.convertNiceness);
    // Whether it converts anything at this priority depends on what else the machine does.
    const ended = segment(0).catch(() => {});
    await expect.poll(async () => (await ffmpegs()).map(niceness)).toEqual(["19"]);
    await opened[0]?.[Symbol.asyncDispose]();
    await ended;
  });

  it("is refused before anything is read if conversion is switched off", async () => {
    const { renditions, segment } = renditionsOf(mpeg2, 0);
    await expect(renditions.master(watched, BROWSER)).rejects.toMatchObject({ code: "CONVERSION_OFF" });
    await expect(segment(0)).rejects.toMatchObject({ code: "CONVERSION_OFF" });
    const able = { video: ["mpeg2"], audio: ["mp2"] } as const;
    expect(await renditions.master(watched, able)).toContain("index.m3u8?audio=257\n");
  });

  inLong("restarts if its ffmpeg is killed", async () => {
    const { segment, converted } = renditionsOf(mpeg2);
    const { segments } = await mpeg2.parts();
    await segment(0);
    const ahead = PLAYBACK_LIMITS.convertAheadSegments;
    await expect.poll(() => onDisk(converted)).toContain(ahead - 1);
    const pids = await ffmpegs();
    expect(pids.length).toBe(1);
    for (const pid of pids) process.kill(pid, "SIGKILL");
    for (const number of [ahead, 1]) {
      expect(stampsOf(await segment(number), PICTURE)[0]).toBe(segments[number]?.pts);
    }
  });

  it("ends with the recorder, even if that is killed", async () => {
    const streams = { video: { pid: PICTURE, isConverted: true }, audio: { pid: SOUND, isConverted: true } };
    const given = { file: join(folder, "mpeg2.ts"), args: conversionArguments(streams, SOFTWARE) };
    const program = `
      const { file, args } = JSON.parse(process.argv[1]);
      const child = require("node:child_process").spawn("ffmpeg", args, { stdio: "pipe" });
      child.stdin.write(require("node:fs").readFileSync(file));
      child.stdout.once("data", () => console.log(child.pid));`;
    const recorder = spawn(process.execPath, ["-e", program, JSON.stringify(given)]);
    const [pid] = (await once(recorder.stdout, "data")) as [Buffer];
    recorder.kill("SIGKILL");
    const status = () => readFile(`/proc/${Number(pid)}/cmdline`, "utf8").catch(() => "");
    await expect.poll(status).toBe("");
  });

  it("fails with a reason if ffmpeg is missing or fails", async () => {
    const missing = renditionsOf(mpeg2, 1, "/nowhere/ffmpeg");
    await expect(missing.segment(0)).rejects.toMatchObject({ code: "FFMPEG_MISSING" });
    const failing = renditionsOf(mpeg2, 1, "false");
    await expect(failing.segment(0)).rejects.toMatchObject({ code: "FFMPEG_FAILED" });
  });
});

it("a sound track of a broadcast has only its packets and the PCR", async () => {
  const { renditions } = renditionsOf(mpeg2);
  const { read } = await renditions.audioSegment(watched, { pid: ENGLISH, number: 2 });
  const bytes = Buffer.concat(await read().toArray());
  const pids = new Set(
    Array.from({ length: bytes.length / PACKET_BYTES }, (_, at) => pidAt(bytes, at * PACKET_BYTES)),
  );
  expect(pids).not.toContain(NULL_PID);
  expect(pids).toContain(ENGLISH);
  expect(pids).not.toContain(SOUND);
  const { out } = await told("ffprobe", {
    args: ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", "-"],
    input: bytes,
  });
  expect(out.trim().split("\n").at(-1)).toContain("ac3");
  expect(out).not.toContain("mp2");
});
