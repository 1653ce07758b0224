import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { Job } from "../../../../src/model/job.ts";
import type { LibraryDocument, LibraryEntry } from "../../../../src/model/library.ts";
import { recordingIndex } from "../../../../src/recorder/capture/files.ts";
import { emptyLibrary } from "../../../../src/recorder/subsystems/library/core/document.ts";
import { withJobs } from "../../../../src/recorder/subsystems/library/core/jobs.ts";
import { indexPlaces } from "../../../../src/recorder/subsystems/library/index-place.ts";
import {
  MissingIndexes,
  makeIndex,
  removeIndex,
} from "../../../../src/recorder/subsystems/library/indexing.ts";
import { LIBRARY_LIMITS } from "../../../../src/recorder/subsystems/library/limits.ts";
import { finishedIndex } from "../../../../src/recorder/subsystems/playback/access-index.ts";
import { film, keyFrames } from "../../../kit/films.ts";
import { entry, NOW } from "./entries.ts";

const clock = systemClock();
const signal = new AbortController().signal;
const JOB: Job = { id: 7, kind: "index", recordingId: "a", state: "running", tries: 0, orderedAt: NOW };
const VOBSUB = "# VobSub index file, v7";

let place: string;
let original: string;
let folder: string;
let workFolder: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "indexing-"));
  original = join(place, "original.ts");
  await film(original);
});
afterAll(() => rm(place, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(place, "library-"));
  workFolder = join(folder, ".recorderd");
  await mkdir(workFolder);
});

async function recorded(id: string): Promise<LibraryEntry> {
  const file = join(folder, `${id}.ts`);
  await copyFile(original, file);
  return entry(id, { file, bytes: (await stat(file)).size });
}

const indexOf = indexPlaces("/nowhere");

function libraryOf(entries: readonly LibraryEntry[]): LibraryDocument {
  return { ...emptyLibrary(), entries: Object.fromEntries(entries.map((each) => [each.recordingId, each])) };
}

async function make(of: LibraryEntry): Promise<readonly number[]> {
  const shares: number[] = [];
  const parts = { index: indexOf(of), workFolder, clock, onProgress: (share: number) => shares.push(share) };
  await makeIndex({ job: JOB, entry: of }, parts, signal);
  return shares;
}

