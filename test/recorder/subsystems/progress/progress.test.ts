import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keptFiles, RECORDER_PART } from "../../../../src/backup/contents.ts";
import { silentLog } from "../../../../src/kit/log.ts";
import type { Progress } from "../../../../src/model/progress.ts";
import { MINUTE } from "../../../../src/model/time.ts";
import { stateInFolder } from "../../../../src/recorder/store/state-store.ts";
import { PROGRESS_LIMITS } from "../../../../src/recorder/subsystems/progress/limits.ts";
import { openProgress, type ProgressPart } from "../../../../src/recorder/subsystems/progress/open.ts";
import {
  isAtEnd,
  type Positions,
  withoutGone,
  withPosition,
} from "../../../../src/recorder/subsystems/progress/positions.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { temporaryFolder } from "../../../main-job/recorder.ts";
import { fc } from "../../../properties.ts";

const EIGHT = Date.parse("2026-11-24T08:00:00Z");
const FILM = { viewer: "user anna", recordingId: "film" };
const HOUR_SECONDS = 3600;

/** Positions in a folder; `gone` holds the recordings that do not exist. */
async function opened(
  folder: string,
  gone: ReadonlySet<string> = new Set(),
  brought: ReadonlyMap<string, Progress> = new Map(),
) {
  const clock = createVirtualClock(EIGHT);
  const finished: string[] = [];
  const part = await openProgress({
    brought: () => brought,
    state: stateInFolder(folder),
    extent: (id) => (gone.has(id) ? undefined : { isGrowing: id === "growing" }),
    eventEndSeconds: async (id) => (id === "padded" ? 3300 : undefined),
    onFinished: async (id) => void finished.push(id),
    clock,
    log: silentLog,
  });
  return { part, clock, finished };
}

const at = (part: ProgressPart, viewing = FILM) => part.api.find(viewing)?.seconds;

describe("resume positions", () => {
  it("survive a restart, and belong to one viewer", async () => {
    await using folder = await temporaryFolder();
    const { part } = await opened(folder.path);
    await part.api.note(FILM, { seconds: 100, durationSeconds: HOUR_SECONDS });
    await part.api.note({ ...FILM, viewer: "user ben" }, { seconds: 7, durationSeconds: HOUR_SECONDS });
    await part[Symbol.asyncDispose]();
    const { part: again } = await opened(folder.path);
    expect([at(again), at(again, { ...FILM, viewer: "user ben" })]).toEqual([100, 7]);
    expect(again.api.of("user carla")).toEqual([]);
  });

  it("of another recorder are those of each viewer who has none yet", async () => {
    await using folder = await temporaryFolder();
    const theirs = { seconds: 90, durationSeconds: HOUR_SECONDS, isFinished: false, at: 0 };
    const { part } = await opened(
      folder.path,
      new Set(["gone"]),
      new Map([
        ["film", theirs],
        ["gone", theirs],
      ]),
    );
    await part.api.note({ ...FILM, viewer: "user ben" }, { seconds: 7, durationSeconds: HOUR_SECONDS });
    expect([at(part), at(part, { ...FILM, viewer: "user ben" })]).toEqual([90, 7]);
    expect(part.api.of("user anna")).toEqual([{ recordingId: "film", ...theirs }]);
    expect(part.api.of("user ben")).toMatchObject([{ recordingId: "film", seconds: 7 }]);
    part.api.mark(FILM, false);
    expect(at(part)).toBe(0);
  });

  it("cost at most one write a minute, however often a player reports", async () => {
    await using folder = await temporaryFolder();
    const { part, clock } = await opened(folder.path);
    const ended = new AbortController();
    const running = part.run(ended.signal);
    const texts = new Set<string>();
    for (let second = 0; second < 600; second += 10) {
      await part.api.note(FILM, { seconds: second, durationSeconds: HOUR_SECONDS });
      await clock.advance(10_000);
      texts.add(await readFile(join(folder.path, "progress.json"), "utf8").catch(() => ""));
    }
    // Ten minutes, and the time before the first write.
    expect(texts.size).toBeLessThanOrEqual(11);
    ended.abort();
    await running;
    await part[Symbol.asyncDispose]();
    expect(await readFile(join(folder.path, "progress.json"), "utf8")).toContain('"seconds":590');
  });

  it("mark a recording as watched once, when its end is reached", async () => {
    await using folder = await temporaryFolder();
    const { part, finished } = await opened(folder.path);
    for (const seconds of [3000, 3500, 3550])
      await part.api.note(FILM, { seconds, durationSeconds: HOUR_SECONDS });
    await part.api.note({ ...FILM, recordingId: "growing" }, { seconds: 59, durationSeconds: 60 });
    for (const seconds of [3200, 3301])
      await part.api.note({ ...FILM, recordingId: "padded" }, { seconds, durationSeconds: HOUR_SECONDS });
    expect(finished).toEqual(["film", "padded"]);
    expect(part.api.find(FILM)).toMatchObject({ isFinished: true });
    part.api.mark(FILM, false);
    expect(part.api.find(FILM)).toMatchObject({ seconds: 0, isFinished: false });
  });

  it("are removed with their recording", async () => {
    await using folder = await temporaryFolder();
    const gone = new Set<string>();
    const { part } = await opened(folder.path, gone);
    await part.api.note(FILM, { seconds: 5, durationSeconds: HOUR_SECONDS });
    gone.add("film");
    expect(part.api.of("user anna")).toEqual([]);
    expect(() => part.api.find(FILM)).toThrow("no recording film");
    await part[Symbol.asyncDispose]();
    expect(await readFile(join(folder.path, "progress.json"), "utf8").catch(() => "")).not.toContain("film");
  });

  it("are part of a backup", async () => {
    await using folder = await temporaryFolder();
    const { part } = await opened(folder.path);
    await part.api.note(FILM, { seconds: 5, durationSeconds: HOUR_SECONDS });
    await part[Symbol.asyncDispose]();
    expect(await keptFiles(RECORDER_PART, folder.path)).toEqual(["progress.json"]);
  });

  it("start empty if their file is damaged, and the damaged file is kept", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "progress.json");
    const { part } = await opened(folder.path);
    await part.api.note(FILM, { seconds: 100, durationSeconds: HOUR_SECONDS });
    await part[Symbol.asyncDispose]();
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"seconds":100', '"seconds":900'));
    const { part: again } = await opened(folder.path);
    expect(at(again)).toBeUndefined();
    await again.api.note(FILM, { seconds: 1, durationSeconds: HOUR_SECONDS });
    await again[Symbol.asyncDispose]();
    expect(await readFile(`${file}.damaged`, "utf8")).toContain('"seconds":900');
  });
});

