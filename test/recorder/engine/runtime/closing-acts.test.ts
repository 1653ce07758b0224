import { createHash } from "node:crypto";
import * as nodeFs from "node:fs/promises";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Clock, systemClock } from "../../../../src/kit/time/clock.ts";
import { type Attempt, attemptId } from "../../../../src/model/attempt.ts";
import type { InspectedEvidence } from "../../../../src/model/evidence.ts";
import type { Recording, RecordingIn } from "../../../../src/model/recording.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { lostPacketsOf } from "../../../../src/model/verdict.ts";
import type { RecordingFs } from "../../../../src/recorder/capture/files-fs.ts";
import { createMountCheck, type MountCheck } from "../../../../src/recorder/capture/mount-check.ts";
import { parseNameTemplate } from "../../../../src/recorder/capture/name-template.ts";
import { createRecordingFiles } from "../../../../src/recorder/capture/recording-files.ts";
import { createClosing } from "../../../../src/recorder/engine/runtime/closing-acts.ts";
import { excerptDecoder } from "../../../../src/recorder/evidence/excerpt.ts";
import { wholeReader } from "../../../../src/recorder/evidence/whole-file.ts";
import { layOut } from "../../../../src/simulator/broadcaster/lane.ts";
import { Multiplex } from "../../../../src/simulator/broadcaster/multiplex.ts";
import { hollowed } from "../../../kit/hollowed.ts";
import { temporaryFolder } from "../../../main-job/recorder.ts";
import { inState } from "../../../model/recordings.ts";
import { everyMinute, testClip } from "../../../simulator/air.ts";
import { losingDisk } from "../../capture/losing-disk.ts";
import { Brain, EIGHT, timer, tripletOf, WHOLE } from "./world.ts";

const PIDS = { pmt: 0x100, picture: 0x101, sound: 0x102 };

/** The broadcast of the first service. */
async function onAir(): Promise<Multiplex> {
  const air = { lane: layOut(await testClip()), schedule: everyMinute };
  return new Multiplex([{ triplet: tripletOf(1), name: "One", pids: PIDS }], air);
}

interface Place {
  readonly clock?: Clock;
  readonly fs?: RecordingFs;
  readonly presence?: Pick<MountCheck, "check">;
}

function closingIn(folder: string, { clock = systemClock(), fs, presence }: Place = {}) {
  return createClosing({
    shelf: createRecordingFiles({
      folder,
      ...(fs === undefined ? {} : { fs }),
      template: parseNameTemplate("{title}", "UTC"),
      ownership: { fileMode: 0o640, folderMode: 0o750 },
    }),
    readWhole: wholeReader(clock),
    decodesExcerpt: excerptDecoder({ ffmpegPath: "ffmpeg", clock }),
    presence: presence ?? createMountCheck({ folder, isKnown: () => true }),
    sidecars: { json: true, nfo: true, timeZone: "UTC", writtenBy: "recorderd" },
  });
}

