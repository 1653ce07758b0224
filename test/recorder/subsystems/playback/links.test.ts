import { mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LibraryEntry } from "../../../../src/model/library.ts";
import { CAPTURE_LIMITS } from "../../../../src/recorder/capture/limits.ts";
import { indexPlaces } from "../../../../src/recorder/subsystems/library/index-place.ts";
import { createPlaying, type Playing } from "../../../../src/recorder/subsystems/playback/playing.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";

const SECRET = "account: { token: s3cr3t }\n";
const FILM = "0123456789 a film of another length";

let folder: string;
let playing: Playing;
let entry: LibraryEntry;
const place = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-links-"));
  await writeFile(place("secrets.yaml"), SECRET);
  await writeFile(place("film.ts"), FILM);
  const { mtimeMs } = await stat(place("film.ts"));
  entry = {
    recordingId: "r1",
    timerId: "1",
    name: "Film",
    channelName: "One",
    event: { start: 0, stop: 1 },
    state: "completed",
    endedAt: 1,
    file: place("film.ts"),
    bytes: FILM.length,
    modifiedAt: Math.round(mtimeMs),
    made: [],
    protected: false,
    watched: false,
  };
  const clock = createVirtualClock(0);
  playing = createPlaying({
    mayBeElsewhere: () => false,
    recording: () => undefined,
    entry: () => entry,
    segmentFile: (attempt) => place(attempt),
    indexOf: indexPlaces("/nowhere"),
    desk: { take: () => Promise.reject(new Error("nobody watches live")) },
    view: { ffmpegPath: "ffmpeg", clock, limits: CAPTURE_LIMITS },
    onRead: () => {},
    clock,
    signal: new AbortController().signal,
  });
});
afterEach(() => rm(folder, { recursive: true }));

async function contentOf(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of (await playing.open("r1")).read({ first: 0 })) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

const REFUSED = {
  code: "FILE_UNREADABLE",
  message: expect.stringContaining("is a link, but not to the recording"),
};

describe("R-39 a link that somebody put in the folder of recordings", () => {
  it("shows no secret in place of the recording", async () => {
    await rm(entry.file);
    await symlink(place("secrets.yaml"), entry.file);
    await expect(contentOf()).rejects.toMatchObject(REFUSED);
  });

  it("shows no secret when it takes the place of a recording that is being read", async () => {
    const opened = await playing.open("r1");
    await rm(entry.file);
    await symlink(place("secrets.yaml"), entry.file);
    await expect(opened.read({ first: 0 }).toArray()).rejects.toMatchObject(REFUSED);
  });

  it.each([
    [".json", () => playing.sidecar("r1")],
    ["-thumb.jpg", () => playing.thumbnail("r1")],
    [".jpg", () => playing.thumbnail("r1")],
  ])("shows no secret in place of its %s", async (ending, ask) => {
    const beside = place(`film${ending}`);
    entry = { ...entry, made: ending === "-thumb.jpg" ? [beside] : [] };
    await symlink(place("secrets.yaml"), beside);
    const shown = await ask().catch(({ message }) => message);
    expect(String(shown)).not.toContain("s3cr3t");
  });

  it("shows the recording itself, if somebody has moved it", async () => {
    await mkdir(place("disk"));
    await rename(entry.file, place("disk/film.ts"));
    await symlink(place("disk/film.ts"), entry.file);
    expect(await contentOf()).toBe(FILM);
  });
});

it("a folder in place of a recording is refused as what it is", async () => {
  await rm(entry.file);
  await mkdir(entry.file);
  await expect(contentOf()).rejects.toMatchObject({
    code: "FILE_UNREADABLE",
    message: expect.stringContaining("is a folder"),
  });
});
