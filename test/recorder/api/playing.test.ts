import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, it } from "vitest";
import { attemptId } from "../../../src/model/attempt.ts";
import type { Recording } from "../../../src/model/recording.ts";
import { CAPTURE_LIMITS } from "../../../src/recorder/capture/limits.ts";
import { parseNameTemplate } from "../../../src/recorder/capture/name-template.ts";
import { createRecordingFiles } from "../../../src/recorder/capture/recording-files.ts";
import { inspecting } from "../../../src/recorder/evidence/file-inspection.ts";
import { indexPlaces } from "../../../src/recorder/subsystems/library/index-place.ts";
import { PLAYBACK_LIMITS } from "../../../src/recorder/subsystems/playback/limits.ts";
import { createPlaying, type PlayingParts } from "../../../src/recorder/subsystems/playback/playing.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";
import { film, keyFrames } from "../../kit/films.ts";
import { inState } from "../../model/recordings.ts";
import { Brain, EIGHT, timer, WHOLE } from "../engine/runtime/world.ts";

const PIECE = 300_000;
const { signal } = new AbortController();

async function endOf(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function playingOf(
  parts: Pick<PlayingParts, "recording" | "segmentFile" | "clock">,
  more: Partial<PlayingParts> = {},
) {
  const { clock } = parts;
  return createPlaying({
    mayBeElsewhere: () => false,
    ...parts,
    entry: () => undefined,
    indexOf: indexPlaces("/nowhere"),
    desk: { take: () => Promise.reject(new Error("nobody watches live")) },
    view: { ffmpegPath: "ffmpeg", clock, limits: CAPTURE_LIMITS },
    onRead: () => {},
    signal,
    ...more,
  });
}

it.each([
  ["from its beginning", {}, 0, 0],
  ["from within the second segment, to a byte of the third", { last: 2 * PIECE + 20 }, PIECE + 10, 0],
  ["up to a segment that loses the rest of a packet", { last: 2 * PIECE + 20 }, PIECE + 10, 7],
])(
  "playback %s continues to the end of the recording while segments are joined",
  async (_name, more, first, head) => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-playing-"));
    try {
      await mkdir(join(folder, ".recorderd"));
      const ownership = { fileMode: 0o640, folderMode: 0o750 };
      const shelf = createRecordingFiles({
        folder,
        template: parseNameTemplate("{title}", "UTC"),
        ownership,
      });
      const planned = new Brain().fetch(timer("1")).of("1");
      const attempt = { tunerId: "a", startedAt: EIGHT, flowingAt: EIGHT, endedAt: EIGHT } as const;
      const attempts = [1, 2, 3, 4].map((number) => ({ ...attempt, number }));
      const letters = ["a", "b", "c", "d"].map((letter) =>
        Buffer.from(letter.padEnd(PIECE, `${letter}${letter.toUpperCase()}-`)),
      );
      const segments = attempts.map(({ number }) => shelf.segmentFile(attemptId(planned.id, number)));
      for (const [index, segment] of segments.entries()) await writeFile(segment, letters[index] ?? "");
      let now: Recording = inState(planned, "recording", { attempts });
      const clock = createVirtualClock(EIGHT);
      const playing = playingOf({ recording: () => now, segmentFile: shelf.segmentFile, clock });
      const stream = (await playing.open(planned.id)).read({ first, ...more });
      await once(stream, "readable");
      const begun = stream.read() as Buffer;
      now = inState(now, "closing", {});
      // The first segment is only partly in the file: the second begins with the rest.
      const cuts = new Map([
        [segments[0] ?? "", { from: 0, bytes: 1000 }],
        [segments[2] ?? "", { from: head, bytes: PIECE - head }],
      ]);
      const { file } = await shelf.reserve({
        title: "Show",
        channel: "One",
        start: EIGHT,
        recordingId: planned.id,
        timerId: "1",
      });
      await shelf.publish({ recordingId: planned.id, segments, cuts, file }, signal);
      const rest = endOf(stream);
      await clock.advance(2 * PLAYBACK_LIMITS.lookMs);
      const evidence = {
        ...WHOLE,
        file,
        bytes: 3 * PIECE + 1000 - head,
        kept: [1, 2, 3, 4],
        keptBytes: { 1: 1000, 3: PIECE - head },
        keptFrom: { 3: head },
      };
      now = inState(now, "completed", { evidence });
      await clock.advance(2 * PLAYBACK_LIMITS.lookMs);
      const seen = Buffer.concat([begun, await rest]);
      const { last = 4 * PIECE - 1 } = more as { last?: number };
      const [a, b, c, d] = letters as [Buffer, Buffer, Buffer, Buffer];
      const whole = Buffer.concat([a, b, c.subarray(head), d]);
      expect(seen.equals(whole.subarray(first, last + 1))).toBe(true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

it("R-27 a part of a segment that is being written ends with its last byte, without waiting for more", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-part-"));
  try {
    const planned = new Brain().fetch(timer("1")).of("1");
    const attempts = [{ number: 1, tunerId: "a", startedAt: EIGHT, flowingAt: EIGHT }];
    const now = inState(planned, "recording", { attempts });
    const segmentFile = (attempt: string) => join(folder, attempt);
    const bytes = Buffer.from("0123456789");
    await writeFile(segmentFile(attemptId(planned.id, 1)), bytes);
    const playing = playingOf({ recording: () => now, segmentFile, clock: createVirtualClock(EIGHT) });
    const part = (await playing.open(planned.id)).read({ first: 2, last: 5 });
    expect(await endOf(part)).toEqual(bytes.subarray(2, 6));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("R-27 the access points of a recording can be read before, during and after the joining of its segments", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-access-"));
  try {
    await mkdir(join(folder, ".recorderd"));
    const template = parseNameTemplate("{title}", "UTC");
    const ownership = { fileMode: 0o640, folderMode: 0o750 };
    const shelf = createRecordingFiles({ folder, template, ownership });
    const planned = new Brain().fetch(timer("1")).of("1");
    const segment = shelf.segmentFile(attemptId(planned.id, 1));
    const attempt = { number: 1, tunerId: "a", startedAt: EIGHT, flowingAt: EIGHT };
    let now: Recording = inState(planned, "recording", { attempts: [attempt] });
    const clock = createVirtualClock(EIGHT);
    const playing = playingOf({ recording: () => now, segmentFile: shelf.segmentFile, clock });
    const points = async () => (await playing.accessPoints(planned.id)).points;
    await expect(points()).rejects.toMatchObject({ code: "INDEX_UNUSABLE" });
    await film(segment);
    {
      await using inspection = inspecting({ index: () => {} })(segment, undefined);
      await inspection.advance(signal);
      const growing = await playing.accessPoints(planned.id);
      expect(growing).toMatchObject({ isGrowing: true, bytes: (await stat(segment)).size });
      expect(growing.points.map(({ offset, pts }) => ({ offset, pts }))).toEqual(await keyFrames(segment));
    }
    const before = await points();
    const facts = { title: "Show", channel: "One", start: EIGHT, recordingId: planned.id, timerId: "1" };
    const { file } = await shelf.reserve(facts);
    const evidence = { ...WHOLE, file, kept: [1] };
    now = inState(now, "closing", { evidence, attempts: [{ ...attempt, endedAt: EIGHT }] });
    expect(await points()).toEqual(before);
    await shelf.publish({ recordingId: planned.id, segments: [segment], file }, signal);
    expect(await points()).toEqual(before);
    now = inState(now, "completed", { evidence });
    expect(await playing.accessPoints(planned.id)).toMatchObject({ isGrowing: false, points: before });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("a recording that is on another node of the fleet says so, and one that is gone does not", async () => {
  const parts = {
    recording: () => undefined,
    segmentFile: () => "/nowhere",
    clock: createVirtualClock(0),
  };
  const kept = { file: "/nowhere/Film.ts", bytes: 1, made: [] };
  const entry = (() => kept) as unknown as PlayingParts["entry"];
  const opened = (mayBeElsewhere: boolean) =>
    playingOf(parts, { entry, mayBeElsewhere: () => mayBeElsewhere }).open("r1");
  await expect(opened(true)).rejects.toMatchObject({ code: "NODE_AWAY" });
  await expect(opened(false)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
});