it("closing writes nothing after disposal, because the folder may belong to another daemon then", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
  try {
    await mkdir(join(folder, ".recorderd"));
    const file = join(folder, "Show.ts");
    await writeFile(file, "");
    const closing = closingIn(folder);
    const planned = new Brain().fetch(timer("1")).of("1");
    const recording = inState(planned, "completed", { endedAt: EIGHT, evidence: { ...WHOLE, file } });
    const { signal } = new AbortController();
    const first = closing.annotate(recording, signal);
    const second = closing.annotate(recording, signal);
    await closing[Symbol.asyncDispose]();
    const left = (await readdir(folder)).sort();
    expect(left).toEqual([".recorderd", "Show.json", "Show.nfo", "Show.ts"]);
    await Promise.all([first, second]);
    expect((await readdir(folder)).sort()).toEqual(left);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("R-07 closing dates the rest of a segment after a disk failure by its start, not by lost writes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
  try {
    await mkdir(join(folder, ".recorderd"));
    const stream = await onAir();
    const left = { start: EIGHT, stop: EIGHT + 10 * SECOND };
    const brain = new Brain().fetch(timer("1"));
    const planned = brain.of("1");
    const attempt = {
      number: 1,
      tunerId: "a",
      startedAt: EIGHT,
      flowingAt: EIGHT,
      endedAt: EIGHT + 30 * SECOND,
    };
    const file = join(folder, ".recorderd", `${planned.id}.1.ts.part`);
    await writeFile(file, stream.packets(stream.indexAt(left.start), stream.indexAt(left.stop)));
    await utimes(file, new Date(EIGHT + 30 * SECOND), new Date(EIGHT + 30 * SECOND));
    await using closing = closingIn(folder);
    const found = async (cause: Attempt["cause"]) => {
      const attempts = [{ ...attempt, ...(cause === undefined ? {} : { cause }) }];
      const seen = await closing.inspect(
        inState(planned, "closing", { attempts }),
        new AbortController().signal,
      );
      return seen.kind === "inspected" ? seen.evidence.lastAt : undefined;
    };
    expect(Math.abs(((await found("WRITE_FAILED")) ?? 0) - left.stop)).toBeLessThan(100);
    expect(await found("STREAM_ENDED")).toBe(EIGHT + 30 * SECOND);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("R-04 closing counts pictures that nobody can decode as missing", async () => {
  await using folder = await temporaryFolder();
  const recording = await endedIn(folder.path, (whole) =>
    hollowed(whole, { pid: PIDS.picture, whole: 1, rest: "removed" }),
  );
  await using closing = closingIn(folder.path);
  const evidence = await evidenceFor(closing, recording);
  const hollow = [{ kind: "picture" }];
  expect(evidence).toMatchObject({ file: expect.any(String), eventCoveredMs: 0, hollow });
  expect(evidence?.gaps.map(({ lacks }) => lacks)).toContain("picture");
});

it("R-28 closing dates a segment by its last data, even if a slow disk delivers bytes late", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
  try {
    await mkdir(join(folder, ".recorderd"));
    const stream = await onAir();
    const planned = new Brain().fetch(timer("1")).of("1");
    const file = join(folder, ".recorderd", `${planned.id}.1.ts.part`);
    const stop = EIGHT + 10 * SECOND;
    const bytes = stream.packets(stream.indexAt(EIGHT), stream.indexAt(stop));
    const written = async (seconds: number) => {
      const at = EIGHT + seconds * SECOND;
      await writeFile(
        file,
        bytes.subarray(0, stream.packets(stream.indexAt(EIGHT), stream.indexAt(at)).length),
      );
      await utimes(file, new Date(at), new Date(at));
    };
    await written(2);
    const real = systemClock();
    let rests = 0;
    const sleep: Clock["sleep"] = async (ms, signal) => {
      rests += 1;
      if (rests === 1) await written(10);
      await real.sleep(ms, signal);
    };
    await using closing = closingIn(folder, { clock: { ...real, sleep } });
    const attempt = { number: 1, tunerId: "a", startedAt: EIGHT, flowingAt: EIGHT, endedAt: stop };
    const seen = await closing.inspect(
      inState(planned, "closing", { attempts: [{ ...attempt, cause: "asked" }] }),
      new AbortController().signal,
    );
    expect(seen).toMatchObject({ kind: "inspected", evidence: { lastAt: stop, bytes: bytes.length } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("R-28 closing reports no gap if a failing tuner lost only the packet with which its replacement begins", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
  try {
    await mkdir(join(folder, ".recorderd"));
    const stream = await onAir();
    const begin = EIGHT;
    const bytesOf = (from: number, to: number) =>
      stream.packets(stream.indexAt(EIGHT + from * SECOND), stream.indexAt(EIGHT + to * SECOND));
    const relief = bytesOf(6, 14);
    const isMedia = (at: number) =>
      [PIDS.picture, PIDS.sound].includes(relief.readUInt16BE(at + 1) & 0x1fff) &&
      ((relief[at + 3] ?? 0) & 0x10) !== 0;
    let lost = 0;
    while (!isMedia(lost)) lost += 188;
    const whole = bytesOf(0, 10);
    const lostAt = bytesOf(0, 6).length + lost;
    expect(whole.subarray(lostAt, lostAt + 188)).toEqual(relief.subarray(lost, lost + 188));
    const failing = Buffer.concat([whole.subarray(0, lostAt), whole.subarray(lostAt + 188)]);

    const planned = new Brain().fetch(timer("1")).of("1");
    const fileOf = (number: number) => join(folder, ".recorderd", `${planned.id}.${number}.ts.part`);
    const attempts: Attempt[] = [];
    for (const [index, [bytes, from, to]] of (
      [
        [failing, 0, 10],
        [relief, 6, 14],
      ] as const
    ).entries()) {
      const [number, endedAt] = [index + 1, begin + to * SECOND];
      await writeFile(fileOf(number), bytes);
      await utimes(fileOf(number), new Date(endedAt), new Date(endedAt));
      const startedAt = begin + from * SECOND;
      attempts.push({
        number,
        tunerId: `t${number}`,
        startedAt,
        flowingAt: startedAt,
        endedAt,
        cause: "asked",
      });
    }
    await using closing = closingIn(folder);
    const seen = await closing.inspect(
      inState(planned, "closing", { attempts, window: { start: begin, stop: begin + 14 * SECOND } }),
      new AbortController().signal,
    );
    expect(seen).toMatchObject({
      kind: "inspected",
      evidence: { kept: [1, 2], continuityErrors: 0 },
    });
    const gaps = seen.kind === "inspected" ? seen.evidence.gaps : [];
    expect(gaps.filter(({ start }) => start < begin + 13 * SECOND)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

type Closed = RecordingIn<"closing">;

/** A recording that has ended, with ten seconds in its only segment, or what is left of them. */
async function endedIn(folder: string, leftOf = (whole: Uint8Array) => whole): Promise<Closed> {
  await mkdir(join(folder, ".recorderd"), { recursive: true });
  const stream = await onAir();
  const planned = new Brain().fetch(timer("1")).of("1");
  const file = join(folder, ".recorderd", `${planned.id}.1.ts.part`);
  const stop = EIGHT + 10 * SECOND;
  await writeFile(file, leftOf(stream.packets(stream.indexAt(EIGHT), stream.indexAt(stop))));
  await utimes(file, new Date(stop), new Date(stop));
  const attempt = { number: 1, tunerId: "a", startedAt: EIGHT, flowingAt: EIGHT, endedAt: stop } as const;
  return inState(planned, "closing", { attempts: [{ ...attempt, cause: "asked" }] });
}

async function evidenceFor(
  closing: ReturnType<typeof closingIn>,
  recording: Recording,
): Promise<InspectedEvidence | undefined> {
  const seen = await closing.inspect(recording, new AbortController().signal);
  return seen.kind === "inspected" ? seen.evidence : undefined;
}

it("R-04 closing claims no part of a segment that a power loss could still remove", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
  try {
    const recording = await endedIn(folder);
    const onDisk = new Map<string, number>();
    const open: RecordingFs["open"] = async (path, ...how) => {
      const handle = await nodeFs.open(path, ...how);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        onDisk.set(String(path), (await handle.stat()).size);
      };
      return handle;
    };
    await using closing = closingIn(folder, { fs: { ...nodeFs, open } });
    const evidence = await evidenceFor(closing, recording);
    // The document that holds the evidence is on the disk by now; only the synced part of the segment is left.
    const file = join(folder, ".recorderd", `${recording.id}.1.ts.part`);
    await truncate(file, onDisk.get(file) ?? 0);
    const { published } = await closed(closing, recording);
    expect(evidence?.bytes).toBe((await stat(published.file ?? "")).size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it.for([
  ["asked", "its closing"],
  ["WRITE_FAILED", "its capture"],
  ["asked", "an earlier life"],
] as const)(
  "R-04 closing claims no unwritten data of a segment that ended as %s: %s was reported",
  async ([cause, whoWasTold], context) => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
    try {
      const made = await losingDisk(folder);
      if (typeof made === "string") return context.skip(made);
      await using disk = made;
      const recording = await endedIn(disk.mountPoint);
      const file = join(disk.mountPoint, ".recorderd", `${recording.id}.1.ts.part`);
      const bytes = await readFile(file);
      const half = Math.floor(bytes.length / 2);
      await writeFile(file, Buffer.concat([bytes.subarray(0, half), Buffer.alloc(bytes.length - half)]));
      await disk.loseEndOf(file);
      await using closing = closingIn(disk.mountPoint);
      await writeFile(file, bytes, { flag: "r+" });
      await utimes(file, new Date(EIGHT + 10 * SECOND), new Date(EIGHT + 10 * SECOND));
      const [attempt] = recording.attempts;
      if (attempt === undefined) throw new Error("there is an attempt");
      const ended = { ...recording, attempts: [{ ...attempt, cause }] };
      if (whoWasTold === "its closing") {
        await expect(closing.inspect(ended, new AbortController().signal)).rejects.toThrow("EIO");
      } else {
        // Only the first caller gets the failure of a sync: here that was the capture host.
        await expect(syncOf(file)).rejects.toThrow("EIO");
        expect((await readFile(file)).equals(bytes)).toBe(true);
        if (whoWasTold === "its capture") closing.trust(attemptId(recording.id, attempt.number));
      }
      await disk.recover();
      const evidence = await evidenceFor(closing, ended);
      disk.remount();
      const there = await readFile(file);
      expect(there.equals(bytes)).toBe(false);
      expect(evidence?.sha256).toBe(createHash("sha256").update(there).digest("hex"));
      expect(evidence?.windowCoveredMs).toBeLessThan(6 * SECOND);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

async function syncOf(file: string): Promise<void> {
  await using handle = await nodeFs.open(file, "r");
  await handle.sync();
}

it.each(["inspect", "publish"] as const)(
  "R-32 closing does not treat a disk that disappears while it %ss as one without the recording",
  async (step) => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
    try {
      const recordings = join(folder, "recordings");
      await mkdir(recordings);
      const recording = await endedIn(recordings);
      let isToGo = false;
      const goes = async () => {
        if (isToGo) await rename(join(recordings, ".recorderd"), join(folder, "away"));
        isToGo = false;
      };
      const there = createMountCheck({ folder: recordings, isKnown: () => true });
      const presence = {
        check: async () => {
          await there.check();
          if (step === "inspect") await goes();
        },
      };
      const open: RecordingFs["open"] = async (path, ...how) => {
        const handle = await nodeFs.open(path, ...how);
        // By it publishing sees that the disk is there.
        if (step === "publish" && String(path).endsWith(".recorderd")) await goes();
        return handle;
      };
      await using closing = closingIn(recordings, { presence, fs: { ...nodeFs, open } });
      const evidence = await evidenceFor(closing, recording);
      isToGo = true;
      const done = closing[step](
        { ...recording, ...(step === "publish" && evidence !== undefined ? { evidence } : {}) },
        new AbortController().signal,
      );
      await expect(done).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
      expect(await readdir(join(folder, "away"))).toContain(`${recording.id}.1.ts.part`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** A file that was cut at `from` while its writer went on at its old position. */
async function cutInPlace(file: string, from: number): Promise<Buffer> {
  const whole = await readFile(file);
  const to = from + Math.floor(whole.length / 5);
  const cut = Buffer.concat([whole.subarray(0, from), Buffer.alloc(to - from), whole.subarray(to)]);
  await writeFile(file, cut, { flag: "r+" });
  return cut;
}

function segmentOf(folder: string, { id }: Recording, number = 1): string {
  return join(folder, ".recorderd", `${id}.${number}.ts.part`);
}

function withCause(recording: Closed, more: Partial<Attempt>): Closed {
  return { ...recording, attempts: recording.attempts.map((attempt) => ({ ...attempt, ...more })) };
}

async function sha256Of(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

/** Both steps, as often as the engine orders them. */
async function closed(closing: ReturnType<typeof closingIn>, recording: Closed) {
  const { signal } = new AbortController();
  let step = await closing.inspect(recording, signal);
  for (let tries = 0; step.kind === "inspected" && tries < 5; tries += 1) {
    const { evidence } = step;
    step = await closing.publish({ ...recording, evidence }, signal);
    if (step.kind === "published") return { evidence, published: step };
  }
  throw new Error("it was not closed");
}

/** A recording whose first capture went on until `EIGHT + 10 s`, although its node was lost after 3 s. */
async function outlasting(folder: string, others: readonly Pick<Attempt, "startedAt" | "endedAt">[]) {
  const first = await endedIn(folder);
  const stream = await onAir();
  const lost = withCause(first, { cause: "CAPTURE_DIED", endedAt: EIGHT + 3 * SECOND }).attempts;
  const attempts: Attempt[] = [...lost];
  for (const { startedAt, endedAt = 0 } of others) {
    const number = attempts.length + 1;
    const file = segmentOf(folder, first, number);
    await writeFile(file, stream.packets(stream.indexAt(startedAt), stream.indexAt(endedAt)));
    await utimes(file, new Date(endedAt), new Date(endedAt));
    attempts.push({ number, tunerId: "b", startedAt, flowingAt: startedAt, endedAt, cause: "asked" });
  }
  await using closing = closingIn(folder);
  const { evidence, published } = await closed(closing, { ...first, attempts });
  const whole = stream.packets(stream.indexAt(EIGHT), stream.indexAt(EIGHT + 20 * SECOND));
  return { evidence, isWhole: (await readFile(published.file ?? "")).equals(whole), bytes: whole.length };
}

const NEXT = { startedAt: EIGHT + 4 * SECOND, endedAt: EIGHT + 20 * SECOND };

it("R-29 closing cuts what a capture has written after it was given up, and the next one wrote, too", async () => {
  await using folder = await temporaryFolder();
  const { evidence, isWhole, bytes } = await outlasting(folder.path, [NEXT]);
  expect(isWhole).toBe(true);
  expect(evidence).toMatchObject({ kept: [1, 2], bytes, clockBreaks: 0, continuityErrors: 0 });
});

it("R-29 closing leaves out a capture that ended before the lost one that it replaced", async () => {
  await using folder = await temporaryFolder();
  const brief = { startedAt: EIGHT + 4 * SECOND, endedAt: EIGHT + 6 * SECOND };
  const later = { ...NEXT, startedAt: EIGHT + 8 * SECOND };
  const { evidence, isWhole, bytes } = await outlasting(folder.path, [brief, later]);
  expect(isWhole).toBe(true);
  expect(evidence).toMatchObject({ kept: [1, 3], bytes, clockBreaks: 0, continuityErrors: 0 });
});

it("R-28 closing describes the present contents of a file that was overwritten while it grew", async () => {
  await using folder = await temporaryFolder();
  const recording = await endedIn(folder.path);
  const file = segmentOf(folder.path, recording);
  await using closing = closingIn(folder.path);
  closing.trust(attemptId(recording.id, 1));
  await cutInPlace(file, 188 * 1000);
  const { evidence, published } = await closed(closing, recording);
  expect(lostPacketsOf(evidence)).toBeGreaterThan(1000);
  expect(evidence.eventCoveredMs).toBeLessThan(10 * SECOND);
  expect(published.sha256).toBe(await sha256Of(published.file ?? ""));
});

it("R-28 closing keeps the part before the cut of a truncated segment, and the sidecar's SHA-256 matches the file", async () => {
  await using folder = await temporaryFolder();
  const recording = withCause(await endedIn(folder.path), { cause: "FILE_CHANGED" });
  const file = segmentOf(folder.path, recording);
  const whole = await readFile(file);
  await using closing = closingIn(folder.path);
  await cutInPlace(file, 188 * 1000);
  const { evidence, published } = await closed(closing, recording);
  const made = await readFile(published.file ?? "");
  expect(made.equals(whole.subarray(0, made.length))).toBe(true);
  // The packet before the cut may end with zeros of its own, which look like those behind it.
  expect(188 * 1000 - made.length).toBeLessThan(188);
  expect(evidence).toMatchObject({ bytes: made.length, keptBytes: { 1: made.length } });
  expect(lostPacketsOf(evidence)).toBe(0);
  expect(published.sha256).toBe(await sha256Of(published.file ?? ""));
});

it.each([
  ["its replacement was observed while it grew", { cause: "FILE_REPLACED" as const }],
  [
    "its identity differs from the one at the capture's end",
    { segment: { id: "0:0", bytes: 1, modifiedAt: 1 } },
  ],
])(
  "R-29 closing counts nothing of a foreign file in the place of a segment, and leaves it there: %s",
  async (_why, more) => {
    await using folder = await temporaryFolder();
    const recording = withCause(await endedIn(folder.path), more);
    const file = segmentOf(folder.path, recording);
    const theirs = await readFile(file);
    await using closing = closingIn(folder.path);
    const { evidence, published } = await closed(closing, recording);
    expect(evidence).toMatchObject({ bytes: 0, segments: 0, foreign: [1] });
    expect(published.file).toBeUndefined();
    expect((await readFile(file)).equals(theirs)).toBe(true);
  },
);

it("R-29 closing recognises a segment by size and time, because a restart may change the number of its disk", async () => {
  await using folder = await temporaryFolder();
  const planned = await endedIn(folder.path);
  const { size, mtimeMs } = await stat(segmentOf(folder.path, planned));
  const segment = { id: "0:0", bytes: size, modifiedAt: Math.floor(mtimeMs) };
  await using closing = closingIn(folder.path);
  const { evidence, published } = await closed(closing, withCause(planned, { segment }));
  expect(evidence.bytes).toBe(size);
  expect(published.file).toBeDefined();
});

it.each(["this life", "an earlier life"])(
  "R-28 closing reads a segment again if it changed since %s inspected it",
  async (whose) => {
    await using folder = await temporaryFolder();
    const recording = await endedIn(folder.path);
    const file = segmentOf(folder.path, recording);
    const { signal } = new AbortController();
    await using closing = closingIn(folder.path);
    const first = await closing.inspect(recording, signal);
    if (first.kind !== "inspected") throw new Error("it is inspected");
    const before = await stat(file);
    await cutInPlace(file, 188 * 1000);
    // Same size, same time of content: only the system's own time shows the change.
    await utimes(file, before.atime, before.mtime);
    await using other = closingIn(folder.path);
    const second = await (whose === "this life" ? closing : other).publish(
      { ...recording, evidence: first.evidence },
      signal,
    );
    expect(second).toMatchObject({ kind: "inspected", evidence: { sha256: await sha256Of(file) } });
  },
);

it("R-42 closing abandons a segment that changes during every reading, and can be repeated", async () => {
  await using folder = await temporaryFolder();
  const recording = await endedIn(folder.path);
  const file = segmentOf(folder.path, recording);
  const real = systemClock();
  let isBusy = true;
  const sleep: Clock["sleep"] = async (ms, signal) => {
    if (isBusy) await utimes(file, 0, 0);
    await real.sleep(ms, signal);
  };
  await using closing = closingIn(folder.path, { clock: { ...real, sleep } });
  const { signal } = new AbortController();
  await expect(closing.inspect(recording, signal)).rejects.toMatchObject({ code: "FILE_CHANGED" });
  isBusy = false;
  expect((await closing.inspect(recording, signal)).kind).toBe("inspected");
});