describe("the end of a recording", () => {
  const long = { isGrowing: false };
  const report = (seconds: number) => ({ seconds, durationSeconds: HOUR_SECONDS });

  it("is its last part or the padding after its event, and never part of a growing one", () => {
    expect(isAtEnd(report(3400), long)).toBe(false);
    expect(isAtEnd(report(3430), long)).toBe(true);
    expect(isAtEnd(report(3000), { ...long, eventEndSeconds: 2990 })).toBe(true);
    expect(isAtEnd(report(3600), { isGrowing: true })).toBe(false);
    // A recording that began long after its event says nothing about its end.
    expect(isAtEnd(report(60), { ...long, eventEndSeconds: 10 })).toBe(false);
  });
});

describe("stored positions", () => {
  const progress: Progress = { seconds: 1, durationSeconds: MINUTE, isFinished: false, at: EIGHT };
  const viewings = fc.array(
    fc.record({ viewer: fc.nat(60).map(String), recordingId: fc.nat(20).map(String) }),
    { maxLength: 300 },
  );

  it("stay within their limits and keep the latest report", () => {
    fc.assert(
      fc.property(viewings, (all) => {
        let positions: Positions = new Map();
        for (const viewing of all) positions = withPosition(positions, viewing, progress);
        const last = all.at(-1);
        const isKept = last === undefined || positions.get(last.viewer)?.has(last.recordingId) === true;
        return isKept && positions.size <= PROGRESS_LIMITS.viewers;
      }),
    );
  });

  it("are kept exactly for the remaining recordings", () => {
    fc.assert(
      fc.property(viewings, fc.nat(20).map(String), (all, gone) => {
        let positions: Positions = new Map();
        for (const viewing of all) positions = withPosition(positions, viewing, progress);
        const kept = withoutGone(positions, (id) => id !== gone);
        return [...positions].every(([viewer, own]) =>
          [...own.keys()].every((id) => (kept.get(viewer)?.has(id) ?? false) === (id !== gone)),
        );
      }),
    );
  });
});
