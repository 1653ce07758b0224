import { cp, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadClip } from "../../src/simulator/broadcaster/clip.ts";
import { isKeyPicture } from "../../src/simulator/broadcaster/elementary.ts";
import { outOfPatience } from "../patience.ts";
import { CLIP_FOLDER, testClip } from "./air.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-clip-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function load(signal: AbortSignal = outOfPatience()) {
  return loadClip({ folder, signal });
}

describe("the clip", () => {
  it("is 8 s of picture and sound with a key picture each second", async () => {
    const { pictures, soundFrames } = await testClip();
    expect([pictures.length * 40, (soundFrames.length * 1024) / 48]).toEqual([8000, 8000]);
    expect(pictures.flatMap((picture, index) => (isKeyPicture(picture) ? [index] : []))).toEqual(
      Array.from({ length: 8 }, (_, second) => second * 25),
    );
  });

  it("is created once, even for two simultaneous requests, and then reused", async () => {
    const [first, second] = await Promise.all([load(), load()]);
    const names = await readdir(folder);
    expect(names).toEqual([expect.stringMatching(/^clip-[0-9a-f]{16}$/)]);
    const { mtimeMs } = await stat(join(folder, names[0] ?? "", "picture.h264"));
    const third = await load();
    expect((await stat(join(folder, names[0] ?? "", "picture.h264"))).mtimeMs).toBe(mtimeMs);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
  });

  it("leaves no file after an abort", async () => {
    await expect(load(AbortSignal.timeout(1))).rejects.toThrow("timeout");
    expect(await readdir(folder)).toEqual([]);
  });

  it("names the folder to remove if its contents are incomplete", async () => {
    await testClip();
    await cp(CLIP_FOLDER, folder, { recursive: true });
    for (const name of await readdir(folder)) await writeFile(join(folder, name, "sound.aac"), "");
    await expect(load()).rejects.toMatchObject({
      code: "FFMPEG_FAILED",
      message: expect.stringContaining(join(folder, "clip-")),
    });
  });
});
