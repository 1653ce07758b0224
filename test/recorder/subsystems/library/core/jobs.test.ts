import { execFileSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { existsSync, statSync } from "node:fs";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../../../src/kit/log.ts";
import { findMarked } from "../../../../../src/kit/process/marked-process.ts";
import { probeMedia } from "../../../../../src/kit/process/media-tools.ts";
import { systemClock } from "../../../../../src/kit/time/clock.ts";
import { parseSchedule, type Schedule } from "../../../../../src/kit/time/cron.ts";
import { RecorderdError } from "../../../../../src/model/errors.ts";
import type { Job, JobKind } from "../../../../../src/model/job.ts";
import type { LedgerFact } from "../../../../../src/model/ledger.ts";
import type { LibraryDocument } from "../../../../../src/model/library.ts";
import type { Recording } from "../../../../../src/model/recording.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../../src/model/time.ts";
import { checkAbilities } from "../../../../../src/recorder/subsystems/library/abilities.ts";
import { emptyLibrary } from "../../../../../src/recorder/subsystems/library/core/document.ts";
import {
  isQuiet,
  jobBegan,
  jobFailed,
  nextJob,
  recoveredJobs,
  withJobs,
} from "../../../../../src/recorder/subsystems/library/core/jobs.ts";
import { LIBRARY_CORE_LIMITS } from "../../../../../src/recorder/subsystems/library/core/limits.ts";
import {
  encoderOf,
  encodersIn,
  type Profile,
} from "../../../../../src/recorder/subsystems/library/core/profile.ts";
import { indexPlaces } from "../../../../../src/recorder/subsystems/library/index-place.ts";
import { JobLoop } from "../../../../../src/recorder/subsystems/library/job-loop.ts";
import { shareLibrary } from "../../../../../src/recorder/subsystems/library/shared-library.ts";
import { madeOnce } from "../../../../kit/made-once.ts";
import { inLong } from "../../../../lane.ts";
import { readEdl } from "../edl-rules.ts";
import { ended, entry, NOW, recording } from "../entries.ts";

const clock = systemClock();
const signal = new AbortController().signal;
const STREAMS = ["video", "audio", "subtitles"] as const;
const REMUX: Profile = { kind: "remux", container: "mkv", streams: STREAMS };
const TRANSCODE: Profile = {
  ...{ kind: "transcode", container: "mkv", streams: ["video"] },
  ...{ codec: "h264", encoder: "auto", quality: 35 },
};

let folder: string;
let original: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-jobs-"));
  await mkdir(join(folder, ".recorderd"));
  original = join(folder, "Show.ts");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Some seconds of picture and sound. */
async function film(seconds: number): Promise<void> {
  const sources = ["testsrc=size=320x240:rate=25", "sine=frequency=440"].flatMap((source) => [
    ...["-f", "lavfi", "-t", String(seconds), "-i", source],
  ]);
  await copyFile(await madeOnce([...sources, "-c:v", "mpeg2video", "-c:a", "mp2", "-f", "mpegts"]), original);
}

/** The `.json` beside a recording with these gaps. */
function reportOf(gaps: readonly { readonly atMs: number; readonly lengthMs: number }[]): string {
  const written = gaps.map(({ atMs, lengthMs }) => ({
    start: new Date(NOW).toISOString(),
    stop: new Date(NOW + lengthMs).toISOString(),
    streamMs: atMs,
  }));
  return JSON.stringify({ integrity: { gaps: written } });
}

function ordered(...kinds: readonly JobKind[]): LibraryDocument {
  const bytes = statSync(original, { throwIfNoEntry: false })?.size ?? 0;
  const held = { ...emptyLibrary(), entries: { a: entry("a", { file: original, bytes }) } };
  return withJobs(held, { recordingId: "a", kinds, now: NOW });
}

describe("the queue", () => {
  it("runs jobs in order, tries a failed one three times with growing pauses, and then leaves it failed", () => {
    let library = ordered("thumbnail", "convert");
    expect(nextJob(library, NOW)).toMatchObject({ id: 1, kind: "thumbnail" });
    library = jobFailed(library, 1, { text: "no", now: NOW });
    expect(nextJob(library, NOW)).toMatchObject({ id: 2 });
    expect(library.jobs[0]).toMatchObject({
      state: "waiting",
      nextTryAt: NOW + LIBRARY_CORE_LIMITS.jobRetryMs,
    });
    library = jobFailed(jobFailed(library, 1, { text: "no", now: NOW }), 1, { text: "no", now: NOW });
    expect(library.jobs[0]).toMatchObject({ state: "failed", tries: 3, text: "no" });
  });

  it("does not wait longer after the clock was set back", () => {
    const library = jobFailed(ordered("thumbnail"), 1, { text: "no", now: NOW });
    expect(nextJob(library, NOW)).toBeUndefined();
    expect(nextJob(library, NOW - 365 * DAY)).toMatchObject({ id: 1 });
  });

  it("restarts running jobs after a crash, without counting a try", () => {
    const library = recoveredJobs(jobBegan(ordered("convert"), 1));
    expect(library.jobs[0]).toMatchObject({ state: "waiting", tries: 0 });
  });

  it("has a limited length and a limited history", () => {
    const job = (id: number, state: Job["state"]): Job => ({
      ...{ id, state, kind: "convert", recordingId: "a", tries: 0, orderedAt: NOW },
    });
    const full = Array.from({ length: LIBRARY_CORE_LIMITS.jobsWaiting }, (_, index) => job(index, "waiting"));
    const more = withJobs(
      { ...emptyLibrary(), jobs: full },
      { recordingId: "a", kinds: ["convert"], now: NOW },
    );
    expect(more.jobs).toHaveLength(LIBRARY_CORE_LIMITS.jobsWaiting);
    const done = Array.from({ length: LIBRARY_CORE_LIMITS.jobsRemembered + 10 }, (_, index) =>
      job(index, "done"),
    );
    const library = jobFailed({ ...emptyLibrary(), jobs: done }, -1, { text: "", now: NOW });
    expect(library.jobs).toHaveLength(LIBRARY_CORE_LIMITS.jobsRemembered);
  });

  it("is idle only while no recording runs or is about to start", () => {
    const policy = { whileRecording: false, quietMs: 5 * MINUTE };
    const quiet = (...all: readonly Recording[]) => isQuiet(all, policy, NOW);
    expect(quiet(ended("a"), recording("b"))).toBe(true);
    const starting = (start: number) => recording("b", { window: { start, stop: NOW + HOUR } });
    expect(quiet(starting(NOW + 5 * MINUTE))).toBe(false);
    expect(quiet(starting(NOW + 6 * MINUTE))).toBe(true);
    expect(quiet(recording("b", { state: "waiting" }))).toBe(false);
    expect(quiet(recording("b", { state: "closing" }))).toBe(false);
    expect(isQuiet([recording("b", { state: "recording" })], { ...policy, whileRecording: true }, NOW)).toBe(
      true,
    );
  });
});

describe("a profile", () => {
  it("is refused at the start if ffmpeg lacks its encoder, with the available ones", () => {
    const abilities = { encoders: new Set(["libx264", "h264_vaapi", "libx265"]) };
    expect(() => encoderOf({ codec: "h264", encoder: "h264_nvenc" }, abilities)).toThrow(
      "no encoder h264_nvenc; for h264 it has h264_vaapi, libx264",
    );
    expect(() => encoderOf({ codec: "av1", encoder: "auto" }, abilities)).toThrow(
      /libsvtav1 or .*it has none/,
    );
    // Not one of another codec, though it is there.
    expect(() => encoderOf({ codec: "h264", encoder: "libx265" }, abilities)).toThrow("no encoder libx265");
  });

  it("is tested with the installed ffmpeg: a software encoder works, one for a missing card does not", async () => {
    const rest = {
      kind: "transcode",
      container: "mkv",
      streams: STREAMS,
      codec: "h264",
      quality: 30,
    } as const;
    const check = (encoder: string) =>
      checkAbilities({ profile: { ...rest, encoder }, comskip: undefined }, { clock, signal });
    await expect(check("auto")).resolves.toBe("libx264");
    await expect(check("h264_nonesuch")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("is refused if ffmpeg lists the encoder of a card that does not open", async (context) => {
    const listed = encodersIn(execFileSync("ffmpeg", ["-v", "error", "-encoders"], { encoding: "utf8" }));
    const away = existsSync("/dev/dri/renderD128") ? undefined : "h264_vaapi";
    if (away === undefined || !listed.has(away))
      return context.skip("the card is there, or ffmpeg cannot use any");
    const profile: Profile = {
      ...{ kind: "transcode", container: "mkv", streams: STREAMS, codec: "h264", encoder: away, quality: 30 },
    };
    const check = checkAbilities({ profile, comskip: undefined }, { clock, signal });
    await expect(check).rejects.toThrow(`the encoder ${away} does not work on this machine: `);
  });

  it("is refused if comskip is configured and missing", async () => {
    const check = checkAbilities(
      { profile: { kind: "verbatim" }, comskip: "/nowhere/comskip" },
      { clock, signal },
    );
    await expect(check).rejects.toThrow("/nowhere/comskip is missing");
  });
});

describe("jobs on a real recording", () => {
  it("remux it into a verified second file; the original stays", async () => {
    await film(4);
    const { library } = await worked(ordered("convert"), { profile: REMUX });
    const made = join(folder, "Show.mkv");
    expect(library.jobs[0]).toMatchObject({ state: "done", text: "2 streams, 4 s" });
    expect(library.entries["a"]).toMatchObject({ file: original, made: [made] });
    const { streams } = await probeMedia(made, { clock, signal });
    expect(streams.map(({ codec }) => codec)).toEqual(["mpeg2video", "mp2"]);
    expect(await readdir(join(folder, ".recorderd"))).toEqual([]);
    expect((await stat(original)).size).toBeGreaterThan(0);
  });

  inLong("transcode it, and remove the original if configured, once the library has the result", async () => {
    await film(2);
    const { library } = await worked(ordered("convert"), {
      profile: TRANSCODE,
      encoder: "libx264",
      keepOriginal: false,
    });
    const made = join(folder, "Show.mkv");
    expect(library.entries["a"]).toMatchObject({ file: made, made: [], bytes: (await stat(made)).size });
    expect(await readdir(folder)).toEqual([".recorderd", "Show.mkv"]);
    const { streams } = await probeMedia(made, { clock, signal });
    expect(streams.map(({ codec }) => codec)).toEqual(["h264"]);
  });

  it("make a thumbnail and a chapter file", async () => {
    await film(4);
    const { library } = await worked(ordered("chapters", "thumbnail"), {});
    // The index of a recording that has none is ordered by the loop itself.
    const ordersOf = ({ jobs }: LibraryDocument) => jobs.filter(({ kind }) => kind !== "index");
    expect(ordersOf(library).map(({ state }) => state)).toEqual(["done", "done"]);
    expect(await readFile(join(folder, "Show.chapters.txt"), "utf8")).toBe(
      "CHAPTER01=00:00:00.000\nCHAPTER01NAME=Chapter 1\n",
    );
    const { streams } = await probeMedia(join(folder, "Show-thumb.jpg"), { clock, signal });
    expect(streams).toHaveLength(1);
  });

  it("read no other film, even if the recording is a list that names one", async () => {
    await film(2);
    const other = join(folder, "other.ts");
    await rename(original, other);
    const list = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:2,\nfile://${other}\n#EXT-X-ENDLIST\n`;
    // With a transport stream behind it, ffmpeg 7 would rightly make a picture of that.
    await writeFile(original, list);
    const { library } = await worked(ordered("thumbnail"), {});
    expect(library.jobs[0]?.text).toContain("ffprobe cannot read");
    expect(await readdir(folder)).not.toContain("Show-thumb.jpg");
  });

  inLong("find breaks with comskip, with its real arguments and output", async () => {
    await film(1);
    const comskip = join(folder, "comskip");
    // The behaviour of the real comskip with these arguments: NAME.edl in the folder, and 0 if it found something.
    const script = `#!${process.execPath}
      const { readFileSync, writeFileSync } = require("node:fs");
      const [ini, output, name, film] = process.argv.slice(2).map((each) => each.replace(/^--[a-z-]+=/, ""));
      if (readFileSync(film).length === 0 || !readFileSync(ini, "utf8").includes("output_edl=1")) process.exit(9);
      writeFileSync(output + "/" + name + ".edl", "1.00\\t2.00\\t0\\n");`;
    await writeFile(comskip, script);
    await chmod(comskip, 0o755);
    await writeFile(join(folder, "Show.json"), reportOf([{ atMs: 500, lengthMs: 3000 }]));
    const { library } = await worked(ordered("commercials", "chapters"), { comskip });
    expect(library.jobs[0]).toMatchObject({ state: "done", text: "found breaks" });
    // comskip's own action, 0, would have Kodi cut the part out.
    expect(readEdl(await readFile(join(folder, "Show.edl"), "utf8"))).toEqual([
      { action: "scene marker", atMs: 500 },
      { action: "commercial break", fromMs: 1000, toMs: 2000 },
    ]);
  });

  it("mark chapters and gaps for Kodi too, which reads no chapter files", async () => {
    await film(2);
    await writeFile(
      join(folder, "Show.json"),
      reportOf([
        { atMs: 1000, lengthMs: 5000 },
        { atMs: 1500, lengthMs: 20 },
      ]),
    );
    await worked(ordered("chapters"), {});
    expect(readEdl(await readFile(join(folder, "Show.edl"), "utf8"))).toEqual([
      { action: "scene marker", atMs: 1000 },
    ]);
    expect(await readFile(join(folder, "Show.chapters.txt"), "utf8")).toBe(
      "CHAPTER01=00:00:00.000\nCHAPTER01NAME=Chapter 1\nCHAPTER02=00:00:01.000\nCHAPTER02NAME=Gap\n",
    );
  });

  it("place the end of the event behind a gap where players show it", async () => {
    await film(3);
    const second = (at: number) => new Date(NOW + at * 1000).toISOString();
    const gaps = [{ start: second(1), stop: second(2), streamMs: 1000 }];
    const segments = [
      { attempt: 1, start: second(0), stop: second(1), streamMs: 0 },
      { attempt: 2, start: second(2), stop: second(3), streamMs: 2000 },
    ];
    await writeFile(join(folder, "Show.json"), JSON.stringify({ integrity: { gaps, segments } }));
    const event = { start: NOW, stop: NOW + 2500 };
    const ordering = ordered("chapters");
    const a = entry("a", { file: original, bytes: statSync(original).size, firstAt: NOW, event });
    await worked({ ...ordering, entries: { a } }, {});
    expect(await readFile(join(folder, "Show.chapters.txt"), "utf8")).toContain(
      "00:00:01.000\nCHAPTER02NAME=Gap\nCHAPTER03=00:00:02.500\nCHAPTER03NAME=After\n",
    );
  });

  it("leave the list of marks to the job that finds breaks, which may be tried again later", async () => {
    await film(2);
    await writeFile(join(folder, "Show.json"), reportOf([{ atMs: 1000, lengthMs: 5000 }]));
    await worked(ordered("chapters"), { findsBreaks: true });
    expect(existsSync(join(folder, "Show.edl"))).toBe(false);
    expect(existsSync(join(folder, "Show.chapters.txt"))).toBe(true);
  });

  it("leave marks of other programs alone", async () => {
    await film(2);
    await writeFile(join(folder, "Show.json"), reportOf([{ atMs: 1000, lengthMs: 5000 }]));
    await writeFile(join(folder, "Show.edl"), "somebody's");
    const { library } = await worked(ordered("chapters"), {});
    expect(library.jobs[0]?.state).toBe("done");
    expect(await readFile(join(folder, "Show.edl"), "utf8")).toBe("somebody's");
  });

  it("R-29 never replace a file: an existing one stays, and the job says so", async () => {
    await film(1);
    await writeFile(join(folder, "Show.mkv"), "somebody's");
    const { library } = await worked(ordered("convert"), { profile: REMUX });
    expect(library.jobs[0]).toMatchObject({ state: "waiting", tries: 1 });
    expect(library.jobs[0]?.text).toContain("Show.mkv already exists");
    expect(await readFile(join(folder, "Show.mkv"), "utf8")).toBe("somebody's");
  });

  it("recognise their own result if the library has no record of it", async () => {
    await film(1);
    const world = bench(ordered("convert"), { profile: REMUX, keepOriginal: false });
    const { commit } = world.store;
    const made = join(folder, "Show.mkv");
    let isFull = false;
    world.store.commit = async (next) => {
      // From the instant on at which the result has its name.
      isFull ||= (await readdir(folder)).includes("Show.mkv");
      if (isFull) throw new RecorderdError("STORE_WRITE_FAILED", "no room");
      await commit(next);
    };
    const life = world.loop.run(world.ending.signal);
    await until(() => isFull);
    world.ending.abort();
    await life;
    expect((await stat(original)).size).toBeGreaterThan(0);
    const { library } = await worked(world.store.current, { profile: REMUX, keepOriginal: false });
    expect(library.jobs[0]).toMatchObject({ state: "done", tries: 0, text: "already made" });
    expect(library.entries["a"]).toMatchObject({ file: made, made: [] });
    expect(await readdir(folder)).toEqual([".recorderd", "Show.mkv"]);
    expect(await readdir(join(folder, ".recorderd"))).toEqual([]);
  });

  it("remove a replaced original after a crash, but only the recorded file", async () => {
    await film(1);
    const made = join(folder, "Show.mkv");
    await writeFile(made, "film");
    const { size } = await stat(original);
    const replaced = (bytes: number) => {
      const a = entry("a", { file: made, bytes: 4, outgoing: { file: original, bytes } });
      return { ...emptyLibrary(), entries: { a } };
    };
    await worked(replaced(size - 1), {});
    expect((await stat(original)).size).toBe(size);
    await worked(replaced(size), {});
    expect(await readdir(folder)).toEqual([".recorderd", "Show.mkv"]);
    // The converted file is missing: the original is then all that is left.
    await film(1);
    await rm(made);
    const world = bench(withJobs(replaced(size), { recordingId: "a", kinds: ["chapters"], now: NOW }), {});
    const life = world.loop.run(world.ending.signal);
    await until(() => world.store.current.jobs[0]?.tries === 1);
    world.ending.abort();
    await life;
    expect((await stat(original)).size).toBe(size);
  });

  it("index a recording without access points automatically, and remove the index with the original", async () => {
    await film(1);
    const world = bench(ordered(), {});
    const life = world.loop.run(world.ending.signal);
    await until(async () => (await readdir(folder)).includes("Show.index"));
    await until(() => world.store.current.jobs.length === 0);
    world.ending.abort();
    await life;
    const { library } = await worked(ordered("convert"), { profile: REMUX, keepOriginal: false });
    expect(library.entries["a"]).toMatchObject({ file: join(folder, "Show.mkv") });
    expect(await readdir(folder)).toEqual([".recorderd", "Show.mkv"]);
  });

  it("remove only remains of finished jobs", async () => {
    await film(1);
    const work = join(folder, ".recorderd");
    for (const name of ["job-7.mkv", "job-7.edl.ini", "job-8.mkv.placed", "r000001.1.ts.part"]) {
      await writeFile(join(work, name), "");
    }
    const world = bench(ordered("convert"), { profile: REMUX });
    const life = world.loop.run(world.ending.signal);
    await until(() => world.store.current.jobs[0]?.state === "done");
    await until(async () => (await readdir(work)).length === 1);
    expect(await readdir(work)).toEqual(["r000001.1.ts.part"]);
    world.ending.abort();
    await life;
  });

  inLong("end and remove their drafts before a stopped loop ends", async () => {
    await film(30);
    const world = bench(ordered("convert"), { profile: TRANSCODE, encoder: "libx264" });
    const life = world.loop.run(world.ending.signal);
    const work = join(folder, ".recorderd");
    await until(async () => (await readdir(work)).length > 0);
    world.ending.abort();
    await life;
    expect(await readdir(work)).toEqual([]);
    expect(world.store.current.jobs[0]).toMatchObject({ state: "waiting", tries: 0 });
  });

  it("leave no file of a recording that was deleted meanwhile", async () => {
    await film(1);
    const world = bench(ordered("convert"), { profile: REMUX, keepOriginal: false });
    const { commit } = world.store;
    world.store.commit = async (next) => {
      await commit(next);
      const [a] = Object.values(next.entries);
      if (next.jobs[0]?.state !== "running" || a === undefined) return;
      const deleted = { at: NOW, actor: "person", reason: "", done: true } as const;
      world.store.current = { ...next, entries: { a: { ...a, deleted } } };
    };
    const life = world.loop.run(world.ending.signal);
    await until(() => world.store.current.jobs[0]?.state === "done");
    await until(async () => (await readdir(join(folder, ".recorderd"))).length === 0);
    await until(async () => !(await readdir(folder)).includes("Show.mkv"));
    expect(world.store.current.entries["a"]).toMatchObject({ file: original, made: [] });
    world.ending.abort();
    await life;
  });

  it("leave no listeners while waiting, however often the loop is woken", async () => {
    const world = bench(emptyLibrary(), {});
    const life = world.loop.run(world.ending.signal);
    for (let times = 0; times < 30; times += 1) {
      world.loop.wake();
      await clock.sleep(1, signal);
    }
    expect(getEventListeners(world.ending.signal, "abort").length).toBeLessThan(3);
    world.ending.abort();
    await life;
  });

  it("verify a file during a recording only for a waiting person", async () => {
    await writeFile(original, "recorded");
    const world = bench(ordered("verify"), {});
    world.recordings["b"] = recording("b", { state: "recording" });
    const life = world.loop.run(world.ending.signal);
    const asked = await world.loop.verify("a");
    expect(await world.loop.verify("a")).toEqual(asked);
    await until(() => world.store.current.entries["a"]?.checked !== undefined);
    expect(world.store.current.entries["a"]?.checked?.verdict).toBe("unproven");
    expect(world.store.current.jobs).toMatchObject([{ kind: "verify", state: "waiting" }]);
    delete world.recordings["b"];
    world.loop.wake();
    await until(() => world.store.current.jobs.length === 0);
    expect(world.store.current.entries["a"]?.checked?.verdict).toBe("intact");
    world.ending.abort();
    await life;
  });

  it("verify every file by schedule, record a damaged one in the ledger once, and leave it unchanged", async () => {
    await writeFile(original, "recorded");
    const library = ordered();
    const { a } = library.entries;
    if (a === undefined) throw new Error("there is one");
    const started = {
      ...library,
      entries: { a: { ...a, sha256: "0".repeat(64) } },
      verifying: { nextAt: clock.now() },
    };
    const world = bench(started, { verification: parseSchedule("30 2 * * 1") });
    const life = world.loop.run(world.ending.signal);
    await until(() => world.facts.length > 0);
    world.loop.wake();
    await until(() => world.store.current.verifying?.since === undefined);
    expect(world.facts).toMatchObject([{ fact: "file-damaged", facts: { kind: "changed" } }]);
    expect(world.store.current.entries["a"]?.flaw).toMatchObject({ kind: "changed", by: "reading" });
    expect(await readFile(original, "utf8")).toBe("recorded");
    world.ending.abort();
    await life;
  });

  it("repeat an interrupted verification after a restart", async () => {
    await writeFile(original, "recorded");
    const world = bench(jobBegan(ordered("verify"), 1), {});
    const life = world.loop.run(world.ending.signal);
    await until(() => world.store.current.jobs.length === 0);
    expect(world.store.current.entries["a"]?.checked?.verdict).toBe("unproven");
    world.ending.abort();
    await life;
  });

  it("keep the original of an impossible conversion", async () => {
    await writeFile(original, Buffer.alloc(100_000, "no film"));
    const { library } = await worked(ordered("convert"), { profile: REMUX, keepOriginal: false });
    expect(library.jobs[0]).toMatchObject({ state: "waiting", tries: 1 });
    expect((await stat(original)).size).toBe(100_000);
  });

  inLong(
    "yield to a recording: the process ends, no partial file is left, and it counts as no try",
    async () => {
      await film(60);
      const profile: Profile = {
        ...{
          kind: "transcode",
          container: "mkv",
          streams: ["video"],
          codec: "h264",
          encoder: "auto",
          quality: 20,
        },
      };
      const world = bench(ordered("convert"), { profile, encoder: "libx264" });
      const life = world.loop.run(world.ending.signal);
      await until(async () => (await processes()).length > 0);
      expect(world.loop.views()[0]).toMatchObject({ state: "running", name: "Show a" });
      world.recordings["b"] = recording("b", { state: "recording" });
      world.loop.wake();
      await until(async () => (await processes()).length === 0);
      await until(() => world.store.current.jobs[0]?.state === "waiting");
      expect(world.store.current.jobs[0]).toMatchObject({ tries: 0 });
      await until(async () => (await readdir(join(folder, ".recorderd"))).length === 0);
      world.ending.abort();
      await life;
    },
  );
});

/** Processes of jobs of this folder. */
async function processes() {
  return (await findMarked("RECORDERD_JOB")).filter(({ mark }) => mark === folder);
}

interface BenchOptions {
  readonly profile?: Profile;
  readonly encoder?: string;
  readonly keepOriginal?: boolean;
  readonly comskip?: string;
  readonly findsBreaks?: boolean;
  readonly verification?: Schedule;
}

function bench(library: LibraryDocument, options: BenchOptions) {
  const { profile = { kind: "verbatim" }, encoder = "", keepOriginal = true, comskip = "comskip" } = options;
  const { findsBreaks = false, verification } = options;
  const store = {
    current: library,
    async commit(next: LibraryDocument) {
      store.current = next;
    },
  };
  const recordings: Record<string, Recording> = {};
  const facts: LedgerFact[] = [];
  const loop = new JobLoop({
    library: shareLibrary(store),
    plan: () => ({ timers: {}, recordings }),
    isThere: () => true,
    quiet: { whileRecording: false, quietMs: 5 * MINUTE },
    keepOriginal,
    isFinishedThere: async () => true,
    workFolders: [join(folder, ".recorderd")],
    indexOf: indexPlaces(join(folder, "data")),
    // At the usual niceness, jobs would wait for all other tests on a busy machine.
    work: {
      profile,
      encoder,
      comskip,
      findsBreaks,
      workFolderOf: () => join(folder, ".recorderd"),
      niceness: 0,
    },
    isClockTrusted: () => true,
    ledger: { append: async (more) => void facts.push(...more) },
    ...(verification === undefined ? {} : { verification }),
    owner: folder,
    clock,
    log: silentLog,
  });
  return { facts, store, recordings, loop, ending: new AbortController() };
}

/** Runs the queue until no job can run now. */
async function worked(before: LibraryDocument, options: BenchOptions): Promise<{ library: LibraryDocument }> {
  const { store, loop, ending } = bench(before, options);
  const life = loop.run(ending.signal);
  const isOver = ({ state, tries }: Job) => state === "done" || (state === "waiting" && tries > 0);
  await until(() => store.current.jobs.every(isOver));
  // The work that follows the last change of a job.
  await until(() => store.current.entries["a"]?.outgoing === undefined);
  await until(async () => (await readdir(join(folder, ".recorderd"))).length === 0);
  ending.abort();
  await life;
  return { library: store.current };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = clock.now() + 50 * SECOND;
  while (!(await holds())) {
    if (clock.now() > deadline) throw new Error("it did not come to hold");
    await clock.sleep(20, signal);
  }
}