describe("the index job", () => {
  it("finds the key frames of a recording", async () => {
    const a = await recorded("a");
    expect((await make(a)).at(-1)).toBe(1);
    const { points, ...index } = await finishedIndex(a.file);
    expect(points.map(({ offset, pts }) => ({ offset, pts }))).toEqual(await keyFrames(a.file));
    expect(index).toMatchObject({ isGrowing: false, bytes: a.bytes });
    expect(await readdir(workFolder)).toEqual([]);
  });

  it("replaces an index that does not belong to the recording", async () => {
    const a = await recorded("a");
    await make(a);
    await appendFile(a.file, Buffer.alloc(188, 0x47));
    await expect(finishedIndex(a.file)).rejects.toMatchObject({ code: "INDEX_UNUSABLE" });
    await make(a);
    await expect(finishedIndex(a.file)).resolves.toMatchObject({ bytes: a.bytes + 188 });
  });

  it("R-29 fails and leaves the file alone if another program's file has that name", async () => {
    const a = await recorded("a");
    await writeFile(recordingIndex(a.file), VOBSUB);
    await expect(make(a)).rejects.toMatchObject({ code: "WRITE_FAILED" });
    await removeIndex(a.file);
    expect(await readFile(recordingIndex(a.file), "utf8")).toBe(VOBSUB);
    expect(await readdir(workFolder)).toEqual([]);
  });

  it("fails if the recording cannot be read, and leaves no file", async () => {
    const a = await recorded("a");
    await rm(a.file);
    await expect(make(a)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(await readdir(workFolder)).toEqual([]);
    expect(await readdir(folder)).toEqual([".recorderd"]);
  });
});

describe("the index of a file that was joined", () => {
  const BEGAN = NOW - 20 * 60_000;

  /** The film twice, as another sender sends it: its clock begins again. */
  async function joinedTwice(sizes: (bytes: number) => readonly number[]): Promise<LibraryEntry> {
    const a = await recorded("a");
    await appendFile(a.file, await readFile(original));
    const segments = sizes(a.bytes).map((bytes, nth) => {
      const start = BEGAN + nth * 600_000;
      const instants = { start: new Date(start).toISOString(), stop: new Date(start + 8000).toISOString() };
      return { attempt: nth + 1, bytes, streamMs: nth * 8000, ...instants };
    });
    await writeFile(join(folder, "a.json"), JSON.stringify({ integrity: { segments, gaps: [] } }));
    return { ...a, bytes: 2 * a.bytes };
  }

  it("has room for the time between two attempts", async () => {
    const joined = await joinedTwice((bytes) => [bytes, bytes]);
    await make(joined);
    const keys = await keyFrames(original);
    const { points, durationMs, bytes } = await finishedIndex(joined.file);
    expect(points.map(({ offset }) => offset)).toEqual([
      ...keys.map(({ offset }) => offset),
      ...keys.map(({ offset }) => offset + joined.bytes / 2),
    ]);
    expect(bytes).toBe(joined.bytes);
    expect(points.flatMap(({ isBreak }, nth) => (isBreak ? [nth] : []))).toEqual([keys.length]);
    expect(Math.abs((points[keys.length]?.streamMs ?? 0) - 600_000)).toBeLessThan(1000);
    expect(Math.abs(durationMs - 608_000)).toBeLessThan(1000);
  });

  it("has none if the report is of another file", async () => {
    const joined = await joinedTwice((bytes) => [bytes, bytes + 188]);
    await make(joined);
    const { durationMs } = await finishedIndex(joined.file);
    expect(Math.abs(durationMs - 16_000)).toBeLessThan(1000);
  });
});

describe("recordings without an index", () => {
  it("are found once each, a limited number at a time", async () => {
    const entries = await Promise.all(Array.from({ length: 6 }, (_, number) => recorded(`r${number}`)));
    const missing = new MissingIndexes(indexOf);
    let library = libraryOf(entries);
    const first = await missing.next(library);
    expect(first).toEqual(["r0", "r1", "r2", "r3"]);
    expect(first).toHaveLength(LIBRARY_LIMITS.indexJobs);
    for (const recordingId of first) library = withJobs(library, { recordingId, kinds: ["index"], now: NOW });
    expect(await missing.next(library)).toEqual([]);
    expect(await missing.next({ ...library, jobs: [] })).toEqual(["r4", "r5"]);
    expect(await missing.next({ ...library, jobs: [] })).toEqual([]);
  });

  it("are present transport streams whose index is missing or outdated", async () => {
    const [a, b, c, d] = await Promise.all(["a", "b", "c", "d"].map(recorded));
    if (a === undefined || b === undefined || c === undefined || d === undefined)
      throw new Error("all exist");
    await make(a);
    const others = [
      { ...b, goneSince: NOW },
      { ...c, file: join(folder, "c.mkv") },
      { ...d, deleted: { at: NOW, actor: "person", reason: "", done: false } as const },
    ];
    expect(await new MissingIndexes(indexOf).next(libraryOf([a, ...others]))).toEqual([]);
    await appendFile(a.file, "more");
    expect(
      await new MissingIndexes(indexOf).next(libraryOf([a, ...others, { ...b, recordingId: "e" }])),
    ).toEqual(["a", "e"]);
  });

  it("wait for the other jobs of their recording: a conversion may replace the file", async () => {
    const missing = new MissingIndexes(indexOf);
    const library = libraryOf([await recorded("a")]);
    const converting = withJobs(library, { recordingId: "a", kinds: ["convert"], now: NOW });
    expect(await missing.next(converting)).toEqual([]);
    expect(await missing.next(library)).toEqual(["a"]);
  });
});
