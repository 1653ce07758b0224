import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PLAYBACK_LIMITS } from "../../../../src/recorder/subsystems/playback/limits.ts";
import { createStills, type StillsParts } from "../../../../src/recorder/subsystems/playback/stills.ts";
import { radio } from "../../../kit/films.ts";
import { told } from "../../../kit/tool.ts";
import { type FileSource, fileSource, writeBroadcast } from "./file-source.ts";
import { shiftedClock } from "./shifted-clock.ts";

const { signal } = new AbortController();
let folder: string;
let film: FileSource;
/** Recordings whose data was asked for. */
let asked: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-stills-"));
  const file = join(folder, "film.ts");
  await writeBroadcast(file, { seconds: 6 });
  film = await fileSource(file);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  asked = [];
  film.grow(undefined);
  await rm(join(folder, "pictures"), { recursive: true, force: true });
});

function stills(parts: Partial<StillsParts> = {}) {
  return createStills({
    folder: join(folder, "pictures"),
    sourceOf: (id) => ({
      ...film,
      parts: async () => {
        asked.push(id);
        return await film.parts();
      },
    }),
    ffmpegPath: "ffmpeg",
    niceness: 0,
    clock: shiftedClock(),
    signal,
    ...parts,
  });
}

async function sizeOf(jpeg: Buffer): Promise<string> {
  const args = ["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", "-"];
  const { out } = await told("ffprobe", { args, input: jpeg });
  return out.trim();
}

describe("the picture of a recording", () => {
  it("is as wide as a phone needs, in the shape of the broadcast", async () => {
    const { bytes, isGrowing } = await stills().open("1");
    expect(isGrowing).toBe(false);
    expect(await sizeOf(bytes)).toBe(`mjpeg,${PLAYBACK_LIMITS.stillWidth},360`);
  });

  it("is made once, for all who ask at the same time and later", async () => {
    const [one, two] = await (async () => {
      const all = stills();
      return await Promise.all([all.open("1"), all.open("1")]);
    })();
    expect(one.bytes.equals(two.bytes)).toBe(true);
    expect((await stills().open("1")).bytes.equals(one.bytes)).toBe(true);
    expect(asked).toEqual(["1"]);
  });

  it("of a growing recording is made again later, and kept when the recording has ended", async () => {
    const clock = shiftedClock();
    const all = stills({ clock });
    film.grow(4);
    expect(await all.open("1")).toMatchObject({ isGrowing: true });
    expect(await all.open("1")).toMatchObject({ isGrowing: true });
    expect(asked).toHaveLength(1);
    clock.pass(PLAYBACK_LIMITS.stillFreshMs);
    film.grow(undefined);
    expect(await all.open("1")).toMatchObject({ isGrowing: false });
    expect(asked).toHaveLength(2);
    expect(await readdir(join(folder, "pictures"))).toEqual(["1.jpg"]);
  });

  it("that cannot be made is tried again later, not with each request", async () => {
    const file = join(folder, "radio.ts");
    await radio(file);
    const sound = await fileSource(file);
    const clock = shiftedClock();
    const parts = async () => {
      asked.push("2");
      return await sound.parts();
    };
    const all = stills({ clock, sourceOf: () => ({ ...sound, parts }) });
    await expect(all.open("2")).rejects.toThrow();
    await expect(all.open("2")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(asked).toHaveLength(1);
    clock.pass(PLAYBACK_LIMITS.stillFreshMs);
    await expect(all.open("2")).rejects.toThrow();
    expect(asked).toHaveLength(2);
  });

  it("stays in its folder, whatever the id is", async () => {
    await stills().open("../../escape");
    expect(await readdir(join(folder, "pictures"))).toEqual(["%2E%2E%2F%2E%2E%2Fescape.jpg"]);
  });
});
